package dev.shunt.transport.rdma;

import static dev.shunt.transport.rdma.Pair.MILLI;
import static dev.shunt.transport.rdma.Pair.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.RetireReason;
import dev.shunt.api.spi.Verdict;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Many connections at once, and more than there is room for. */
class CrowdTest {
  private static final int CROWD = 800;

  @Test
  void eightHundredHandshakesAtOnceAreAllMade() {
    for (var verdict : List.of(Verdict.PLAIN, new Verdict(Map.of(Connector.READY_ACK, 1)))) {
      var pair = new Pair(Map.of("endpoint.num-qps", 1));
      pair.a.verdict = verdict;
      // As in an engine: few calls may block at a time, and each does for a while.
      pair.a.attempts.delay = 2 * MILLI;
      pair.b.attempts.delay = 3 * MILLI;
      var links = new ArrayList<LinkId>();
      for (int i = 0; i < CROWD; i++) {
        links.add(pair.a.connect(pair.b, i % 2, i / 2 % 2, 30 * SECOND));
      }
      links.forEach(pair::up);
      assertEquals(CROWD, Pair.qps(pair.nicsA));
      assertEquals(CROWD, Pair.qps(pair.nicsB));
      links.stream().skip(CROWD - 8).forEach(pair::carry);
    }
  }

  @Test
  void repliesThatComeAfterLaterAttemptsBeganLeaveOneLiveEndpointForEachPath() {
    long seed = System.nanoTime();
    var random = new Random(seed);
    for (var verdict : List.of(Verdict.PLAIN, new Verdict(Map.of(Connector.READY_ACK, 1)))) {
      var pair = new Pair(Map.of("endpoint.num-qps", 1));
      pair.a.verdict = verdict;
      pair.b.dropLate = false;
      pair.a.attempts.delay = MILLI;
      pair.b.attempts.delay = MILLI;
      pair.b.answers =
          answer -> {
            // Every fourth answer comes after its asker has given up and asked anew.
            pair.b.replyDelay = random.nextInt(4) > 0 ? 0 : (100 + random.nextInt(3000)) * MILLI;
            return answer;
          };
      var live = stubborn(pair, seed);
      pair.run(60 * SECOND);
      assertEquals(CROWD, live.size(), "seed " + seed);
      assertEquals(CROWD, new HashSet<>(live.values()).size());
      assertEquals(CROWD, pair.a.channels.size() - pair.a.downs.size(), "seed " + seed);
      assertEquals(CROWD, Pair.qps(pair.nicsA), "seed " + seed + ": QPs here");
      assertEquals(CROWD, Pair.qps(pair.nicsB), "seed " + seed + ": QPs there");
      assertEquals(Map.of(), pair.a.downs);
      live.values().stream().limit(8).forEach(pair::carry);
    }
  }

  /** Each of the crowd asks again until it has a channel. */
  private static Map<Integer, LinkId> stubborn(Pair pair, long seed) {
    var asked = new LinkedHashMap<Integer, LinkId>();
    for (int i = 0; i < CROWD; i++) {
      asked.put(i, pair.a.connect(pair.b, i % 2, i / 2 % 2, 200 * MILLI));
    }
    for (int round = 0; round < 60; round++) {
      pair.run(100 * MILLI);
      for (var entry : asked.entrySet()) {
        int i = entry.getKey();
        if (pair.a.refusals.containsKey(entry.getValue())) {
          entry.setValue(pair.a.connect(pair.b, i % 2, i / 2 % 2, 200 * MILLI));
        }
      }
    }
    for (var link : asked.values()) {
      assertTrue(pair.a.channels.containsKey(link), "seed " + seed + ": " + link);
    }
    return asked;
  }

  @Test
  void whoWaitsForItsTurnIsAnsweredByItsDeadline() {
    var pair = new Pair();
    pair.a.attempts.delay = 10 * SECOND;
    var links = new ArrayList<LinkId>();
    for (int i = 0; i < 40; i++) {
      links.add(pair.a.connect(pair.b, 0, 0, SECOND));
    }
    pair.run(SECOND + MILLI);
    for (var link : links) {
      assertTrue(pair.a.refusals.containsKey(link), link.toString());
    }
    pair.run(20 * SECOND);
    assertEquals(0, Pair.qps(pair.nicsA));
    assertEquals(0, Pair.qps(pair.nicsB));
    pair.a.attempts.delay = 0;
    pair.carry(pair.up());
  }

  @Test
  void theConnectionThatWasIdleForTheLongestMakesRoom() {
    var pair = new Pair(Map.of("endpoint.endpoint-store-cap", 3));
    var first = pair.up();
    var second = pair.up(pair.a.connect(pair.b, 0, 1, SECOND));
    var third = pair.up();
    pair.run(50 * MILLI);
    pair.carry(first);
    pair.run(50 * MILLI);
    var fourth = pair.up(pair.a.connect(pair.b, 0, 1, SECOND));
    assertEquals(FailureCode.CONNECTION, pair.down(second).code());
    assertEquals(Fault.Blame.NEUTRAL, pair.down(second).blame());
    assertEquals(1, pair.a.downs.size());
    assertEquals(6, pair.nicsA[0].qps());
    for (var link : List.of(first, third, fourth)) {
      pair.carry(link);
    }
  }

  @Test
  void noMoreThanTheBoundIsThereAtAnyTime() {
    var pair = new Pair(Map.of("endpoint.endpoint-store-cap", 4, "endpoint.num-qps", 1));
    var links = new ArrayList<LinkId>();
    for (int i = 0; i < 60; i++) {
      links.add(pair.a.connect(pair.b, 0, i % 2, 20 * SECOND));
    }
    int most = 0;
    for (int i = 0; i < 3000; i++) {
      pair.run(MILLI);
      most = Math.max(most, pair.nicsA[0].qps());
    }
    assertEquals(4, most);
    for (var link : links) {
      assertTrue(pair.a.channels.containsKey(link), "each had its turn");
    }
    assertEquals(56, pair.a.downs.size());
  }

  @Test
  void whatIsInUseIsNotEvicted() {
    var pair = new Pair(Map.of("endpoint.endpoint-store-cap", 1));
    var link = pair.up();
    pair.run(SECOND);
    pair.fabric.path(pair.nicsA[0], pair.nicsB[0]).hold();
    var slice = pair.a.post(link, true, pair.from, pair.to, 0, 50_000);
    pair.run(100 * MILLI);
    var fault = pair.refused(pair.a.connect(pair.b, 0, 1, 200 * MILLI));
    assertEquals(FailureCode.RESOURCE, fault.code());
    assertEquals(Fault.Blame.LOCAL, fault.blame());
    pair.fabric.path(pair.nicsA[0], pair.nicsB[0]).release();
    assertEquals(null, pair.report(slice));
    assertFalse(pair.a.downs.containsKey(link));
  }

  @Test
  void anotherRailsEndpointsAreLeftAlone() {
    var pair = new Pair(Map.of("endpoint.endpoint-store-cap", 1));
    var other = pair.up(pair.a.connect(pair.b, 1, 1, SECOND));
    var link = pair.up();
    pair.run(SECOND);
    pair.up();
    pair.down(link);
    pair.carry(other);
  }

  @Test
  void whatEndsMakesRoomWithoutEviction() {
    var pair = new Pair(Map.of("endpoint.endpoint-store-cap", 1));
    var link = pair.up();
    pair.fabric.path(pair.nicsA[0], pair.nicsB[0]).hold();
    pair.a.post(link, true, pair.from, pair.to, 0, 100);
    pair.a.channels.get(link).retire(RetireReason.STALLED, pair.world.now());
    pair.fabric.path(pair.nicsA[0], pair.nicsB[0]).heal();
    pair.carry(pair.up());
  }

  @Test
  void aNewerProcessOfANodeTakesThePlaceOfAllThatTheOlderOneHad() throws Exception {
    var pair = new Pair();
    var links = new ArrayList<LinkId>();
    for (int i = 0; i < 5; i++) {
      links.add(pair.up());
    }
    assertEquals(10, Pair.qps(pair.nicsB));
    var question =
        new String(
                dev.shunt.transport.rdma.wire.BootstrapCodec.encode(
                    new dev.shunt.transport.rdma.wire.BootstrapDesc(
                        "a@mlx5_0",
                        "b@mlx5_2",
                        List.of(5),
                        0,
                        pair.nicsA[0].gid().toString(),
                        "",
                        0,
                        java.util.Optional.of(
                            new dev.shunt.transport.rdma.wire.BootstrapExtension(
                                0xa2, 0xb1, 1, 4096, false, "")))),
                StandardCharsets.UTF_8)
            .getBytes(StandardCharsets.UTF_8);
    pair.b.ask(Connector.BOOTSTRAP, question, answer -> {});
    pair.run(MILLI);
    assertEquals(1, Pair.qps(pair.nicsB));
    links.forEach(pair::down);
    // A message of the older one that was under way costs the newer one nothing.
    pair.a.connect(pair.b, 0, 0, SECOND);
    pair.run(SECOND);
    assertTrue(Pair.qps(pair.nicsB) >= 1);
  }
}
