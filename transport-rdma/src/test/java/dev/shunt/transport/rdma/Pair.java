package dev.shunt.transport.rdma;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Access;
import dev.shunt.api.sim.SimProcess;
import dev.shunt.api.sim.World;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LinkId;
import dev.shunt.transport.rdma.testing.SoftFabric;
import dev.shunt.transport.rdma.testing.SoftNic;
import dev.shunt.transport.rdma.testing.TestMemory;
import dev.shunt.transport.rdma.testing.TestNode;
import dev.shunt.transport.rdma.testing.TestSlice;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** Two nodes with two NICs each on a software fabric. */
final class Pair {
  static final long MILLI = 1_000_000;
  static final long SECOND = 1_000 * MILLI;
  static final int MEMORY = 256 << 10;

  final World world;
  final SoftFabric fabric;
  final SoftNic[] nicsA;
  final SoftNic[] nicsB;
  final Map<String, TestNode> directory = new HashMap<>();
  final SimProcess processA;
  SimProcess processB;
  final TestNode a;
  TestNode b;
  final TestMemory from;
  TestMemory to;
  private boolean aIsGone;

  Pair(Map<String, ?> settings) {
    this(7, settings);
  }

  Pair(long seed, Map<String, ?> settings) {
    world = new World(seed);
    fabric = new SoftFabric(world);
    nicsA = new SoftNic[] {fabric.nic("mlx5_0"), fabric.nic("mlx5_1")};
    nicsB = new SoftNic[] {fabric.nic("mlx5_2"), fabric.nic("mlx5_3")};
    processA = world.process("a");
    a = new TestNode("a", 0xa1, fabric.verbs(processA, nicsA), world::now, directory, settings);
    processB = world.process("b");
    b = new TestNode("b", 0xb1, fabric.verbs(processB, nicsB), world::now, directory, settings);
    from = memory(a, Access.LOCAL, 1);
    to = memory(b, Access.REMOTE_READ_WRITE, 2);
  }

  Pair() {
    this(Map.of());
  }

  static TestMemory memory(TestNode node, Access access, int seed) {
    var memory = Arena.ofAuto().allocate(MEMORY, 4096);
    for (int i = 0; i < MEMORY; i++) {
      memory.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 31 + seed));
    }
    return node.register(memory, access);
  }

  /** The first node's process is killed: it does nothing more, and tells nobody. */
  void killA() {
    aIsGone = true;
    processA.die(SimProcess.Death.KILLED);
  }

  /** Lets time pass until something holds. */
  boolean until(long nanos, BooleanSupplier condition) {
    long end = world.now() + nanos;
    while (!condition.getAsBoolean()) {
      if ((aIsGone ? 0 : a.turn()) + b.turn() == 0) {
        if (world.now() >= end) {
          return false;
        }
        step(Math.min(end, Math.min(aIsGone ? end : a.next(), b.next())));
      }
    }
    return true;
  }

  /** The fabric's next event, or whatever the nodes wait for. */
  private void step(long next) {
    long from = world.now();
    boolean came = world.runUntil(() -> world.now() != from, Math.max(1, next - from));
    if (!came && world.now() == from) {
      world.run(1);
    }
  }

  void await(String what, BooleanSupplier condition) {
    assertTrue(until(60 * SECOND, condition), what);
  }

  void run(long nanos) {
    until(nanos, () -> false);
  }

  LinkId up() {
    return up(a.connect(b, 0, 0, 5 * SECOND));
  }

  LinkId up(LinkId link) {
    await("an answer", () -> a.channels.containsKey(link) || a.refusals.containsKey(link));
    assertNotNull(a.channels.get(link), () -> "a channel, not " + a.refusals.get(link));
    return link;
  }

  Fault refused(LinkId link) {
    await("an answer", () -> a.channels.containsKey(link) || a.refusals.containsKey(link));
    assertNotNull(a.refusals.get(link), "a refusal");
    return a.refusals.get(link);
  }

  Fault down(LinkId link) {
    await("the end of the channel", () -> a.downs.containsKey(link));
    return a.downs.get(link);
  }

  Fault report(TestSlice slice) {
    await("a report", () -> a.reports.containsKey(slice));
    return a.reports.get(slice);
  }

  /** A write that arrives. */
  void carry(LinkId link) {
    var slice = a.post(link, true, from, to, 0, 50_000);
    var fault = report(slice);
    assertTrue(fault == null, () -> "completed, not " + fault);
    assertTrue(
        from.memory().asSlice(0, 50_000).mismatch(to.memory().asSlice(0, 50_000)) < 0,
        "the bytes arrived");
  }

  /** A read that brings what is there. */
  void fetch(LinkId link) {
    to.memory().fill((byte) world.now());
    var slice = a.post(link, false, from, to, 0, 50_000);
    var fault = report(slice);
    assertTrue(fault == null, () -> "completed, not " + fault);
    assertTrue(
        from.memory().asSlice(0, 50_000).mismatch(to.memory().asSlice(0, 50_000)) < 0,
        "the bytes arrived");
  }

  /** QPs on all NICs of a node. */
  static int qps(SoftNic[] nics) {
    int sum = 0;
    for (var nic : nics) {
      sum += nic.qps();
    }
    return sum;
  }
}
