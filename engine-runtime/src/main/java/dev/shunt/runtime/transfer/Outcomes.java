package dev.shunt.runtime.transfer;

import dev.shunt.api.Outcome;
import java.util.AbstractList;
import java.util.RandomAccess;

/** The outcomes of a batch, when all are there: an array that nobody writes to any more. */
final class Outcomes extends AbstractList<Outcome> implements RandomAccess {
  private final Outcome[] all;

  Outcomes(Outcome[] all) {
    this.all = all;
  }

  @Override
  public Outcome get(int index) {
    return all[index];
  }

  @Override
  public int size() {
    return all.length;
  }
}
