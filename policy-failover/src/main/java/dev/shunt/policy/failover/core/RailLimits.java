package dev.shunt.policy.failover.core;

/**
 * When a rail of ours is taken out of use, and how long it waits to come back.
 *
 * @param recoveryDelay the first delay, nanoseconds
 * @param maxRecoveryDelay the longest one, no less than the first
 * @param failuresInARow local failures without a success that take it out of use, 1 at least
 */
public record RailLimits(long recoveryDelay, long maxRecoveryDelay, int failuresInARow) {
  /** Checks the numbers. */
  public RailLimits {
    if (recoveryDelay < 1 || maxRecoveryDelay < recoveryDelay || failuresInARow < 1) {
      throw new IllegalArgumentException(
          "delays of "
              + recoveryDelay
              + " to "
              + maxRecoveryDelay
              + " ns, "
              + failuresInARow
              + " failures");
    }
  }

  /** The delay after a number of falls and failed checks that came soon after one another. */
  long delay(int before) {
    return Doubling.of(recoveryDelay, before, maxRecoveryDelay);
  }
}
