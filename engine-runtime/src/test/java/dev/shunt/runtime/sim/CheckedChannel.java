package dev.shunt.runtime.sim;

import dev.shunt.api.spi.Channel;
import dev.shunt.api.spi.Link;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.PathId;
import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.RetireReason;
import dev.shunt.api.spi.Slice;

/** A channel of the transport under test, watched. */
final class CheckedChannel implements Channel {
  private final Channel inner;
  private final Guard guard;
  private final CheckedTransport.Watch watch;
  private final int lane;
  private final String transport;
  private final PathId path;
  private boolean retired;
  private long fencedAt = Long.MIN_VALUE;

  CheckedChannel(Channel inner, Guard guard, CheckedTransport.Watch watch, int lane) {
    this.inner = inner;
    this.watch = watch;
    this.transport = watch.transport();
    this.guard = guard;
    this.lane = lane;
    var link = inner.link();
    var generation = link.remote() instanceof Remote.Node node ? node.generation() : 0;
    path =
        new PathId(
            link.remote().name(), generation, link.local().index(), link.remoteRail().index());
  }

  Channel inner() {
    return inner;
  }

  String transport() {
    return transport;
  }

  PathId path() {
    return path;
  }

  /** Whether it could carry what another one carries. */
  boolean serves(CheckedChannel other) {
    return !retired
        && lane == other.lane
        && transport.equals(other.transport)
        && path.remote().equals(other.path.remote())
        && path.generation() == other.path.generation()
        && inner.room() > 0;
  }

  @Override
  public Link link() {
    return inner.link();
  }

  @Override
  public int room() {
    return inner.room();
  }

  @Override
  public void post(Slice slice, long now) {
    if (retired) {
      guard.cluster().broken(this + " was given a slice after it was retired");
    }
    if (fencedAt == now && slice.write()) {
      guard.cluster().mark(Mark.FENCE_AHEAD_OF_REDO);
    }
    guard.posted(slice, this, now);
    inner.post(slice, now);
    if (guard.cluster().weakness() == Weakness.COMPLETED_EARLY && slice.write()) {
      watch.completeEarly(slice);
    }
  }

  @Override
  public void flush(long now) {
    inner.flush(now);
  }

  @Override
  public boolean fence(LinkId stale, long now) {
    if (guard.cluster().weakness() == Weakness.FENCES_NOT_SENT) {
      return true;
    }
    boolean taken = inner.fence(stale, now);
    if (taken) {
      fencedAt = now;
      guard.cluster().fenced(guard.node, path.remote());
    }
    return taken;
  }

  @Override
  public void retire(RetireReason reason, long now) {
    retired = true;
    if (reason == RetireReason.STALLED) {
      guard.cluster().mark(Mark.REDO_AFTER_STALL);
    }
    inner.retire(reason, now);
  }

  @Override
  public String toString() {
    return "channel " + link().id().attempt() + " by " + path;
  }
}
