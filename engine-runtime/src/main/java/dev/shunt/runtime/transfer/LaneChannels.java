package dev.shunt.runtime.transfer;

import dev.shunt.api.spi.Channel;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LaneListener;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.RetireReason;
import dev.shunt.api.spi.Slice;
import dev.shunt.runtime.observe.Change;
import dev.shunt.runtime.transfer.core.PathSlot;
import dev.shunt.runtime.transfer.core.PooledSlice;
import java.util.HashMap;
import java.util.Map;

/**
 * Whose a lane's channels are: which flow waits for which, and which has which. So what the
 * transport reports finds its flow here. Only who has the lane's turn calls it.
 */
final class LaneChannels implements LaneListener {
  private final Lane lane;
  private final LaneServices services;
  private final Map<LinkId, LaneFlow> connecting = new HashMap<>();
  private final Map<LinkId, Bound> bound = new HashMap<>();
  private final LaneChecks checks;

  private record Bound(LaneFlow flow, PathSlot slot) {}

  LaneChannels(Lane lane, LaneServices services, LaneChecks checks) {
    this.checks = checks;
    this.lane = lane;
    this.services = services;
  }

  /** A flow is about to ask for a channel. */
  void asked(LinkId id, LaneFlow flow) {
    connecting.put(id, flow);
  }

  /** A channel that was asked for is not waited for any more. */
  void forget(LinkId id) {
    connecting.remove(id);
  }

  @Override
  public void channelUp(ConnectRequest request, Channel channel) {
    var check = checks.of(request.id());
    if (check != null) {
      check.up(channel);
      return;
    }
    var flow = connecting.remove(request.id());
    if (flow == null || !flow.flow.channelUp(request.id(), channel, lane.now())) {
      channel.retire(RetireReason.EVICTED, lane.now());
      return;
    }
    lane.list(flow);
    var slot = flow.slot(request.id());
    bound.put(request.id(), new Bound(flow, slot));
    flow.route.channels().incrementAndGet();
    services
        .journal()
        .channel(Change.CHANNEL_UP, flow.name(slot.localRail(), slot.remoteRail()), "");
  }

  @Override
  public void connectFailed(ConnectRequest request, Fault fault) {
    var check = checks.of(request.id());
    if (check != null) {
      check.connectFailed(fault);
      return;
    }
    var flow = connecting.remove(request.id());
    if (flow != null) {
      lane.list(flow);
      flow.flow.connectFailed(request.id(), fault, lane.now());
    }
  }

  @Override
  public void completed(Slice slice) {
    if (slice instanceof RailEcho check) {
      check.completed();
      return;
    }
    var pooled = (PooledSlice) slice;
    lane.list((LaneFlow) pooled.port());
    pooled.flow().completed(pooled, lane.now());
  }

  @Override
  public void failed(Slice slice, Fault fault) {
    if (slice instanceof RailEcho check) {
      check.failed(fault);
      return;
    }
    var pooled = (PooledSlice) slice;
    lane.list((LaneFlow) pooled.port());
    pooled.flow().failed(pooled, fault, lane.now());
  }

  @Override
  public void channelDown(Channel channel, Fault fault) {
    var check = checks.of(channel.link().id());
    if (check != null) {
      check.channelDown(fault);
      return;
    }
    var known = bound.remove(channel.link().id());
    if (known != null) {
      lane.list(known.flow);
      known.flow.route.channels().decrementAndGet();
      var path = known.flow.name(known.slot.localRail(), known.slot.remoteRail());
      services.journal().channel(Change.CHANNEL_DOWN, path, fault.text());
      known.flow.flow.channelDown(known.slot, fault, lane.now());
    }
  }
}
