package dev.shunt.runtime.agent;

import java.time.Duration;

/** Durations as nanoseconds that can be added to a clock. */
public final class Nanos {
  /** 73 years: whoever waits longer waits for ever. */
  private static final long FOR_EVER = Long.MAX_VALUE / 4;

  private static final Duration LONGEST = Duration.ofNanos(FOR_EVER);

  private Nanos() {}

  /** A duration, cut to what a clock can take; a negative one is 0. */
  public static long of(Duration duration) {
    if (duration.isNegative()) {
      return 0;
    }
    return duration.compareTo(LONGEST) > 0 ? FOR_EVER : duration.toNanos();
  }
}
