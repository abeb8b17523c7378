package dev.shunt.api.contract;

import dev.shunt.api.sim.Actor;
import dev.shunt.api.sim.Dice;
import dev.shunt.api.sim.SimHost;
import dev.shunt.api.sim.SimNetwork;
import dev.shunt.api.sim.SimProcess;
import dev.shunt.api.sim.SimProcess.Death;
import dev.shunt.api.sim.World;
import dev.shunt.api.spi.Wires;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/** A stage in a virtual world, with a virtual network. A fabric of one's own may be added to it. */
public final class VirtualStage implements Stage {
  private static final long TRAVEL = 40_000;

  private final World world;
  private final SimNetwork network;
  private final Dice dice;
  private final TreeMap<String, SimHost> hosts = new TreeMap<>();
  private final TreeMap<String, SimProcess> processes = new TreeMap<>();
  private final TreeMap<String, List<Runnable>> frozenMail = new TreeMap<>();
  private int starts;

  /**
   * A stage of a seed, with the hosts {@code a} and {@code b} of two addresses each: 10.0.0.1 and
   * 10.0.1.1, 10.0.0.2 and 10.0.1.2.
   */
  public VirtualStage(long seed) {
    world = new World(seed);
    network = new SimNetwork(world);
    dice = world.dice("stage");
    host("a", "10.0.0.1", "10.0.1.1");
    host("b", "10.0.0.2", "10.0.1.2");
  }

  /** Adds a host. */
  public SimHost host(String name, String... addresses) {
    var host = network.host(name, addresses);
    hosts.put(name, host);
    return host;
  }

  /** A host. */
  public SimHost host(String name) {
    return hosts.get(name);
  }

  /** The world. */
  public World world() {
    return world;
  }

  /** The network. */
  public SimNetwork network() {
    return network;
  }

  /** A host's process of now. */
  public SimProcess process(String host) {
    return processes.get(host);
  }

  @Override
  public long now() {
    return world.now();
  }

  @Override
  public boolean virtual() {
    return true;
  }

  @Override
  public long random() {
    return dice.next();
  }

  @Override
  public void start(String host) {
    starts++;
    processes.put(host, hosts.get(host).start(host + "#" + starts));
  }

  @Override
  public Runnable actor(String host, String name, Actor actor) {
    return process(host).actor(name, actor)::wake;
  }

  @Override
  public Wires wires(String host) {
    return hosts.get(host).wires(process(host));
  }

  @Override
  public void send(String host, Runnable task) {
    var process = process(host);
    world.at(
        world.now() + TRAVEL + dice.below(TRAVEL),
        () -> {
          if (process.dead()) {
            return;
          }
          if (process.frozen()) {
            frozenMail.computeIfAbsent(host, _ -> new ArrayList<>()).add(task);
          } else {
            task.run();
          }
        });
  }

  @Override
  public void blocking(String host, Runnable task) {
    send(host, task);
  }

  @Override
  public void freeze(String host) {
    process(host).freeze();
  }

  @Override
  public void thaw(String host) {
    process(host).thaw();
    var mail = frozenMail.remove(host);
    if (mail != null) {
      mail.forEach(Runnable::run);
    }
  }

  @Override
  public void kill(String host, Death death) {
    if (death == Death.VANISHED) {
      hosts.get(host).powerOff(process(host));
    } else {
      process(host).die(death);
    }
  }

  @Override
  public boolean until(BooleanSupplier condition, long nanos) {
    return world.runUntil(condition, nanos);
  }
}
