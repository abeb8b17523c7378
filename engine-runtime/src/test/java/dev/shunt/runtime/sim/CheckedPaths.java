package dev.shunt.runtime.sim;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.PathHealth;
import dev.shunt.api.spi.PathId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The machine for a transport's paths, watched. */
final class CheckedPaths implements PathHealth {
  private final PathHealth inner;
  private final Guard guard;
  private final String transport;
  private final Map<PathId, Long> newest = new HashMap<>();

  CheckedPaths(PathHealth inner, Guard guard, String transport) {
    this.inner = inner;
    this.guard = guard;
    this.transport = transport;
  }

  @Override
  public void connected(PathId path, long link, long now) {
    newest.merge(path, link, Math::max);
    inner.connected(path, link, now);
  }

  @Override
  public long failed(PathId path, long link, Fault fault, long now) {
    boolean before = guard.rests(transport, path, now);
    long until = inner.failed(path, link, fault, now);
    boolean old = link < newest.getOrDefault(path, Long.MIN_VALUE);
    if (old) {
      guard.cluster().mark(Mark.OLD_LINK_FAILED);
    }
    if (until - now > 0) {
      guard.pause(transport, path, until);
      if (!before) {
        if (fault.code() == FailureCode.HANDSHAKE) {
          guard.cluster().mark(Mark.HANDSHAKE_PAUSE);
        }
        if (old) {
          guard.cluster().broken(guard.node + ": an older link's failure pauses " + path);
        }
        guard.charged(transport, path, fault, now);
      }
    }
    return guard.cluster().weakness() == Weakness.PAUSES_NOT_KEPT ? now : until;
  }

  @Override
  public void succeeded(PathId path, long now) {
    inner.succeeded(path, now);
  }

  @Override
  public void returned(String remote, int remoteRail, long now) {
    inner.returned(remote, remoteRail, now);
    guard.returned(transport, remote, remoteRail);
  }

  @Override
  public void forget(String remote) {
    newest.keySet().removeIf(path -> path.remote().equals(remote));
    inner.forget(remote);
    guard.forget(transport, remote);
  }

  @Override
  public Optional<PathRecord> record(PathId path, long now) {
    return inner.record(path, now);
  }
}
