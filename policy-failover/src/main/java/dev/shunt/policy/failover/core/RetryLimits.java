package dev.shunt.policy.failover.core;

/**
 * How often, and how fast, a slice is tried again.
 *
 * @param maxAttempts attempts in all, 1 at least
 * @param firstDelay the first pause in nanoseconds, 1 at least
 * @param maxDelay the longest pause, no less than the first
 */
public record RetryLimits(int maxAttempts, long firstDelay, long maxDelay) {
  /** Checks the numbers. */
  public RetryLimits {
    if (maxAttempts < 1 || firstDelay < 1 || maxDelay < firstDelay) {
      throw new IllegalArgumentException(
          maxAttempts + " attempts, pauses of " + firstDelay + " to " + maxDelay + " ns");
    }
  }

  /** The pause after a number of rounds over all paths, 1 at least: doubled each time. */
  long delay(int rounds) {
    return Doubling.of(firstDelay, rounds - 1, maxDelay);
  }
}
