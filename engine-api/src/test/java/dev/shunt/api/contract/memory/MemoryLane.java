package dev.shunt.api.contract.memory;

import dev.shunt.api.sim.Turn;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.LaneDriver;
import dev.shunt.api.spi.LaneListener;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.NotifyListener;
import dev.shunt.api.spi.NotifyOrigin;
import dev.shunt.api.spi.RetireReason;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** One lane's part: the channels that it owns, and what it serves to others. */
final class MemoryLane implements LaneDriver {
  private static final int MAIL = 8;

  private final MemoryFabric fabric;
  private final MemoryTransport transport;
  private final LaneListener listener;
  private final List<MemoryChannel> channels = new ArrayList<>();
  private final List<MemoryChannel> served = new ArrayList<>();
  private final List<MemoryPort> ports = new ArrayList<>();
  private final ArrayDeque<Mail> mail = new ArrayDeque<>();
  private final long patience;
  private NotifyListener notifications;
  private Turn turn;

  MemoryLane(MemoryFabric fabric, MemoryTransport transport, LaneListener listener) {
    this.fabric = fabric;
    this.transport = transport;
    this.listener = listener;
    patience = transport.context().config().getDuration("inbound-progress-timeout").toNanos();
  }

  /** A frame that nobody took yet. */
  private record Mail(NotifyOrigin origin, byte[] bytes) {}

  void notifications(NotifyListener to) {
    notifications = to;
  }

  NotifyListener notifications() {
    return notifications;
  }

  void up(ConnectRequest request, MemoryPort port) {
    ports.add(port);
    notifications.portUp(request, port);
  }

  void down(MemoryPort port) {
    ports.remove(port);
  }

  /** A frame is here, if there is a place for it. */
  boolean arrives(NotifyOrigin origin, byte[] bytes) {
    if (mail.size() == MAIL) {
      return false;
    }
    mail.add(new Mail(origin, bytes));
    ready();
    return true;
  }

  void forgets(NotifyOrigin origin) {
    mail.removeIf(letter -> letter.origin() == origin);
  }

  private int handUp() {
    int done = 0;
    while (!mail.isEmpty()
        && notifications.received(
            mail.peek().origin(), MemorySegment.ofArray(mail.peek().bytes()))) {
      mail.poll();
      done++;
    }
    return done;
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
    int done = handUp();
    for (int i = ports.size() - 1; i >= 0; i--) {
      done += ports.get(i).report(now);
    }
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
    long first = mail.isEmpty() ? Long.MAX_VALUE : fabric.world().now() + 1_000_000;
    for (int i = 0; i < ports.size(); i++) {
      first = Math.min(first, ports.get(i).deadline());
    }
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
    if (!fabric.has(Flaw.CLOSING_LOSES_FRAMES)) {
      handUp();
    }
    for (var port : List.copyOf(ports)) {
      port.retire(RetireReason.CLOSED, now);
    }
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
