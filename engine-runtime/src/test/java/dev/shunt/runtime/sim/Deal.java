package dev.shunt.runtime.sim;

import dev.shunt.api.Outcome;
import dev.shunt.api.Transfer;
import java.util.List;

/** A batch that was submitted. */
final class Deal {
  final int number;
  final SimNode from;
  final long generation;
  final List<Piece> pieces;
  final Transfer transfer;
  final long deadline;
  final boolean notifies;
  Outcome[] outcomes;
  boolean settled;

  Deal(
      int number,
      SimNode from,
      List<Piece> pieces,
      Transfer transfer,
      long deadline,
      boolean notifies) {
    this.number = number;
    this.from = from;
    this.generation = from.generation();
    this.pieces = pieces;
    this.transfer = transfer;
    this.deadline = deadline;
    this.notifies = notifies;
  }

  boolean done() {
    return outcomes != null;
  }

  boolean completed() {
    for (var outcome : outcomes) {
      if (!(outcome instanceof Outcome.Completed)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    return "batch " + number + " of " + from;
  }
}
