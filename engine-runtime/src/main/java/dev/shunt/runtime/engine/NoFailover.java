package dev.shunt.runtime.engine;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Decision;
import dev.shunt.api.spi.FailoverPolicy;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.PathHealth;
import dev.shunt.api.spi.PathId;
import dev.shunt.api.spi.SliceFailure;

/** A node without a failover policy: a slice that fails, fails its request. */
final class NoFailover implements FailoverPolicy {
  @Override
  public Decision decide(SliceFailure failure) {
    var fault = failure.fault();
    var unknown = failure.write() && fault.effect() == Fault.Effect.POSSIBLE;
    return new Decision.GiveUp(
        unknown ? FailureCode.UNKNOWN_EFFECT : fault.code(),
        fault.text() + "; this node has no failover policy");
  }

  @Override
  public PathHealth paths(String transport) {
    return new PathHealth() {
      @Override
      public void connected(PathId path, long link, long now) {
        // Nothing is remembered.
      }

      @Override
      public long failed(PathId path, long link, Fault fault, long now) {
        return now;
      }

      @Override
      public void succeeded(PathId path, long now) {
        // Nothing is remembered, so nothing changes.
      }

      @Override
      public void forget(String remote) {
        // Nothing is remembered.
      }
    };
  }
}
