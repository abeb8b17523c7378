package dev.shunt.cli;

import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import java.time.Duration;

/**
 * When something must be over.
 *
 * @param whole what was given for it
 * @param more what gives more time
 * @param end in nanoseconds of {@link System#nanoTime}
 */
record Deadline(Duration whole, String more, long end) {
  static Deadline in(Duration whole) {
    return in(whole, "--deadline");
  }

  /** Likewise, where something else than an option gives more. */
  static Deadline in(Duration whole, String more) {
    return new Deadline(whole, more, System.nanoTime() + whole.toNanos());
  }

  /** What is left of it. */
  Duration left(String of) {
    long left = end - System.nanoTime();
    if (left <= 0) {
      throw passed(of);
    }
    return Duration.ofNanos(left);
  }

  /** What to throw when it has passed. */
  ShuntException passed(String of) {
    return new ShuntException(
        FailureCode.DEADLINE,
        of + " was not over within " + Units.nanos(whole.toNanos()) + "; " + more + " gives more");
  }
}
