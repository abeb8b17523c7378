package dev.shunt.transport.rdma.testing;

import dev.shunt.api.sim.Dice;
import dev.shunt.api.sim.SimProcess;
import dev.shunt.api.sim.World;
import dev.shunt.transport.rdma.verbs.Gid;
import dev.shunt.transport.rdma.verbs.Verbs;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** NICs, and the paths between each two of them. */
public final class SoftFabric {
  private final World world;
  private final Dice dice;
  private final List<SoftNic> nics = new ArrayList<>();
  private final Map<Long, SoftPath> paths = new LinkedHashMap<>();
  private final ArrayDeque<SoftPacket> packets = new ArrayDeque<>();
  private int keys;
  private long latency = 5_000;

  /** A fabric of a world. */
  public SoftFabric(World world) {
    this.world = world;
    dice = world.dice("rdma");
  }

  /** Adds a NIC with one port. Each has a GID of its own, of the network 192.0.2.0/24 at first. */
  public SoftNic nic(String name) {
    var gid = new Gid(0, 0xffff_c000_0200L + nics.size() + 1);
    var nic = new SoftNic(this, name, nics.size(), gid);
    nics.add(nic);
    return nic;
  }

  /** All NICs. */
  public List<SoftNic> nics() {
    return nics;
  }

  /** What a process sees of the NICs of its machine. */
  public Verbs verbs(SimProcess process, SoftNic... machine) {
    return new SoftVerbs(this, process, List.of(machine));
  }

  /** The way from one NIC to another. */
  public SoftPath path(SoftNic from, SoftNic to) {
    long key = (long) from.number() << 32 | to.number();
    return paths.computeIfAbsent(key, k -> new SoftPath(this, from, to, latency));
  }

  /** All paths that were ever used, in the order of their first use. */
  public List<SoftPath> paths() {
    return List.copyOf(paths.values());
  }

  /** How long a packet takes at least; as much again is left to chance. For paths to come. */
  public SoftFabric latency(long nanos) {
    latency = nanos;
    return this;
  }

  /** Ends all connections between two NICs, at once and for both sides; new ones may come. */
  public void cut(SoftNic one, SoftNic other) {
    for (var qp : one.all()) {
      if (qp.peer() != null && other.has(qp.peer().gid())) {
        qp.cut();
      }
    }
    for (var qp : other.all()) {
      if (qp.peer() != null && one.has(qp.peer().gid())) {
        qp.cut();
      }
    }
  }

  World world() {
    return world;
  }

  Dice dice() {
    return dice;
  }

  SoftNic byGid(Gid gid) {
    for (int i = 0; i < nics.size(); i++) {
      if (nics.get(i).has(gid)) {
        return nics.get(i);
      }
    }
    return null;
  }

  /** A key that no other registration ever had. */
  int key() {
    keys += 1 + (int) dice.below(1000);
    return keys;
  }

  SoftPacket packet() {
    var packet = packets.poll();
    return packet != null ? packet : new SoftPacket(this);
  }

  void recycle(SoftPacket packet) {
    packets.push(packet);
  }
}
