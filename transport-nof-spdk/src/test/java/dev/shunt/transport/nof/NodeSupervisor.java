package dev.shunt.transport.nof;

import dev.shunt.api.sim.Actor;
import dev.shunt.api.spi.Supervisor;
import dev.shunt.api.spi.WireLoop;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** The supervisor of a {@link Node}. */
final class NodeSupervisor implements Actor, Supervisor {
  private record Alarm(long time, long order, Runnable task) {}

  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
  private final List<Alarm> alarms = new ArrayList<>();
  private final WireLoop loop;
  Runnable turn;
  private long orders;

  NodeSupervisor(WireLoop loop) {
    this.loop = loop;
  }

  @Override
  public boolean execute(Runnable task) {
    tasks.add(task);
    turn.run();
    return true;
  }

  @Override
  public Timer at(long time, Runnable task) {
    var alarm = new Alarm(time, orders++, task);
    alarms.add(alarm);
    turn.run();
    return () -> alarms.remove(alarm);
  }

  @Override
  public WireLoop wires() {
    return loop;
  }

  @Override
  public int work(long now) {
    int done = tasks.size() + loop.poll(now);
    for (int i = tasks.size(); i > 0; i--) {
      tasks.remove().run();
    }
    for (var alarm : List.copyOf(alarms)) {
      if (alarm.time <= now && alarms.remove(alarm)) {
        alarm.task.run();
        done++;
      }
    }
    return done;
  }

  @Override
  public long nextDeadline() {
    long next = Long.MAX_VALUE;
    for (var alarm : alarms) {
      next = Math.min(next, alarm.time);
    }
    return next;
  }
}
