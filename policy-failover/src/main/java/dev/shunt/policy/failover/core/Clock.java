package dev.shunt.policy.failover.core;

/**
 * Points of a clock that may start anywhere, and may wrap: only the differences between them mean
 * something.
 */
final class Clock {
  private Clock() {}

  /** A point that is never taken for {@link Long#MAX_VALUE}, which stands for never. */
  static long after(long now, long nanos) {
    long point = now + nanos;
    return point == Long.MAX_VALUE ? Long.MIN_VALUE : point;
  }

  static boolean reached(long point, long now) {
    return point - now <= 0;
  }

  static long earlier(long one, long other) {
    return one - other < 0 ? one : other;
  }

  static long later(long one, long other) {
    return one - other > 0 ? one : other;
  }
}
