package dev.shunt.transport.rdma;

import static dev.shunt.transport.rdma.Pair.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Verdict;
import dev.shunt.transport.rdma.wire.BootstrapCodec;
import dev.shunt.transport.rdma.wire.BootstrapDesc;
import dev.shunt.transport.rdma.wire.BootstrapExtension;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What becomes of connections that a peer asked for, once it is not there to end them. */
class PassiveProbesTest {
  private static final int TRIED_EVERY = 60;

  /** Nodes that agreed on it. */
  private static Pair tried(Map<String, ?> settings) {
    var pair = new Pair(settings);
    pair.a.verdict = new Verdict(Map.of(Connector.TRIES, 1));
    return pair;
  }

  @Test
  void whatAKilledProcessLeavesIsTakenAway() {
    var pair = tried(Map.of());
    pair.carry(pair.up());
    pair.carry(pair.up());
    assertEquals(4, Pair.qps(pair.nicsB));
    pair.killA();
    pair.run(2 * TRIED_EVERY * SECOND);
    assertEquals(0, Pair.qps(pair.nicsB));
  }

  @Test
  void aPeerThatLivesIsLeftAlone() {
    var pair = tried(Map.of());
    var link = pair.up();
    pair.run(10 * TRIED_EVERY * SECOND);
    assertFalse(pair.a.downs.containsKey(link));
    pair.carry(link);
    pair.fetch(link);
    assertEquals(2, Pair.qps(pair.nicsB));
  }

  @Test
  void aPlainPeersConnectionIsNotTried() {
    var pair = tried(Map.of());
    pair.up(pair.a.connect(pair.b, 0, 0, 0, 5 * SECOND));
    int before = Pair.qps(pair.nicsB);
    assertTrue(before > 0);
    pair.killA();
    pair.run(10 * TRIED_EVERY * SECOND);
    assertEquals(before, Pair.qps(pair.nicsB), "nothing was sent that could fail");
  }

  @Test
  void manyAreTriedAFewAtATime() {
    var pair = tried(Map.of("endpoint.keep-alive-interval", "1s", "endpoint.num-qps", 1));
    var links = new ArrayList<LinkId>();
    for (int i = 0; i < 3 * PassiveProbes.AT_ONCE; i++) {
      links.add(pair.up());
    }
    assertEquals(links.size(), Pair.qps(pair.nicsB));
    pair.run(60 * SECOND);
    assertEquals(links.size(), Pair.qps(pair.nicsB));
    assertEquals(0, pair.b.railLog.size(), pair.b.railLog::toString);
    pair.killA();
    pair.run(60 * SECOND);
    assertEquals(0, Pair.qps(pair.nicsB));
  }

  @Test
  void eachHasItsTurnHoweverManyThereAre() {
    var pair = tried(Map.of("endpoint.keep-alive-interval", "1s", "endpoint.num-qps", 1));
    for (int i = 0; i < 13 * PassiveProbes.AT_ONCE; i++) {
      pair.up();
    }
    pair.run(60 * SECOND);
    pair.killA();
    pair.run(60 * SECOND);
    assertEquals(0, Pair.qps(pair.nicsB));
  }

  @Test
  void aTryThatNeverEndsIsTakenForOneThatFailed() {
    var pair = tried(Map.of("endpoint.keep-alive-interval", "1s", "endpoint.num-qps", 1));
    for (int i = 0; i < 2 * PassiveProbes.AT_ONCE; i++) {
      pair.up();
    }
    pair.nicsB[0].stall(Integer.MAX_VALUE);
    pair.killA();
    pair.run(60 * SECOND);
    assertEquals(0, Pair.qps(pair.nicsB));
  }

  @Test
  void whoDoesNotSayThatItBearsATryIsNotTried() {
    var pair = tried(Map.of());
    pair.up();
    var extension = new BootstrapExtension(0xa1, 0xb1, 99, 4096, false, "");
    var asked =
        new BootstrapDesc(
            "a@mlx5_0",
            "b@mlx5_2",
            List.of(5),
            0,
            pair.nicsA[0].gid().toString(),
            "",
            0,
            Optional.of(extension));
    pair.b.ask(Connector.BOOTSTRAP, BootstrapCodec.encode(asked), answer -> {});
    pair.run(SECOND);
    assertEquals(3, Pair.qps(pair.nicsB));
    pair.killA();
    pair.run(10 * TRIED_EVERY * SECOND);
    assertEquals(1, Pair.qps(pair.nicsB), "that of the one that did not say so");
  }

  @Test
  void whatEndsWhileItIsTriedCostsNoRoomForOthers() {
    var pair = tried(Map.of("endpoint.keep-alive-interval", "1s", "endpoint.num-qps", 1));
    pair.fabric.path(pair.nicsB[0], pair.nicsA[0]).delay(SECOND / 4, 1);
    // What is under way when its QP is destroyed is told by some devices only.
    pair.nicsB[0].keepFlushes(true);
    for (int round = 0; round < 2 * PassiveProbes.AT_ONCE; round++) {
      var link = pair.up(pair.a.connect(pair.b, 0, 0, 60 * SECOND));
      pair.run(12 * SECOND + SECOND / 10);
      pair.b.transport().fence(link, gone -> assertTrue(gone));
    }
    var last = pair.up(pair.a.connect(pair.b, 0, 0, 60 * SECOND));
    assertEquals(1, Pair.qps(pair.nicsB));
    pair.killA();
    pair.run(60 * SECOND);
    assertEquals(0, Pair.qps(pair.nicsB), () -> "that of " + last);
  }
}
