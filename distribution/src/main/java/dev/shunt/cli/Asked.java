package dev.shunt.cli;

import java.util.Optional;

/**
 * Who was asked to end, and whether another signal means what it says: one that comes right after
 * the first is the first again, as timeout sends it to its child and then to its whole group, and
 * service managers to all processes of a unit. Any thread.
 */
final class Asked {
  /** Nobody who waits for an end loses his patience within this, in nanoseconds. */
  static final long SAME = 1_000_000_000L;

  private Optional<Stop.Signal> first = Optional.empty();
  private long since;

  /** What a signal asks for. */
  enum Wish {
    /** To clean up, and end. */
    END,
    /** Nothing that was not asked for before. */
    NOTHING,
    /** To end at once. */
    END_AT_ONCE
  }

  /** A signal came, at a time of the monotonic clock. */
  synchronized Wish by(Stop.Signal signal, long now) {
    if (first.isPresent()) {
      return now - since < SAME ? Wish.NOTHING : Wish.END_AT_ONCE;
    }
    first = Optional.of(signal);
    since = now;
    return Wish.END;
  }

  /** The signal that asked for the end, if one did. */
  synchronized Optional<Stop.Signal> first() {
    return first;
  }
}
