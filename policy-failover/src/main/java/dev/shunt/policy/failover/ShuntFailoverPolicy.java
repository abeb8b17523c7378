package dev.shunt.policy.failover;

import dev.shunt.api.spi.Decision;
import dev.shunt.api.spi.FailoverPolicy;
import dev.shunt.api.spi.PathHealth;
import dev.shunt.api.spi.PeerHealth;
import dev.shunt.api.spi.RailHealth;
import dev.shunt.api.spi.SliceFailure;
import dev.shunt.policy.failover.core.Decisions;
import dev.shunt.policy.failover.core.PathRecords;
import dev.shunt.policy.failover.core.PeerLimits;
import dev.shunt.policy.failover.core.PeerRecords;
import dev.shunt.policy.failover.core.RailLimits;
import dev.shunt.policy.failover.core.RailRecords;
import dev.shunt.policy.failover.core.RetryLimits;
import dev.shunt.policy.failover.core.Thresholds;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** The policy of one engine. */
final class ShuntFailoverPolicy implements FailoverPolicy {
  private final Decisions decisions;
  private final Duration grace;
  private final Map<String, Thresholds> thresholds;

  private final RailLimits rails;
  private final Optional<PeerLimits> peers;

  ShuntFailoverPolicy(
      RetryLimits limits,
      Unfenced unfenced,
      Map<String, Thresholds> thresholds,
      RailLimits rails,
      Optional<PeerLimits> peers) {
    this.decisions = new Decisions(limits, unfenced.complete());
    this.grace = unfenced.grace();
    this.thresholds = thresholds;
    this.rails = rails;
    this.peers = peers;
  }

  @Override
  public Decision decide(SliceFailure failure) {
    return decisions.decide(failure);
  }

  @Override
  public Duration unfencedGrace() {
    return grace;
  }

  @Override
  public PathHealth paths(String transport) {
    var own = thresholds.get(transport);
    if (own == null) {
      throw new IllegalArgumentException(
          "nothing is set of the rails of " + transport + "; there are " + thresholds.keySet());
    }
    return new PathRecords(own);
  }

  @Override
  public Optional<RailHealth> rails(String transport) {
    return Optional.of(new RailRecords(rails));
  }

  @Override
  public Optional<PeerHealth> peers() {
    return peers.map(PeerRecords::new);
  }
}
