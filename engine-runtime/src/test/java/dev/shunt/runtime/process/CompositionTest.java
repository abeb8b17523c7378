package dev.shunt.runtime.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Access;
import dev.shunt.api.Batch;
import dev.shunt.api.Delivery;
import dev.shunt.api.Engine;
import dev.shunt.api.Notification;
import dev.shunt.api.Request;
import dev.shunt.runtime.sim.Pairs;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Two nodes, on either of which policies and capabilities are on or off, transfer and notify
 * rightly, both ways. Nodes of the same settings are the same.
 */
class CompositionTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final int SIZE = 200_000;

  /** What is switched, away from what a node has if nothing is said. */
  private static final List<String> SWITCHES =
      List.of(
          "plugins.exclude=[failover]",
          "peer-health.enable=false",
          "control.extension=false",
          "capabilities.\"control.error_reply\"=off",
          "capabilities.\"control.fence\"=off",
          "capabilities.\"link.echo\"=off",
          "capabilities.\"tcp.stream\"=off",
          "capabilities.\"tcp.crc32c\"=on",
          "failover.unfenced=fail",
          "control.echo-interval=100ms");

  private final Map<List<String>, Node> nodes = new HashMap<>();
  private int seed;

  /** An engine that others may write to and read from. */
  private record Node(Engine engine, MemorySegment memory, MemorySegment own) {}

  @AfterEach
  void close() {
    nodes.values().forEach(node -> node.engine.close());
  }

  private Node open(String side, List<String> settings) {
    var key = new ArrayList<>(settings);
    key.add(side);
    return nodes.computeIfAbsent(
        key,
        _ -> {
          var engine = Settings.open(settings);
          var memory = engine.arena().allocate(SIZE, 4096);
          var own = engine.arena().allocate(SIZE, 4096);
          engine.register(memory, Access.REMOTE_READ_WRITE);
          engine.register(own, Access.LOCAL);
          return new Node(engine, memory, own);
        });
  }

  private void meet(List<String> one, List<String> other) throws InterruptedException {
    var a = open("a", one);
    var b = open("b", other);
    try {
      visit(a, b);
      visit(b, a);
    } catch (RuntimeException | AssertionError failed) {
      throw new AssertionError(one + " and " + other, failed);
    }
  }

  private void visit(Node from, Node to) throws InterruptedException {
    var segment = from.engine.openSegment(to.engine.name(), SOON);
    LoneNode.fill(from.own, ++seed);
    var there = to.memory.address();
    var write =
        Batch.of(Request.write(from.own, segment, there))
            .thenNotify(new Notification("written", "" + seed));
    from.engine.submit(write.within(SOON)).await(SOON).orThrow();
    assertEquals(-1, from.own.mismatch(to.memory), "what was written");
    arrives(to, "written");

    LoneNode.fill(to.memory, ++seed);
    var read = Batch.of(Request.read(from.own, segment, there));
    from.engine.submit(read.within(SOON)).await(SOON).orThrow();
    assertEquals(-1, from.own.mismatch(to.memory), "what was read");

    var sent = from.engine.send(segment, new Notification("alone", "" + seed), SOON);
    assertEquals(new Delivery.Delivered(), sent.await(SOON));
    arrives(to, "alone");
    assertTrue(to.engine.inbox().receive(Duration.ZERO).isEmpty(), "something came twice");
  }

  private void arrives(Node to, String name) throws InterruptedException {
    var received = to.engine.inbox().receive(SOON).orElseThrow().notification();
    assertEquals(new Notification(name, "" + seed), received);
  }

  private static List<String> chosen(int[] row, int from) {
    var settings = new ArrayList<String>();
    for (int i = 0; i < SWITCHES.size(); i++) {
      if (row[from + i] == 1) {
        settings.add(SWITCHES.get(i));
      }
    }
    return settings;
  }

  @Test
  void noneAllAndEachAloneOnEitherSide() throws InterruptedException {
    var none = List.<String>of();
    meet(none, none);
    meet(SWITCHES, SWITCHES);
    meet(SWITCHES, none);
    meet(none, SWITCHES);
    for (var each : SWITCHES) {
      meet(List.of(each), none);
      meet(none, List.of(each));
      meet(List.of(each), List.of(each));
    }
  }

  @Test
  void anyTwoOfAllThatMayBeOtherwiseOnEitherSide() throws InterruptedException {
    var levels = new int[2 * SWITCHES.size()];
    Arrays.fill(levels, 2);
    for (var row : Pairs.of(levels)) {
      meet(chosen(row, 0), chosen(row, SWITCHES.size()));
    }
  }
}
