package dev.shunt.api.contract;

import dev.shunt.api.sim.Actor;
import dev.shunt.api.spi.Supervisor;
import dev.shunt.api.spi.WireLoop;
import dev.shunt.api.spi.Wires;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A host's supervisor: tasks, timers, and streams of its own. */
final class HostSupervisor implements Supervisor, Actor {
  private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final PriorityQueue<Alarm> alarms = new PriorityQueue<>();
  private final List<Alarm> due = new ArrayList<>();
  private final WireLoop loop;
  private final Runnable wake;
  private long alarmsSet;
  private boolean ended;

  HostSupervisor(Stage stage, String host, Wires wires) {
    loop = wires.open("supervisor");
    wake = stage.actor(host, "supervisor", this);
  }

  @Override
  public boolean execute(Runnable task) {
    if (ended) {
      return false;
    }
    tasks.add(task);
    wake.run();
    return true;
  }

  @Override
  public Timer at(long time, Runnable task) {
    var alarm = new Alarm(time, alarmsSet++, task);
    alarms.add(alarm);
    wake.run();
    return () -> {
      alarm.cancelled = true;
      alarms.remove(alarm);
    };
  }

  @Override
  public WireLoop wires() {
    return loop;
  }

  @Override
  public int work(long now) {
    if (ended) {
      return 0;
    }
    int done = loop.poll(now);
    while (!alarms.isEmpty() && alarms.peek().time <= now) {
      due.add(alarms.poll());
    }
    for (int i = 0; i < due.size(); i++) {
      var alarm = due.get(i);
      if (!alarm.cancelled) {
        alarm.task.run();
        done++;
      }
    }
    due.clear();
    Runnable task;
    while ((task = tasks.poll()) != null) {
      task.run();
      done++;
    }
    return done;
  }

  @Override
  public long nextDeadline() {
    return alarms.isEmpty() ? Long.MAX_VALUE : alarms.peek().time;
  }

  void end() {
    ended = true;
    tasks.clear();
    alarms.clear();
    loop.close();
  }

  private static final class Alarm implements Comparable<Alarm> {
    private final long time;
    private final long order;
    private final Runnable task;
    private boolean cancelled;

    Alarm(long time, long order, Runnable task) {
      this.time = time;
      this.order = order;
      this.task = task;
    }

    @Override
    public int compareTo(Alarm other) {
      return time != other.time ? Long.compare(time, other.time) : Long.compare(order, other.order);
    }
  }
}
