package dev.shunt.transport.tcp;

import dev.shunt.api.spi.Channel;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LaneListener;
import dev.shunt.api.spi.Link;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.RetireReason;
import dev.shunt.api.spi.Slice;
import dev.shunt.api.spi.Wire;
import dev.shunt.api.spi.WireException;
import dev.shunt.transport.tcp.core.Answer;
import dev.shunt.transport.tcp.core.FrameBuffer;
import dev.shunt.transport.tcp.core.Requester;
import dev.shunt.transport.tcp.core.StreamLimits;

/**
 * A stream's requesting end, as the runtime sees it. When it ends, its wire is closed at once, and
 * the lane reports the rest from its next work: never from within a call of the runtime's.
 */
final class TcpChannel implements Channel {
  private final TcpLink link;
  private final TcpLane lane;
  private final Wire wire;
  private final FrameBuffer in;
  private final FrameBuffer out;
  private final Requester requester;
  private boolean down;

  TcpChannel(
      TcpLink link, TcpLane lane, Wire wire, FrameBuffer in, FrameBuffer out, Answer granted) {
    this.link = link;
    this.lane = lane;
    this.wire = wire;
    this.in = in;
    this.out = out;
    var limits = new StreamLimits(granted.depth(), granted.longest(), lane.settings().copyLimit());
    this.requester = new Requester(wire, in, out, limits, lane.listener());
  }

  @Override
  public Link link() {
    return link;
  }

  @Override
  public int room() {
    return requester.room();
  }

  @Override
  public void post(Slice slice, long now) {
    requester.post(slice);
  }

  @Override
  public void flush(long now) {
    writable();
  }

  @Override
  public boolean fence(LinkId stale, long now) {
    if (!requester.fence(stale)) {
      return false;
    }
    writable();
    return !down;
  }

  @Override
  public void retire(RetireReason reason, long now) {
    broke(Faults.of(reason));
  }

  void readable() {
    if (down) {
      return;
    }
    try {
      requester.receive();
      check();
    } catch (WireException e) {
      broke(Faults.of(e));
    } catch (RuntimeException e) {
      lane.defect("a stream", e);
      broke(Faults.internal(e));
    }
  }

  void writable() {
    if (down) {
      return;
    }
    try {
      requester.send();
      check();
    } catch (WireException e) {
      broke(Faults.of(e));
    } catch (RuntimeException e) {
      lane.defect("a stream", e);
      broke(Faults.internal(e));
    }
  }

  void broke(Fault cause) {
    requester.end(cause);
    check();
  }

  /** Reports what is left. Once, after the end, not from within another call of its own. */
  void report(LaneListener listener) {
    requester.abandon();
    lane.staging().give(in);
    lane.staging().give(out);
    listener.channelDown(this, requester.fault().orElseThrow());
  }

  private void check() {
    if (!down && requester.fault().isPresent()) {
      down = true;
      wire.abort();
      lane.ended(this);
    }
  }
}
