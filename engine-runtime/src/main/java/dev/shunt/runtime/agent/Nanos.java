package dev.shunt.runtime.agent;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;

/** Durations as nanoseconds that can be added to a clock. */
public final class Nanos {
  /** 73 years: whoever waits longer waits for ever. */
  private static final long FOR_EVER = Long.MAX_VALUE / 4;

  private static final Duration LONGEST = Duration.ofNanos(FOR_EVER);

  private static final Duration GRACE = Duration.ofMillis(100);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private Nanos() {}

  /**
   * What somebody waits for an answer that has this deadline itself: hardly more, but so much that
   * the answer, which says why, is there first.
   */
  public static Duration withGrace(Duration timeout) {
    var nanos = of(timeout);
    return Duration.ofNanos(nanos + Math.min(nanos / 10, GRACE.toNanos()));
  }

  /** A duration as people read it: 250 ms, 1.5 s, 3 s, 2 min 5 s. */
  public static String text(Duration duration) {
    if (duration.compareTo(MINUTE) >= 0) {
      var seconds = duration.toSecondsPart();
      return duration.toMinutes() + " min" + (seconds == 0 ? "" : " " + seconds + " s");
    }
    var nanos = Math.max(0, duration.toNanos());
    return nanos >= 1_000_000_000L ? in(nanos, 9) + " s" : in(nanos, 6) + " ms";
  }

  private static String in(long nanos, int digits) {
    var value = BigDecimal.valueOf(nanos, digits).setScale(3, RoundingMode.HALF_UP);
    return value.stripTrailingZeros().toPlainString();
  }

  /** A duration, cut to what a clock can take; a negative one is 0. */
  public static long of(Duration duration) {
    if (duration.isNegative()) {
      return 0;
    }
    return duration.compareTo(LONGEST) > 0 ? FOR_EVER : duration.toNanos();
  }
}
