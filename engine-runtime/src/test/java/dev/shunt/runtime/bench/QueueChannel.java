package dev.shunt.runtime.bench;

import dev.shunt.api.spi.Channel;
import dev.shunt.api.spi.Link;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Rail;
import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.RemoteRail;
import dev.shunt.api.spi.RetireReason;
import dev.shunt.api.spi.Slice;
import dev.shunt.runtime.transfer.core.Flow;
import dev.shunt.runtime.transfer.core.PooledSlice;

/** A channel that keeps what is posted in a ring until it is told to complete it. */
final class QueueChannel implements Channel, Link {
  private static final int DEPTH = 256;

  private final LinkId id;
  private final PooledSlice[] ring = new PooledSlice[DEPTH];
  private int oldest;
  private int next;

  QueueChannel(LinkId id) {
    this.id = id;
  }

  void completeAll(Flow flow, long now) {
    while (oldest != next) {
      flow.completed(ring[oldest++ & (DEPTH - 1)], now);
    }
  }

  @Override
  public Link link() {
    return this;
  }

  @Override
  public int room() {
    return DEPTH - (next - oldest);
  }

  @Override
  public void post(Slice slice, long now) {
    ring[next++ & (DEPTH - 1)] = (PooledSlice) slice;
  }

  @Override
  public void flush(long now) {}

  @Override
  public boolean fence(LinkId stale, long now) {
    return false;
  }

  @Override
  public void retire(RetireReason reason, long now) {}

  @Override
  public LinkId id() {
    return id;
  }

  @Override
  public Remote remote() {
    return new Remote.Target("peer");
  }

  @Override
  public Rail local() {
    throw new UnsupportedOperationException();
  }

  @Override
  public RemoteRail remoteRail() {
    throw new UnsupportedOperationException();
  }
}
