package dev.shunt.runtime.control;

import static dev.shunt.runtime.control.TwoNodes.B;
import static dev.shunt.runtime.control.TwoNodes.ECHO;
import static dev.shunt.runtime.control.TwoNodes.SECOND;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.sim.SimProcess.Death;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Fault.Effect;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CallTest {
  private static final String NOBODY = "10.0.0.2:7999";

  @Test
  void aCallIsAnsweredWhateverTheSeed() {
    for (long seed = 0; seed < 100; seed++) {
      var nodes = new TwoNodes(seed);
      var small = nodes.call(B, "hello", SECOND);
      var large = new byte[300_000];
      IntStream.range(0, large.length).forEach(i -> large[i] = (byte) (i * 31 >> 3));
      var big = nodes.call(B, ECHO, large, 60 * SECOND);
      assertTrue(nodes.until(small, SECOND) && nodes.until(big, 60 * SECOND), "seed " + seed);
      assertEquals("hello", small.text(), "seed " + seed);
      assertArrayEquals(large, big.reply, "seed " + seed);
      assertEquals(0, nodes.a.outstanding());
    }
  }

  @Test
  void connectionsAreUsedAgain() {
    var nodes = new TwoNodes(1);
    for (int i = 0; i < 50; i++) {
      var ending = nodes.call(B, "call " + i, SECOND);
      assertTrue(nodes.until(ending, SECOND));
      assertEquals("call " + i, ending.text());
    }
    assertEquals(1, nodes.a.outboundConnections());
    nodes.world.run(61 * SECOND);
    assertEquals(0, nodes.a.outboundConnections(), "an unused one is closed after a while");
    nodes.world.run(SECOND);
    assertEquals(0, nodes.b.inboundConnections());
  }

  @Test
  void aFrozenPeerCostsTheDeadlineAndNotMore() {
    var nodes = new TwoNodes(2);
    assertTrue(nodes.until(nodes.call(B, "before", SECOND), SECOND));
    nodes.platformB.process.freeze();
    long deadline = nodes.world.now() + 2 * SECOND;
    var ending = nodes.call(B, "frozen", 2 * SECOND);
    assertTrue(nodes.until(ending, 3 * SECOND));
    assertEquals(FailureCode.UNREACHABLE, ending.code());
    assertEquals(Blame.NEUTRAL, ending.fault.blame());
    assertEquals(Effect.POSSIBLE, ending.fault.effect());
    assertTrue(ending.at >= deadline && ending.at < deadline + SECOND / 100, "" + ending.at);
    assertEquals(0, nodes.a.outboundConnections(), "what did not answer is not used again");
    nodes.platformB.process.thaw();
    nodes.world.run(SECOND);
    assertEquals(1, ending.ends, "a late answer is nobody's");
  }

  @Test
  void aPeerThatDiesInMidCallIsNotAskedTwice() {
    var nodes = new TwoNodes(3);
    nodes.b.serve(201, (request, peer, reply) -> nodes.served.add("once"));
    var ending = nodes.call(B, 201, new byte[0], 20 * SECOND);
    assertTrue(nodes.world.runUntil(() -> !nodes.served.isEmpty(), SECOND));
    nodes.platformB.process.die(Death.KILLED);
    assertTrue(nodes.until(ending, SECOND));
    assertEquals(FailureCode.CONNECTION, ending.code());
    assertEquals(Effect.POSSIBLE, ending.fault.effect());
    assertEquals(List.of("once"), nodes.served);
  }

  @Test
  void theNextAddressIsTriedWhereConnectingFails() {
    var nodes = new TwoNodes(4);
    var ending = nodes.call(List.of(NOBODY, B.get(1)), "second", 10 * SECOND);
    assertTrue(nodes.until(ending, 10 * SECOND));
    assertEquals("second", ending.text());
  }

  @Test
  void whereNoAddressAnswersEachIsTold() {
    var nodes = new TwoNodes(5);
    var ending = nodes.call(List.of(NOBODY, "10.0.1.2:7998"), "nobody", 10 * SECOND);
    assertTrue(nodes.until(ending, SECOND));
    assertEquals(FailureCode.UNREACHABLE, ending.code());
    assertEquals(Effect.NONE, ending.fault.effect());
    assertTrue(ending.fault.text().contains(NOBODY), ending.fault.text());
    assertTrue(ending.fault.text().contains("10.0.1.2:7998"), ending.fault.text());
  }

  @Test
  void theLossOfOneRailLeavesAWay() {
    for (int lost = 0; lost < 2; lost++) {
      for (var host : List.of("a", "b")) {
        var nodes = new TwoNodes(6);
        (host.equals("a") ? nodes.hostA : nodes.hostB).rail(lost).unplug();
        var ending = nodes.call(B, "by the other", 10 * SECOND);
        assertTrue(nodes.until(ending, 11 * SECOND));
        assertEquals("by the other", ending.text(), "rail " + lost + " of " + host);
        var two =
            List.of(nodes.call(B, "at once", 10 * SECOND), nodes.call(B, "at once", 10 * SECOND));
        for (var next : two) {
          assertTrue(nodes.until(next, SECOND / 10), "the way that failed is not tried first");
          assertEquals("at once", next.text());
        }
      }
    }
  }

  @Test
  void aCallGoesOutByTheRailThatIsNamed() {
    var nodes = new TwoNodes(7);
    var peers = new ArrayList<String>();
    nodes.b.serve(
        202,
        (request, peer, reply) -> {
          peers.add(peer.getAddress().getHostAddress());
          reply.send(request);
        });
    var ending = new Ending(nodes.platformA);
    nodes.a.callFrom(
        new InetSocketAddress("10.0.1.1", 0),
        B.subList(1, 2),
        202,
        new byte[0],
        nodes.world.now() + SECOND,
        ending);
    assertTrue(nodes.until(ending, SECOND));
    assertEquals(List.of("10.0.1.1"), peers);
  }

  @Test
  void aLocalAddressThatIsNotOursIsOurFault() {
    var nodes = new TwoNodes(8);
    var ending = new Ending(nodes.platformA);
    nodes.a.callFrom(
        new InetSocketAddress("10.9.9.9", 0),
        B,
        ECHO,
        new byte[0],
        nodes.world.now() + SECOND,
        ending);
    assertTrue(nodes.until(ending, SECOND));
    assertEquals(Blame.LOCAL, ending.fault.blame());
    assertEquals(FailureCode.DEVICE, ending.code());
  }

  @Test
  void aThousandCallsToADeadAddressEndInTimeAndCostAtMostFourConnectionsByEachWay() {
    var nodes = new TwoNodes(9);
    nodes.network.path("10.0.0.1", "10.0.0.2").blackhole();
    nodes.network.path("10.0.1.1", "10.0.0.2").blackhole();
    var where = List.of(B.getFirst());
    long deadline = nodes.world.now() + 3 * SECOND;
    var endings = new ArrayList<Ending>();
    for (int i = 0; i < 1000; i++) {
      endings.add(nodes.call(where, "dead", 3 * SECOND));
    }
    var most = new int[1];
    nodes.world.check(() -> most[0] = Math.max(most[0], nodes.a.outboundConnections()));
    assertTrue(nodes.world.runUntil(() -> endings.stream().allMatch(Ending::over), 4 * SECOND));
    for (var ending : endings) {
      assertEquals(1, ending.ends);
      assertTrue(ending.code() == FailureCode.UNREACHABLE || ending.code() == FailureCode.DEADLINE);
      assertEquals(Effect.NONE, ending.fault.effect());
      assertTrue(ending.at <= deadline + SECOND / 100);
    }
    assertTrue(most[0] >= 4 && most[0] <= 8, "" + most[0]);
    assertEquals(0, nodes.a.outstanding());
    assertEquals(0, nodes.a.outboundConnections());
  }

  @Test
  void whoWaitsForAWayThatFailsGoesAnother() {
    var nodes = new TwoNodes(9);
    nodes.network.path("10.0.0.1", "10.0.0.2").blackhole();
    var endings = new ArrayList<Ending>();
    for (int i = 0; i < 200; i++) {
      endings.add(nodes.call(B, "crowd", 3 * SECOND));
    }
    assertTrue(nodes.world.runUntil(() -> endings.stream().allMatch(Ending::over), 3 * SECOND));
    endings.forEach(ending -> assertEquals("crowd", ending.text()));
  }

  @Test
  void aRefusedConnectionIsNotTriedAgainForEachWhoWaits() {
    var nodes = new TwoNodes(9);
    var endings = new ArrayList<Ending>();
    for (int i = 0; i < 200; i++) {
      endings.add(nodes.call(List.of(NOBODY), "crowd", 3 * SECOND));
    }
    assertTrue(nodes.world.runUntil(() -> endings.stream().allMatch(Ending::over), SECOND / 100));
    endings.forEach(ending -> assertEquals(FailureCode.UNREACHABLE, ending.code()));
  }

  @Test
  void moreCallsThanThereMayBeAreRefusedAtOnce() {
    var nodes = new TwoNodes(10);
    nodes.platformB.process.freeze();
    for (int i = 0; i < 2000; i++) {
      nodes.call(B, "many", SECOND);
    }
    var ending = nodes.call(B, "one more", SECOND);
    assertEquals(FailureCode.BUSY, ending.code());
    nodes.world.run(2 * SECOND);
    assertEquals(0, nodes.a.outstanding());
  }

  @Test
  void aPooledConnectionThatThePeerLeftIsReplacedIfNothingWentOut() {
    var nodes = new TwoNodes(11);
    assertTrue(nodes.until(nodes.call(B, "before", SECOND), SECOND));
    nodes.platformB.process.die(Death.KILLED);
    var again = new VirtualPlatform(nodes.world, nodes.hostB, "b#2");
    var reborn = new ControlService("control", TwoNodes.options(), again);
    reborn.listen(TwoNodes.at("10.0.0.2", "10.0.1.2"));
    reborn.serve(ECHO, (request, peer, reply) -> reply.send(new byte[] {'2'}));
    again.start(reborn);
    nodes.world.run(SECOND / 10);
    var ending = nodes.call(B, "after", SECOND);
    assertTrue(nodes.until(ending, SECOND));
    assertEquals("2", ending.text());
  }

  @Test
  void aPooledConnectionThatBreaksAtTheFirstByteIsReplaced() {
    for (long seed = 0; seed < 20; seed++) {
      var nodes = new TwoNodes(seed);
      assertTrue(nodes.until(nodes.call(B.subList(0, 1), "before", SECOND), SECOND));
      nodes.network.path("10.0.0.1", "10.0.0.2").cut();
      var ending = nodes.call(B.subList(0, 1), "after", SECOND);
      assertTrue(nodes.until(ending, SECOND));
      assertEquals("after", ending.text(), "seed " + seed);
      assertEquals(List.of("before", "after"), nodes.served, "seed " + seed);
    }
  }

  @Test
  void connectionsToAllPeersTogetherHaveABoundAndIdleOnesMakeRoom() {
    var nodes = new TwoNodes(11, TwoNodes.options(2));
    var held = new ArrayList<ControlReply>();
    for (int port = 1; port <= 3; port++) {
      var other =
          new ControlService(
              "other",
              TwoNodes.options(),
              new VirtualPlatform(nodes.world, nodes.hostB, "o" + port));
      other.listen(List.of(new InetSocketAddress("10.0.0.2", 7000 + port)));
      other.serve(ECHO, (request, peer, reply) -> reply.send(request));
      other.serve(201, (request, peer, reply) -> held.add(reply));
      new VirtualPlatform(nodes.world, nodes.hostB, "o" + port).start(other);
    }
    for (int port = 1; port <= 3; port++) {
      var ending = nodes.call(List.of("10.0.0.2:700" + port), "rests", SECOND);
      assertTrue(nodes.until(ending, SECOND));
      assertEquals("rests", ending.text());
      assertTrue(nodes.a.outboundConnections() <= 2);
    }
    for (int port = 1; port <= 2; port++) {
      nodes.call(List.of("10.0.0.2:700" + port), 201, new byte[0], 5 * SECOND);
    }
    assertTrue(nodes.world.runUntil(() -> held.size() == 2, SECOND));
    var third = nodes.call(List.of("10.0.0.2:7003"), "no room", SECOND);
    assertTrue(nodes.until(third, SECOND));
    assertTrue(third.fault.text().contains("all 2 connections are in use"), third.fault.text());
    assertEquals(Blame.LOCAL, third.fault.blame());
    assertEquals(2, nodes.a.outboundConnections());
  }

  @Test
  void closingEndsAllCalls() {
    var nodes = new TwoNodes(12);
    nodes.platformB.process.freeze();
    var under = nodes.call(B, "under way", 100 * SECOND);
    nodes.world.run(SECOND);
    var queued = nodes.call(B, "queued", 100 * SECOND);
    nodes.runningA.stop(agent -> {});
    var late = nodes.call(B, "late", 100 * SECOND);
    for (var ending : List.of(under, queued, late)) {
      assertEquals(FailureCode.CLOSED, ending.code());
      assertEquals(1, ending.ends);
    }
    assertEquals(0, nodes.a.outstanding());
  }

  @Test
  void whatIsNoAddressIsTold() {
    var nodes = new TwoNodes(13);
    for (var bad :
        List.of("", "10.0.0.2", "10.0.0.2:0", "10.0.0.2:70000", "::1:80", "[10", "a b:1")) {
      var ending = nodes.call(List.of(bad), "nowhere", SECOND);
      assertTrue(nodes.until(ending, SECOND), bad);
      assertTrue(ending.fault.text().contains("is not host:port"), ending.fault.text());
    }
    var none = nodes.call(List.of(), "nowhere", SECOND);
    assertEquals(FailureCode.REJECTED, none.code());
  }

  @Test
  void aNameIsResolvedElsewhere() {
    var nodes = new TwoNodes(14);
    var ending = nodes.call(List.of("name.invalid:7000", B.getFirst()), "by name", 10 * SECOND);
    assertFalse(ending.over());
    assertTrue(nodes.until(ending, 10 * SECOND));
    assertEquals("by name", ending.text());
  }

  @Test
  void aRequestAboveTheLimitIsRefusedBeforeItIsSent() {
    var nodes = new TwoNodes(15);
    var ending = nodes.call(B, ECHO, new byte[(1 << 20) + 1], SECOND);
    assertEquals(FailureCode.REJECTED, ending.code());
    assertEquals(Blame.REQUEST, ending.fault.blame());
  }

  @Test
  void aCutInMidReplyEndsTheCallOnce() {
    for (long seed = 0; seed < 50; seed++) {
      var nodes = new TwoNodes(seed);
      nodes.b.serve(203, (request, peer, reply) -> reply.send(new byte[900_000]));
      var ending = nodes.call(B.subList(0, 1), 203, new byte[0], 20 * SECOND);
      nodes.world.run(SECOND / 1000 + seed * 10_000);
      nodes.network.path("10.0.0.1", "10.0.0.2").cut();
      assertTrue(nodes.until(ending, 21 * SECOND), "seed " + seed);
      assertEquals(1, ending.ends, "seed " + seed);
      if (ending.reply == null) {
        assertTrue(
            ending.code() == FailureCode.CONNECTION || ending.code() == FailureCode.UNREACHABLE,
            "seed " + seed + ": " + ending.text());
      } else {
        assertEquals(900_000, ending.reply.length);
      }
      assertEquals(0, nodes.a.outstanding());
    }
  }

  @Test
  void aNodeCanCallItself() {
    var nodes = new TwoNodes(16);
    nodes.a.serve(ECHO, (request, peer, reply) -> reply.send(request));
    var ending = nodes.call(List.of("10.0.0.1:7000"), "self", SECOND);
    assertTrue(nodes.until(ending, SECOND));
    assertEquals("self", ending.text());
  }
}
