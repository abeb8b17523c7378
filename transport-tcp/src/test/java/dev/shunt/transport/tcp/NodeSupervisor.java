package dev.shunt.transport.tcp;

import dev.shunt.api.sim.Event;
import dev.shunt.api.sim.SimProcess;
import dev.shunt.api.spi.Supervisor;
import dev.shunt.api.spi.WireLoop;

/** A supervisor without a turn of its own: its tasks are events. */
final class NodeSupervisor implements Supervisor {
  private final SimProcess process;

  NodeSupervisor(SimProcess process) {
    this.process = process;
  }

  @Override
  public Timer at(long time, Runnable task) {
    var event = new Task(task);
    process.world().schedule(event, time);
    return () -> process.world().cancel(event);
  }

  @Override
  public WireLoop wires() {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean execute(Runnable task) {
    at(process.world().now() + 500, task);
    return true;
  }

  private static final class Task extends Event {
    private final Runnable task;

    Task(Runnable task) {
      this.task = task;
    }

    @Override
    protected void fire(long now) {
      task.run();
    }
  }
}
