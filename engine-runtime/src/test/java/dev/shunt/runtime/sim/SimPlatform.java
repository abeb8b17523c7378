package dev.shunt.runtime.sim;

import dev.shunt.api.sim.Actor;
import dev.shunt.api.sim.Dice;
import dev.shunt.api.sim.SimHost;
import dev.shunt.api.sim.SimProcess;
import dev.shunt.api.sim.Turn;
import dev.shunt.api.sim.World;
import dev.shunt.api.spi.Wires;
import dev.shunt.runtime.agent.Agent;
import dev.shunt.runtime.agent.Platform;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Gives an engine's agents turns of a virtual process. */
final class SimPlatform implements Platform {
  private static final long WALL_START = 1_800_000_000_000L;

  private final World world;
  private final SimProcess process;
  private final Wires wires;
  private final Dice dice;
  private final LongSupplier wallOffset;

  /**
   * For a process.
   *
   * @param wallOffset by how many milliseconds its host's wall clock is wrong
   */
  SimPlatform(SimHost host, SimProcess process, LongSupplier wallOffset) {
    this.wallOffset = wallOffset;
    this.world = process.world();
    this.process = process;
    this.wires = host.wires(process);
    this.dice = process.dice();
  }

  @Override
  public long now() {
    return world.now();
  }

  @Override
  public long wallMillis() {
    return WALL_START + world.now() / 1_000_000 + wallOffset.getAsLong();
  }

  @Override
  public long random() {
    return dice.next();
  }

  @Override
  public Wires wires() {
    return wires;
  }

  @Override
  public Running start(Agent agent) {
    var turn =
        process.actor(
            agent.name(),
            new Actor() {
              @Override
              public int work(long now) {
                return agent.work(now);
              }

              @Override
              public long nextDeadline() {
                return agent.nextDeadline();
              }
            });
    agent.onWake(turn::wake);
    return new Stopping(agent, turn);
  }

  @Override
  public void pause(long nanos) {
    world.run(nanos);
  }

  /** A call that blocks has no place here: it ends at once, as if its thread had been quick. */
  @Override
  public <T> boolean sacrifice(String what, Callable<T> call, Ended<T> done) {
    T result = null;
    Throwable thrown = null;
    try {
      result = call.call();
    } catch (Exception e) {
      thrown = e;
    }
    done.ended(result, thrown);
    return true;
  }

  private final class Stopping implements Running {
    private final Agent agent;
    private final Turn turn;

    Stopping(Agent agent, Turn turn) {
      this.agent = agent;
      this.turn = turn;
    }

    @Override
    public void stop(Consumer<Agent> ended) {
      turn.end();
      agent.close(world.now());
      ended.accept(agent);
    }

    @Override
    public boolean join(long nanos) {
      return true;
    }
  }
}
