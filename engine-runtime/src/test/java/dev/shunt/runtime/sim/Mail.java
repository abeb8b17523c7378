package dev.shunt.runtime.sim;

import dev.shunt.api.Delivery;
import dev.shunt.api.Signal;

/** A notification that was sent by itself. */
final class Mail {
  final SimNode from;
  final SimNode to;
  final String name;
  final long generation;
  final long deadline;
  final Signal<Delivery> signal;
  boolean received;

  Mail(SimNode from, SimNode to, String name, long deadline, Signal<Delivery> signal) {
    this.from = from;
    this.to = to;
    this.name = name;
    this.generation = to.generation();
    this.deadline = deadline;
    this.signal = signal;
  }
}
