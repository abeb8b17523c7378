package dev.shunt.runtime.agent;

import dev.shunt.api.spi.WireLoop;
import dev.shunt.api.spi.Wires;

/** A task agent with byte streams of its own: it parks in their loop. */
public class WireAgent extends TaskAgent {
  private final WireLoop loop;

  /** An agent without a thread yet. */
  public WireAgent(String name, int capacity, Wires wires) {
    super(name, capacity);
    this.loop = wires.open(name);
  }

  /** Its streams. Used on its thread only. */
  public final WireLoop wires() {
    return loop;
  }

  @Override
  public int work(long now) {
    return super.work(now) + loop.poll(now);
  }

  @Override
  public void park(long deadline) {
    if (super.nextDeadline() != Long.MIN_VALUE) {
      loop.park(deadline);
    }
  }

  @Override
  public void wake() {
    super.wake();
    loop.wake();
  }

  @Override
  public void close(long now) {
    super.close(now);
    loop.close();
  }
}
