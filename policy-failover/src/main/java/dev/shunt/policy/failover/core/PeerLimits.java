package dev.shunt.policy.failover.core;

/**
 * How long peers that do not answer are not called. All in nanoseconds.
 *
 * @param cooldown the first one
 * @param maxCooldown the longest one, no less than the first
 * @param probeInterval from one probe of a peer to the next
 * @param maxAge how long one is remembered that nobody asks for
 */
public record PeerLimits(long cooldown, long maxCooldown, long probeInterval, long maxAge) {
  /** Checks the numbers. */
  public PeerLimits {
    if (cooldown < 1 || maxCooldown < cooldown || probeInterval < 1 || maxAge < maxCooldown) {
      throw new IllegalArgumentException(
          "cooldowns of "
              + cooldown
              + " to "
              + maxCooldown
              + " ns, a probe each "
              + probeInterval
              + " ns, remembered for "
              + maxAge
              + " ns");
    }
  }

  long cooldown(int before) {
    return Doubling.of(cooldown, before, maxCooldown);
  }
}
