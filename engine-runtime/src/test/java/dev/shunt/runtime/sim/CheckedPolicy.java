package dev.shunt.runtime.sim;

import dev.shunt.api.spi.Decision;
import dev.shunt.api.spi.FailoverPolicy;
import dev.shunt.api.spi.FailoverProvider;
import dev.shunt.api.spi.FailoverSettings;
import dev.shunt.api.spi.PathHealth;
import dev.shunt.api.spi.PeerHealth;
import dev.shunt.api.spi.RailHealth;
import dev.shunt.api.spi.SliceFailure;
import java.time.Duration;
import java.util.Optional;

/** The policy under test, watched: what it decides is marked, which paths rest is noted. */
final class CheckedPolicy implements FailoverProvider {
  private final FailoverProvider inner;
  private final Guard guard;

  CheckedPolicy(FailoverProvider inner, Guard guard) {
    this.inner = inner;
    this.guard = guard;
  }

  @Override
  public String id() {
    return inner.id();
  }

  @Override
  public int spiVersion() {
    return inner.spiVersion();
  }

  @Override
  public String version() {
    return inner.version();
  }

  @Override
  public FailoverPolicy create(FailoverSettings settings) {
    var policy = inner.create(settings);
    return new FailoverPolicy() {
      @Override
      public Decision decide(SliceFailure failure) {
        var decision = policy.decide(failure);
        guard
            .cluster()
            .mark(
                switch (decision) {
                  case Decision.HandOff() -> Mark.HAND_OFF;
                  case Decision.Redispatch() -> Mark.REDISPATCH;
                  case Decision.Retry _ -> Mark.RETRY;
                  case Decision.GiveUp _ -> Mark.GIVE_UP;
                  case Decision.NextTransport() -> Mark.NEXT_TRANSPORT;
                });
        return decision;
      }

      @Override
      public Duration unfencedGrace() {
        return policy.unfencedGrace();
      }

      @Override
      public PathHealth paths(String transport) {
        return new CheckedPaths(policy.paths(transport), guard, transport);
      }

      @Override
      public Optional<RailHealth> rails(String transport) {
        return policy.rails(transport).map(rails -> new CheckedRails(rails, guard, transport));
      }

      @Override
      public Optional<PeerHealth> peers() {
        return policy.peers().map(peers -> new CheckedPeers(peers, guard));
      }
    };
  }
}
