package dev.shunt.transport.nof;

import dev.shunt.api.sim.Actor;
import dev.shunt.api.spi.LaneDriver;
import dev.shunt.api.spi.Mailbox;
import java.util.ArrayDeque;

/** The lane of a {@link Node}. */
final class NodeLane implements Actor, Mailbox {
  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
  LaneDriver driver;
  Runnable turn;
  int inside;

  @Override
  public boolean execute(Runnable task) {
    tasks.add(task);
    turn.run();
    return true;
  }

  @Override
  public int work(long now) {
    inside++;
    int done = tasks.size();
    for (int i = 0; i < done; i++) {
      tasks.remove().run();
    }
    done += driver.work(now);
    inside--;
    return done;
  }

  @Override
  public long nextDeadline() {
    return driver.nextDeadline();
  }
}
