package dev.shunt.runtime.sim;

import dev.shunt.api.spi.Decision;
import dev.shunt.api.spi.FailoverPolicy;
import dev.shunt.api.spi.FailoverProvider;
import dev.shunt.api.spi.FailoverSettings;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.PathHealth;
import dev.shunt.api.spi.PathId;
import dev.shunt.api.spi.SliceFailure;
import java.time.Duration;

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
                  case Decision.GiveUp _, Decision.NextTransport() -> Mark.GIVE_UP;
                });
        return decision;
      }

      @Override
      public Duration unfencedGrace() {
        return policy.unfencedGrace();
      }

      @Override
      public PathHealth paths(String transport) {
        return watched(policy.paths(transport));
      }
    };
  }

  private PathHealth watched(PathHealth health) {
    return new PathHealth() {
      @Override
      public void connected(PathId path, long link, long now) {
        health.connected(path, link, now);
      }

      @Override
      public long failed(PathId path, long link, Fault fault, long now) {
        long until = health.failed(path, link, fault, now);
        if (until - now > 0) {
          guard.pause(path, until);
        }
        return guard.cluster().weakness() == Weakness.PAUSES_NOT_KEPT ? now : until;
      }

      @Override
      public void succeeded(PathId path, long now) {
        health.succeeded(path, now);
      }

      @Override
      public void forget(String remote) {
        health.forget(remote);
        guard.forget(remote);
      }
    };
  }
}
