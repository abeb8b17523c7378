package dev.shunt.runtime.control;

import static dev.shunt.runtime.control.TwoNodes.B;
import static dev.shunt.runtime.control.TwoNodes.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.sim.SimProcess.Death;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Fault.Effect;
import dev.shunt.runtime.control.Acquaintances.Acquaintance;
import dev.shunt.runtime.control.core.Functions;
import dev.shunt.runtime.observe.Change;
import dev.shunt.runtime.observe.Journal;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Who does not answer is not waited for twice. */
class SilentPeerTest {
  private static final List<String> FIRST = B.subList(0, 1);
  private static final long MS = 1_000_000L;

  private final FakeHealth health = new FakeHealth(5 * SECOND);
  private long wall;
  private final Journal journal = new Journal(() -> wall);
  private Duration echo = Duration.ZERO;
  private TwoNodes nodes;

  private void watched(long seed) {
    nodes = new TwoNodes(seed);
    watch(nodes);
    nodes.b.serve(Functions.PROBE, (request, peer, reply) -> reply.send(new byte[0]));
  }

  private void watch(TwoNodes pair) {
    pair.a.watch(health, journal, Duration.ofSeconds(2), echo);
  }

  private long took(Ending ending, long begun) {
    return ending.at - begun;
  }

  private Ending ended(List<String> where, long nanos) {
    var ending = nodes.call(where, "hello", nanos);
    assertTrue(nodes.until(ending, nanos + SECOND / 10));
    return ending;
  }

  @Test
  void aFrozenPeerCostsOneTimeoutAndThenNothing() {
    watched(1);
    assertEquals("hello", ended(FIRST, SECOND).text());
    nodes.platformB.process.freeze();
    var begun = nodes.world.now();
    var first = ended(FIRST, SECOND);
    assertEquals(FailureCode.UNREACHABLE, first.code());
    assertEquals(Blame.NEUTRAL, first.fault.blame(), "a silent peer says nothing of a path");
    assertEquals(Effect.POSSIBLE, first.fault.effect());
    assertTrue(took(first, begun) >= SECOND);
    for (int i = 0; i < 2; i++) {
      begun = nodes.world.now();
      var next = ended(FIRST, SECOND);
      assertEquals(FailureCode.UNREACHABLE, next.code());
      assertEquals(Effect.NONE, next.fault.effect());
      assertTrue(took(next, begun) < MS, "" + took(next, begun));
      var text = next.fault.text();
      assertTrue(text.contains("unreachable since 0.0"), text);
      assertTrue(text.contains("did not answer in time"), text);
      assertTrue(text.contains("next probe in 0.9") || text.contains("next probe in 1.0"), text);
    }
    assertEquals(1, journal.count(Change.PEER_UNREACHABLE));

    nodes.world.run(3 * SECOND);
    nodes.platformB.process.thaw();
    var thawed = nodes.world.now();
    assertTrue(nodes.world.runUntil(() -> nodes.a.unreachable(FIRST).isEmpty(), SECOND));
    assertEquals("hello", ended(FIRST, SECOND).text());
    assertTrue(nodes.world.now() - thawed <= SECOND, "usable within a second");
    assertEquals(1, journal.count(Change.PEER_REACHABLE));
    assertEquals(1, journal.count(Change.PEER_UNREACHABLE), "each change is told once");
  }

  @Test
  void aPeerThatIsNotThereFailsFastWithTheReasonAndIsFoundWhenItComes() {
    nodes = new TwoNodes(2);
    watch(nodes);
    nodes.platformB.process.die(Death.KILLED);
    var began = nodes.world.now();
    var first = ended(FIRST, 10 * SECOND);
    assertTrue(took(first, began) < SECOND / 10, "a refused connection is no timeout");
    var begun = nodes.world.now();
    var second = ended(FIRST, 10 * SECOND);
    assertTrue(took(second, begun) < MS);
    assertTrue(second.fault.text().contains("refused"), second.fault.text());

    nodes.world.run(2 * SECOND);
    var again = new VirtualPlatform(nodes.world, nodes.hostB, "b#2");
    var reborn = new ControlService("control", TwoNodes.options(), again);
    reborn.listen(TwoNodes.at("10.0.0.2", "10.0.1.2"));
    reborn.serve(TwoNodes.ECHO, (request, peer, reply) -> reply.send(request));
    again.start(reborn);
    assertTrue(
        nodes.world.runUntil(() -> nodes.a.unreachable(FIRST).isEmpty(), SECOND + 10 * MS),
        health.told.toString());
    assertEquals("hello", ended(FIRST, SECOND).text());
  }

  @Test
  void packetsThatAreDroppedAreNoDifferentFromAFrozenPeer() {
    watched(3);
    for (var way : List.of("10.0.0.1", "10.0.1.1")) {
      nodes.network.path(way, "10.0.0.2").blackhole();
    }
    var first = ended(FIRST, SECOND);
    assertEquals(FailureCode.UNREACHABLE, first.code());
    var begun = nodes.world.now();
    assertEquals(FailureCode.UNREACHABLE, ended(FIRST, SECOND).code());
    assertTrue(nodes.world.now() - begun < MS);
    nodes.world.run(10 * SECOND);
    nodes.network.path("10.0.0.1", "10.0.0.2").heal();
    assertTrue(nodes.world.runUntil(() -> nodes.a.unreachable(FIRST).isEmpty(), SECOND + 10 * MS));
  }

  @Test
  void aPeerIsCalledByThoseOfItsAddressesThatAnswer() {
    watched(4);
    for (var way : List.of("10.0.0.1", "10.0.1.1")) {
      nodes.network.path(way, "10.0.0.2").blackhole();
    }
    assertEquals("hello", ended(B, 4 * SECOND).text());
    assertTrue(nodes.a.unreachable(FIRST).isPresent(), "the first address is marked");
    assertTrue(nodes.a.unreachable(B).isEmpty(), "the peer is not");
    assertEquals(0, journal.count(Change.PEER_UNREACHABLE) - 1, "an address that nobody met");
    var begun = nodes.world.now();
    assertEquals("hello", ended(B, 4 * SECOND).text());
    assertTrue(nodes.world.now() - begun < SECOND / 10, "the marked one is not tried");
  }

  private void onlyAcross() {
    nodes.network.path("10.0.0.1", "10.0.0.2").blackhole();
    nodes.network.path("10.0.1.1", "10.0.1.2").blackhole();
  }

  @Test
  void aPeerIsCalledFromTheRailWhoseProbeItAnswered() {
    watched(20);
    assertEquals("hello", ended(B, 3 * SECOND).text());
    onlyAcross();
    ended(B, 3 * SECOND);
    nodes.world.run(SECOND / 10);
    for (int i = 0; i < 20; i++) {
      var begun = nodes.world.now();
      assertEquals("hello", ended(B, 3 * SECOND).text(), "call " + i);
      assertTrue(nodes.world.now() - begun < SECOND / 10, "call " + i);
      // Longer than a connection rests, in part: then it is made anew, by the same way.
      nodes.world.run((i % 2 == 0 ? 1 : 30) * SECOND);
    }
    assertTrue(health.told.size() <= 2, health.told.toString());
  }

  @Test
  void theWayThatAnsweredIsTakenAlsoWhereItFailedBefore() {
    watched(22);
    assertEquals("hello", ended(FIRST, 3 * SECOND).text());
    onlyAcross();
    ended(FIRST, 3 * SECOND);
    nodes.world.run(SECOND / 10);
    assertEquals("hello", ended(FIRST, 3 * SECOND).text());
    nodes.world.run(15 * SECOND);
    nodes.network.path("10.0.1.1", "10.0.0.2").blackhole();
    assertEquals(FailureCode.UNREACHABLE, ended(FIRST, SECOND).code());
    nodes.network.path("10.0.1.1", "10.0.0.2").heal();
    assertTrue(nodes.world.runUntil(() -> nodes.a.unreachable(FIRST).isEmpty(), 2 * SECOND));
    var begun = nodes.world.now();
    assertEquals("hello", ended(FIRST, 3 * SECOND).text());
    assertTrue(nodes.world.now() - begun < SECOND / 10, "not by the way that is known to be shut");
  }

  @Test
  void aPeerThatAnswersByAllWaysIsCalledAsEver() {
    watched(21);
    nodes.platformB.process.freeze();
    ended(B, 3 * SECOND);
    nodes.world.run(5 * SECOND);
    nodes.platformB.process.thaw();
    nodes.world.run(30 * SECOND);
    nodes.network.path("10.0.1.1", "10.0.0.2").blackhole();
    var begun = nodes.world.now();
    assertEquals("hello", ended(FIRST, 3 * SECOND).text());
    assertTrue(nodes.world.now() - begun < SECOND / 10, "from our first rail to its first address");
  }

  @Test
  void aPeerThatWasMetIsToldOfOnceItIsSilentByAllOfItsAddresses() {
    watched(5);
    nodes.a.acquaintances().met(new Acquaintance("b", 77, B));
    nodes.platformB.process.freeze();
    assertEquals(FailureCode.UNREACHABLE, ended(FIRST, SECOND).code());
    assertEquals(0, journal.count(Change.PEER_UNREACHABLE));
    assertEquals(FailureCode.UNREACHABLE, ended(B.subList(1, 2), SECOND).code());
    assertEquals(1, journal.count(Change.PEER_UNREACHABLE));
    assertTrue(health.told.contains("silent " + B.getFirst() + " 77"), health.told.toString());
    nodes.platformB.process.thaw();
    assertTrue(nodes.world.runUntil(() -> nodes.a.unreachable(B).isEmpty(), SECOND));
    nodes.world.run(2 * SECOND);
    assertEquals(1, journal.count(Change.PEER_REACHABLE));
  }

  @Test
  void aCrowdThatWaitsIsAnsweredWhenTheFirstTimeoutIsPaid() {
    watched(6);
    nodes.platformB.process.freeze();
    var first = nodes.call(FIRST, "first", SECOND);
    nodes.world.run(SECOND / 2);
    var crowd = new ArrayList<Ending>();
    IntStream.range(0, 1900).forEach(i -> crowd.add(nodes.call(FIRST, "crowd", 100 * SECOND)));
    assertTrue(nodes.until(first, SECOND));
    nodes.world.run(MS);
    long over = crowd.stream().filter(Ending::over).count();
    assertTrue(over >= 1900 - 8, over + " of 1900: only what is on a connection waits on");
    crowd.stream()
        .filter(Ending::over)
        .forEach(ending -> assertEquals(FailureCode.UNREACHABLE, ending.code()));
  }

  @Test
  void whereAllCallsAreTakenAnUnreachablePeerIsStillToldFromABusyNode() {
    watched(7);
    nodes.platformB.process.freeze();
    ended(FIRST, SECOND);
    for (int i = 0; i < 2000; i++) {
      nodes.call(B.subList(1, 2), "others", 100 * SECOND);
    }
    assertEquals(FailureCode.UNREACHABLE, nodes.call(FIRST, "one more", SECOND).code());
    assertEquals(FailureCode.BUSY, nodes.call(B.subList(1, 2), "one more", SECOND).code());
  }

  @Test
  void whoHasNoPatienceMarksNobody() {
    watched(8);
    nodes.b.serve(201, (request, peer, reply) -> {});
    var ending = nodes.call(FIRST, 201, new byte[0], 50 * MS);
    assertTrue(nodes.until(ending, SECOND));
    assertEquals(FailureCode.UNREACHABLE, ending.code());
    assertEquals(List.of(), health.told);
    assertEquals("hello", ended(FIRST, SECOND).text());
  }

  @Test
  void aRefusalIsAnAnswer() {
    watched(9);
    nodes.b.serve(201, (request, peer, reply) -> reply.fail(FailureCode.BUSY, "not now"));
    nodes.platformB.process.freeze();
    ended(FIRST, SECOND);
    nodes.platformB.process.thaw();
    assertTrue(nodes.world.runUntil(() -> nodes.a.unreachable(FIRST).isEmpty(), SECOND));
    var refused = nodes.call(FIRST, 201, new byte[0], SECOND);
    assertTrue(nodes.until(refused, SECOND));
    assertEquals(FailureCode.BUSY, refused.code());
    assertTrue(nodes.a.unreachable(FIRST).isEmpty());
  }

  @Test
  void aFreezeOfOnesOwnIsBlamedOnNobody() {
    watched(10);
    nodes.b.serve(201, (request, peer, reply) -> {});
    ended(FIRST, SECOND);
    var before = nodes.call(FIRST, 201, new byte[0], SECOND);
    nodes.world.run(SECOND / 2);
    nodes.platformA.process.freeze();
    nodes.world.run(10 * SECOND);
    nodes.platformA.process.thaw();
    assertTrue(nodes.until(before, SECOND));
    assertEquals(FailureCode.DEADLINE, before.code());
    assertEquals(Blame.NEUTRAL, before.fault.blame());
    assertTrue(before.fault.text().contains("stood still"), before.fault.text());
    assertEquals(1, health.told.size(), health.told.toString());
    assertTrue(health.told.getFirst().startsWith("stood still 9"), health.told.toString());
    assertEquals(1, journal.count(Change.NODE_STOOD_STILL));
    assertEquals("hello", ended(FIRST, SECOND).text());
    assertEquals(0, journal.count(Change.PEER_UNREACHABLE));
  }

  @Test
  void whoIsForgivenHasNotAnswered() {
    watched(18);
    health.forgiving = true;
    nodes.platformB.process.freeze();
    ended(FIRST, SECOND);
    assertEquals(1, journal.count(Change.PEER_UNREACHABLE));
    nodes.platformA.process.freeze();
    nodes.world.run(10 * SECOND);
    nodes.platformA.process.thaw();
    assertTrue(nodes.world.runUntil(() -> nodes.a.unreachable(FIRST).isEmpty(), SECOND));
    assertEquals(1, journal.count(Change.NODE_STOOD_STILL));
    assertEquals(0, journal.count(Change.PEER_REACHABLE), "it said nothing");
    ended(FIRST, SECOND);
    assertTrue(nodes.a.unreachable(FIRST).isPresent());
    assertEquals(1, journal.count(Change.PEER_UNREACHABLE), "that is no news");
    nodes.platformB.process.thaw();
    assertTrue(nodes.world.runUntil(() -> nodes.a.unreachable(FIRST).isEmpty(), SECOND));
    assertEquals(1, journal.count(Change.PEER_REACHABLE));
  }

  @Test
  void whoAnswersAfterItWasForgivenIsReachableAgain() {
    watched(19);
    health.forgiving = true;
    nodes.platformB.process.freeze();
    ended(FIRST, SECOND);
    nodes.platformA.process.freeze();
    nodes.world.run(10 * SECOND);
    nodes.platformB.process.thaw();
    nodes.platformA.process.thaw();
    assertEquals("hello", ended(FIRST, SECOND).text());
    assertEquals(1, journal.count(Change.PEER_UNREACHABLE));
    assertEquals(1, journal.count(Change.PEER_REACHABLE));
  }

  @Test
  void aJumpOfTheWallClockIsNotNoticed() {
    for (long hour : new long[] {3_600_000, -3_600_000}) {
      watched(17);
      health.answered(FIRST.getFirst(), 0);
      health.told.clear();
      nodes.platformB.process.freeze();
      var begun = nodes.world.now();
      var call = nodes.call(FIRST, "hello", SECOND);
      nodes.world.run(SECOND / 2);
      wall += hour;
      assertTrue(nodes.until(call, SECOND));
      assertTrue(took(call, begun) >= SECOND && took(call, begun) < SECOND + 10 * MS);
      assertEquals(1, health.told.size(), health.told.toString());
      wall -= hour;
      var text = ended(FIRST, SECOND).fault.text();
      assertTrue(text.contains("unreachable since 0.0"), text);
      nodes.platformB.process.thaw();
      assertTrue(nodes.world.runUntil(() -> nodes.a.unreachable(FIRST).isEmpty(), SECOND));
      assertTrue(health.told.stream().noneMatch(it -> it.startsWith("stood")));
    }
  }

  @Test
  void restIsNoFreeze() {
    watched(11);
    assertEquals("hello", ended(FIRST, SECOND).text());
    nodes.world.run(600 * SECOND);
    assertEquals("hello", ended(FIRST, SECOND).text());
    assertEquals(List.of(), health.told);
  }

  @Test
  void aHundredFrozenPeersAreEachProbedEverySecond() {
    nodes = new TwoNodes(12, TwoNodes.options(1000));
    watch(nodes);
    var probes = new TreeMap<Integer, List<Long>>();
    var peers = new ArrayList<VirtualPlatform>();
    var hosts = new ArrayList<String>();
    for (int i = 0; i < 100; i++) {
      var platform = new VirtualPlatform(nodes.world, nodes.hostB, "p" + i);
      var service = new ControlService("control", TwoNodes.options(), platform);
      service.listen(List.of(new InetSocketAddress("10.0.0.2", 8000 + i)));
      int number = i;
      service.serve(
          Functions.PROBE,
          (request, peer, reply) -> {
            probes.computeIfAbsent(number, n -> new ArrayList<>()).add(nodes.world.now());
            reply.send(new byte[0]);
          });
      platform.start(service);
      platform.process.freeze();
      peers.add(platform);
      hosts.add("10.0.0.2:" + (8000 + i));
    }
    for (var host : hosts) {
      nodes.call(List.of(host), "hello", SECOND);
    }
    nodes.world.run(2 * SECOND);
    assertEquals(100, health.unreachable(0).size());
    var most = new int[1];
    nodes.world.check(() -> most[0] = Math.max(most[0], nodes.a.probesUnderWay()));
    for (int second = 0; second < 20; second++) {
      health.told.clear();
      nodes.world.run(SECOND);
      int count = second;
      for (var host : hosts) {
        assertTrue(
            count < 3 || health.told.contains("unanswered " + host),
            host + " was not probed in second " + count);
      }
    }
    assertTrue(most[0] <= Prober.MOST, "" + most[0]);
    peers.forEach(platform -> platform.process.thaw());
    assertTrue(nodes.world.runUntil(() -> health.unreachable(0).isEmpty(), SECOND));
    assertEquals(100, probes.size());
  }

  @Test
  void aConnectionThatIsCutHasItsPeerAskedAtOnce() {
    watched(13);
    nodes.b.serve(201, (request, peer, reply) -> {});
    var under = nodes.call(FIRST, 201, new byte[0], 20 * SECOND);
    nodes.world.run(SECOND / 10);
    nodes.network.path("10.0.0.1", "10.0.0.2").cut();
    assertTrue(nodes.until(under, SECOND));
    assertEquals(FailureCode.CONNECTION, under.code());
    assertEquals("hello", ended(FIRST, SECOND).text(), "it is there: nobody is marked");
    assertEquals(List.of(), health.told);

    var next = nodes.call(FIRST, 201, new byte[0], 20 * SECOND);
    nodes.world.run(SECOND / 10);
    nodes.platformB.process.die(Death.KILLED);
    assertTrue(nodes.until(next, SECOND));
    assertTrue(nodes.world.runUntil(() -> nodes.a.unreachable(FIRST).isPresent(), SECOND / 10));
  }

  @Test
  void whereEchoesAreWantedASilentPeerIsKnownBeforeAnybodyCalls() {
    echo = Duration.ofSeconds(3);
    watched(15);
    nodes.a.acquaintances().met(new Acquaintance("b", 77, FIRST));
    var probes = new int[1];
    nodes.b.serve(
        Functions.PROBE,
        (request, peer, reply) -> {
          probes[0]++;
          reply.send(new byte[0]);
        });
    nodes.world.run(10 * SECOND);
    assertTrue(probes[0] >= 2 && probes[0] <= 4, probes[0] + " in ten seconds");
    assertEquals(List.of(), health.told);
    nodes.platformB.process.freeze();
    nodes.world.run(6 * SECOND);
    var begun = nodes.world.now();
    assertEquals(FailureCode.UNREACHABLE, ended(FIRST, SECOND).code());
    assertTrue(nodes.world.now() - begun < MS, "nobody pays");
  }

  @Test
  void withoutAWishForEchoesNobodyIsAsked() {
    watched(16);
    nodes.a.acquaintances().met(new Acquaintance("b", 77, FIRST));
    nodes.b.serve(Functions.PROBE, (request, peer, reply) -> health.told.add("asked"));
    nodes.world.run(100 * SECOND);
    assertEquals(List.of(), health.told);
  }

  @Test
  void closingEndsTheProbes() {
    watched(14);
    nodes.platformB.process.freeze();
    ended(FIRST, SECOND);
    nodes.world.run(2 * SECOND);
    assertTrue(nodes.a.probesUnderWay() > 0);
    nodes.runningA.stop(agent -> {});
    assertEquals(0, nodes.a.probesUnderWay());
    assertFalse(nodes.a.unreachable(FIRST).isEmpty());
  }
}
