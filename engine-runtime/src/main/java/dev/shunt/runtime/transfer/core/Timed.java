package dev.shunt.runtime.transfer.core;

/** What waits for a time in {@link Deadlines}. */
public abstract class Timed {
  long deadline;
  long order;
  int place = Deadlines.NOWHERE;

  /** When, in nanoseconds; of what is nowhere in a heap, when it was. */
  public final long deadline() {
    return deadline;
  }

  /** What settles ties. */
  public final long order() {
    return order;
  }

  final boolean before(Timed other) {
    return deadline == other.deadline ? order < other.order : deadline - other.deadline < 0;
  }
}
