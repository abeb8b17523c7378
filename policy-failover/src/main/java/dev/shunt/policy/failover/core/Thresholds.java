package dev.shunt.policy.failover.core;

/**
 * When a path is paused, and for how long.
 *
 * @param errors faults within the window, 1 at least
 * @param window nanoseconds
 * @param cooldown the first pause, nanoseconds
 * @param maxCooldown the longest pause, no less than the first
 */
public record Thresholds(int errors, long window, long cooldown, long maxCooldown) {
  /** Checks the numbers. */
  public Thresholds {
    if (errors < 1 || window < 1 || cooldown < 1 || maxCooldown < cooldown) {
      throw new IllegalArgumentException(
          errors + " faults in " + window + " ns, pauses of " + cooldown + " to " + maxCooldown);
    }
  }
}
