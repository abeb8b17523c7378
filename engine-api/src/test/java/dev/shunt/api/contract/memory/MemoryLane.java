package dev.shunt.api.contract.memory;

import dev.shunt.api.sim.Turn;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.LaneDriver;
import dev.shunt.api.spi.LaneListener;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.RetireReason;
import java.util.ArrayList;
import java.util.List;

/** One lane's part: the channels that it owns, and what it serves to others. */
final class MemoryLane implements LaneDriver {
  private final MemoryFabric fabric;
  private final MemoryTransport transport;
  private final LaneListener listener;
  private final List<MemoryChannel> channels = new ArrayList<>();
  private final List<MemoryChannel> served = new ArrayList<>();
  private final long patience;
  private Turn turn;

  MemoryLane(MemoryFabric fabric, MemoryTransport transport, LaneListener listener) {
    this.fabric = fabric;
    this.transport = transport;
    this.listener = listener;
    patience = transport.context().config().getDuration("inbound-progress-timeout").toNanos();
  }

  LaneListener listener() {
    return listener;
  }

  MemoryTransport transport() {
    return transport;
  }

  void up(ConnectRequest request, MemoryChannel channel) {
    channels.add(channel);
    listener.channelUp(request, channel);
  }

  void down(MemoryChannel channel) {
    channels.remove(channel);
  }

  void serve(MemoryChannel channel) {
    served.add(channel);
  }

  void servesNoMore(MemoryChannel channel) {
    served.remove(channel);
  }

  boolean serves(LinkId link) {
    return served.stream().anyMatch(channel -> channel.link().id().equals(link));
  }

  void dropInbound(LinkId link) {
    for (var channel : List.copyOf(served)) {
      if (channel.link().id().equals(link) || fabric.has(Flaw.FENCES_ALL)) {
        channel.cut();
      }
    }
  }

  /** Something is there to report. */
  void ready() {
    if (turn != null) {
      turn.wake();
    }
  }

  @Override
  public int work(long now) {
    turn = fabric.world().current();
    int done = 0;
    for (int i = channels.size() - 1; i >= 0; i--) {
      done += channels.get(i).report();
    }
    for (int i = served.size() - 1; i >= 0; i--) {
      if (served.get(i).deadline(patience) <= now && !fabric.has(Flaw.KEEPS_STALLED_LEASE)) {
        served.get(i).cut();
        done++;
      }
    }
    return done;
  }

  @Override
  public long nextDeadline() {
    long first = Long.MAX_VALUE;
    for (int i = 0; i < served.size(); i++) {
      first = Math.min(first, served.get(i).deadline(patience));
    }
    return first;
  }

  @Override
  public void park(long deadline) {
    throw new IllegalStateException("nothing parks in a virtual world");
  }

  @Override
  public void wake() {
    ready();
  }

  @Override
  public void close(long now) {
    for (var channel : List.copyOf(served)) {
      channel.cut();
    }
    if (!fabric.has(Flaw.CLOSE_FORGETS)) {
      for (var channel : List.copyOf(channels)) {
        channel.retire(RetireReason.CLOSED, now);
      }
    }
  }
}
