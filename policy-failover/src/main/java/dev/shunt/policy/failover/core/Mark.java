package dev.shunt.policy.failover.core;

import dev.shunt.api.spi.PeerHealth.Unreachable;

/** What is known of one address that does not answer. */
final class Mark {
  private final long generation;
  private final long since;
  private String why;
  private int failures = 1;
  private int cooldowns;
  private long lastCooldownAt;
  private long until;
  private boolean onTrial;
  private long trialUntil;
  private long nextProbe;
  private long wantedAt;

  Mark(PeerLimits limits, long generation, String why, long now) {
    this.generation = generation;
    this.since = now;
    this.why = why;
    this.wantedAt = now;
    this.nextProbe = Clock.after(now, limits.probeInterval());
    cool(limits, now);
  }

  private void cool(PeerLimits limits, long now) {
    until = Clock.after(now, limits.cooldown(cooldowns));
    cooldowns = Math.min(cooldowns + 1, Long.SIZE);
    lastCooldownAt = now;
    onTrial = false;
  }

  boolean admit(PeerLimits limits, long now) {
    if (!Clock.reached(until, now) || (onTrial && !Clock.reached(trialUntil, now))) {
      return false;
    }
    onTrial = true;
    trialUntil = Clock.after(now, limits.maxCooldown());
    return true;
  }

  void silent(PeerLimits limits, String what, long begun, long now) {
    probed(what);
    wantedAt = now;
    if (Clock.reached(until, begun)) {
      cool(limits, now);
    }
  }

  void probed(String what) {
    why = what;
    failures += failures == Integer.MAX_VALUE ? 0 : 1;
  }

  /** A call tells nothing. If it was the one to decide, another one may. */
  void excused(long begun) {
    if (Clock.reached(until, begun)) {
      onTrial = false;
    }
  }

  void wanted(long now) {
    wantedAt = now;
  }

  long wantedAt() {
    return wantedAt;
  }

  boolean aged(PeerLimits limits, long now) {
    return now - wantedAt >= limits.maxAge();
  }

  boolean isOlderThan(long other) {
    return generation != 0 && other != 0 && Long.compareUnsigned(generation, other) < 0;
  }

  boolean isNewerThan(long other) {
    return generation != 0 && other != 0 && Long.compareUnsigned(generation, other) > 0;
  }

  boolean madeWithin(long nanos, long now) {
    return now - since <= nanos;
  }

  /** What began to cool while this process stood still may be called again at once. */
  void excuse(long nanos, long now) {
    if (now - lastCooldownAt <= nanos) {
      cooldowns = Math.max(0, cooldowns - 1);
      until = Clock.earlier(until, now);
    }
  }

  long nextProbe() {
    return nextProbe;
  }

  void probe(PeerLimits limits, long now) {
    nextProbe = Clock.after(now, limits.probeInterval());
  }

  Unreachable show(String address) {
    return new Unreachable(
        address,
        generation,
        since,
        why,
        failures,
        onTrial ? Clock.later(until, trialUntil) : until,
        nextProbe);
  }
}
