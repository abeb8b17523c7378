package dev.shunt.transport.tcp;

import dev.shunt.api.sim.Actor;
import dev.shunt.api.sim.SimProcess;
import dev.shunt.api.sim.Turn;
import dev.shunt.api.sim.World;
import dev.shunt.api.spi.Channel;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LaneDriver;
import dev.shunt.api.spi.LaneListener;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Mailbox;
import dev.shunt.api.spi.Slice;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/** A lane in a virtual world, and what was reported on it. */
final class NodeLane implements Actor, LaneListener, Mailbox {
  final Map<LinkId, Channel> up = new HashMap<>();
  final Map<LinkId, Fault> failed = new HashMap<>();
  final Map<LinkId, Fault> down = new HashMap<>();
  private final World world;
  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
  private LaneDriver driver;
  private Turn turn;

  NodeLane(World world) {
    this.world = world;
  }

  void run(SimProcess process, String name, LaneDriver laneDriver) {
    driver = laneDriver;
    turn = process.actor(name, this);
  }

  LaneDriver driver() {
    return driver;
  }

  Channel await(LinkId id) {
    if (!world.runUntil(() -> up.containsKey(id) || failed.containsKey(id), 10 * Node.SECOND)) {
      throw new AssertionError("no answer for " + id);
    }
    if (failed.containsKey(id)) {
      throw new AssertionError(id + " failed: " + failed.get(id));
    }
    return up.get(id);
  }

  @Override
  public boolean execute(Runnable task) {
    tasks.add(task);
    if (turn != null) {
      turn.wake();
    }
    return true;
  }

  @Override
  public int work(long now) {
    int done = 0;
    for (var task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
      done++;
    }
    return done + driver.work(now);
  }

  @Override
  public long nextDeadline() {
    return driver.nextDeadline();
  }

  @Override
  public void channelUp(ConnectRequest request, Channel channel) {
    up.put(request.id(), channel);
  }

  @Override
  public void connectFailed(ConnectRequest request, Fault fault) {
    failed.put(request.id(), fault);
  }

  @Override
  public void completed(Slice slice) {
    ((Write) slice).completed++;
  }

  @Override
  public void failed(Slice slice, Fault fault) {
    ((Write) slice).fault = fault;
  }

  @Override
  public void channelDown(Channel channel, Fault fault) {
    if (down.putIfAbsent(channel.link().id(), fault) != null) {
      throw new AssertionError("down twice: " + channel.link());
    }
  }
}
