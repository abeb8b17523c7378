package dev.shunt.policy.failover.core;

/** Pauses that double. */
final class Doubling {
  private Doubling() {}

  /** The first one doubled so many times, up to the longest; never overflows. */
  static long of(long first, int times, long longest) {
    if (times >= Long.numberOfLeadingZeros(first) - 1) {
      return longest;
    }
    return Math.min(first << times, longest);
  }
}
