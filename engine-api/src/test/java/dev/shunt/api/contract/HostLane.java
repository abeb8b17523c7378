package dev.shunt.api.contract;

import dev.shunt.api.sim.Actor;
import dev.shunt.api.spi.Channel;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LaneDriver;
import dev.shunt.api.spi.LaneListener;
import dev.shunt.api.spi.Mailbox;
import dev.shunt.api.spi.Slice;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A host's lane: drives the transport's part of it, and notes whatever the transport gets wrong.
 */
final class HostLane implements Actor, Mailbox, LaneListener {
  private final ContractHost host;
  private final int number;
  private final HostNotify notifications = new HostNotify(this);
  private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  // Looked up by identity, and never iterated over.
  private final Map<Channel, ContractChannel> channels = new IdentityHashMap<>();
  private LaneDriver driver;
  private Runnable wake = () -> {};
  private int inside;
  private boolean closed;

  HostLane(ContractHost host, int number) {
    this.host = host;
    this.number = number;
  }

  void start(LaneDriver laneDriver) {
    driver = laneDriver;
    wake = host.stage().actor(host.name(), "lane " + number, this);
  }

  HostNotify notifications() {
    return notifications;
  }

  LaneDriver driver() {
    return driver;
  }

  int number() {
    return number;
  }

  ContractHost host() {
    return host;
  }

  /** The test does on this lane's behalf what the runtime would do in one of its turns. */
  void enter() {
    inside++;
  }

  void exit() {
    inside--;
    wake.run();
  }

  @Override
  public int work(long now) {
    if (closed) {
      return 0;
    }
    inside++;
    try {
      int done = 0;
      Runnable task;
      while ((task = tasks.poll()) != null) {
        task.run();
        done++;
      }
      return done + driver.work(now);
    } finally {
      inside--;
    }
  }

  @Override
  public long nextDeadline() {
    return closed ? Long.MAX_VALUE : driver.nextDeadline();
  }

  @Override
  public boolean execute(Runnable task) {
    if (closed) {
      return false;
    }
    tasks.add(task);
    if (driver != null) {
      driver.wake();
    }
    wake.run();
    return true;
  }

  void close() {
    if (!closed) {
      inside++;
      driver.close(host.stage().now());
      inside--;
      closed = true;
      tasks.clear();
    }
  }

  void abandon() {
    closed = true;
    tasks.clear();
  }

  @Override
  public void channelUp(ConnectRequest request, Channel channel) {
    onLane("channelUp");
    var answer = host.answer(request, this);
    if (answer == null) {
      return;
    }
    if (!channel.link().id().equals(request.id())) {
      host.violated("channelUp for " + request.id() + " brings a link " + channel.link().id());
    }
    var mine = new ContractChannel(this, channel, request);
    if (channels.putIfAbsent(channel, mine) != null) {
      host.violated("channelUp brings a channel twice: " + channel);
    }
    answer.up(mine);
  }

  @Override
  public void connectFailed(ConnectRequest request, Fault fault) {
    onLane("connectFailed");
    var answer = host.answer(request, this);
    if (answer != null) {
      answer.failed(fault);
    }
  }

  @Override
  public void completed(Slice slice) {
    report(slice, ContractSlice.State.COMPLETED, null);
  }

  @Override
  public void failed(Slice slice, Fault fault) {
    if (fault == null) {
      host.violated("failed without a fault: " + slice);
    } else if (!slice.write() && fault.effect() != Fault.Effect.NONE) {
      host.violated("a read has no effect at the remote, and yet: " + fault);
    }
    report(slice, ContractSlice.State.FAILED, fault);
  }

  private void report(Slice slice, ContractSlice.State end, Fault fault) {
    onLane("a report");
    var mine = (ContractSlice) slice;
    if (mine.channel() != null && mine.channel().lane() != this) {
      host.violated("reported on another lane than its channel's: " + mine);
    }
    if (!mine.report(end, fault)) {
      host.violated("reported though it is not posted: " + mine + " as " + end);
    }
  }

  @Override
  public void channelDown(Channel channel, Fault fault) {
    onLane("channelDown");
    var mine = channels.remove(channel);
    if (mine == null) {
      host.violated("channelDown for a channel that is not up: " + channel);
      return;
    }
    if (fault == null) {
      host.violated("channelDown without a fault");
    }
    mine.down(fault);
  }

  void onLane(String what) {
    if (inside == 0) {
      host.violated(what + " comes outside the turns of lane " + number);
    }
    if (closed) {
      host.violated(what + " comes after lane " + number + " was closed");
    }
  }
}
