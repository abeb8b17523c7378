package dev.shunt.api.contract.memory;

import dev.shunt.api.contract.VirtualStage;
import dev.shunt.api.sim.Dice;
import dev.shunt.api.sim.World;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Carries operations between the transports of a virtual world. */
final class MemoryFabric {
  private final VirtualStage stage;
  private final Dice dice;
  private final Flaw flaw;
  private final TreeMap<String, MemoryTransport> nodes = new TreeMap<>();
  private final TreeMap<String, Way> ways = new TreeMap<>();
  private final List<MemoryChannel> channels = new ArrayList<>();
  private final List<MemoryPort> ports = new ArrayList<>();
  private final List<Object> leaked = new ArrayList<>();
  int duplicates;
  Object litter;

  MemoryFabric(VirtualStage stage, Flaw flaw) {
    this.stage = stage;
    this.flaw = flaw;
    dice = stage.world().dice("memory fabric");
  }

  boolean has(Flaw what) {
    return flaw == what;
  }

  World world() {
    return stage.world();
  }

  VirtualStage stage() {
    return stage;
  }

  Dice dice() {
    return dice;
  }

  long travel() {
    return 5_000 + dice.below(10_000);
  }

  void join(String name, MemoryTransport node) {
    nodes.put(name, node);
  }

  MemoryTransport node(String name) {
    return nodes.get(name);
  }

  /** The way between two rails; the same for both directions. */
  Way way(int railOfA, int railOfB) {
    return ways.computeIfAbsent(railOfA + "-" + railOfB, _ -> new Way());
  }

  void opened(MemoryChannel channel) {
    channels.add(channel);
  }

  void gone(MemoryChannel channel) {
    channels.remove(channel);
    if (has(Flaw.LEAKS)) {
      leaked.add(channel);
    }
  }

  void opened(MemoryPort port) {
    ports.add(port);
  }

  void gone(MemoryPort port) {
    ports.remove(port);
    if (has(Flaw.PORTS_LEAK)) {
      leaked.add(port);
    }
  }

  long resources() {
    return channels.size() + ports.size() + leaked.size();
  }

  /** All that uses a way is over. */
  void cut(Way way) {
    for (var channel : List.copyOf(channels)) {
      if (channel.way() == way) {
        channel.cut();
      }
    }
    for (var port : List.copyOf(ports)) {
      if (port.way() == way) {
        port.cut();
      }
    }
  }

  /** What was held or lost on a way moves again. */
  void moves(Way way) {
    for (var channel : List.copyOf(channels)) {
      if (channel.way() == way) {
        channel.moves();
      }
    }
    for (var port : List.copyOf(ports)) {
      if (port.way() == way) {
        port.moves();
      }
    }
  }

  /** A node is gone. */
  void left(MemoryTransport node, boolean silently) {
    nodes.remove(node.context().node(), node);
    for (var channel : List.copyOf(channels)) {
      if (channel.server() == node || channel.client() == node) {
        if (!silently) {
          channel.cut();
        }
      }
    }
    for (var port : List.copyOf(ports)) {
      if (port.client() == node) {
        ports.remove(port);
      } else if (port.server() == node && !silently) {
        port.cut();
      }
    }
  }

  /** A pair of rails. */
  static final class Way {
    boolean held;
    boolean silent;
  }
}
