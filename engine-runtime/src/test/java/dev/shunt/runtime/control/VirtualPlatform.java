package dev.shunt.runtime.control;

import dev.shunt.api.sim.Actor;
import dev.shunt.api.sim.SimHost;
import dev.shunt.api.sim.SimProcess;
import dev.shunt.api.sim.World;
import dev.shunt.api.spi.Wires;
import dev.shunt.runtime.agent.Agent;
import dev.shunt.runtime.agent.Platform;
import dev.shunt.runtime.agent.TaskAgent;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/** One process of a virtual world, as agents see it. */
final class VirtualPlatform implements Platform {
  final World world;
  final SimProcess process;
  private final SimHost host;

  VirtualPlatform(World world, SimHost host, String name) {
    this.world = world;
    this.host = host;
    this.process = host.start(name);
  }

  @Override
  public long now() {
    return world.now();
  }

  @Override
  public long wallMillis() {
    return 1_700_000_000_000L + world.now() / 1_000_000;
  }

  @Override
  public long random() {
    return process.dice().next();
  }

  @Override
  public Wires wires() {
    return host.wires(process);
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
    ((TaskAgent) agent).onWake(turn::wake);
    return new Running() {
      @Override
      public void stop(Consumer<Agent> ended) {
        agent.close(world.now());
        turn.end();
        ended.accept(agent);
      }

      @Override
      public boolean join(long nanos) {
        return true;
      }
    };
  }

  @Override
  public <T> boolean sacrifice(String what, Callable<T> call, Ended<T> done) {
    world.at(
        world.now() + 1_000_000,
        () -> {
          try {
            done.ended(call.call(), null);
          } catch (Exception thrown) {
            done.ended(null, thrown);
          }
        });
    return true;
  }
}
