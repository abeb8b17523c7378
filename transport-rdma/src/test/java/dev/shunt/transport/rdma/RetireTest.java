package dev.shunt.transport.rdma;

import static dev.shunt.transport.rdma.Pair.MILLI;
import static dev.shunt.transport.rdma.Pair.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Fault.Effect;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.RetireReason;
import dev.shunt.transport.rdma.testing.TestSlice;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** How connections end, with work under way on them. */
class RetireTest {
  /** Ends a connection that is in use, in one of the ways that there are. */
  private interface Ending {
    void end(Pair pair, LinkId link);
  }

  private static final Map<String, Ending> ENDINGS =
      Map.of(
          "retired by the runtime",
          (pair, link) -> pair.a.channels.get(link).retire(RetireReason.STALLED, pair.world.now()),
          "fenced at the peer",
          (pair, link) -> pair.b.transport().fence(link, gone -> {}),
          "a broken QP here",
          (pair, link) -> pair.nicsA[0].breakQp(pair.nicsA[0].qpNumbers().getLast()),
          "a broken QP there",
          (pair, link) -> pair.nicsB[0].breakQp(pair.nicsB[0].qpNumbers().getFirst()),
          "cut",
          (pair, link) -> pair.fabric.cut(pair.nicsA[0], pair.nicsB[0]));

  @Test
  void howeverAConnectionEndsEachSliceIsReportedOnceAndNothingIsLeft() {
    long seed = System.nanoTime();
    var random = new Random(seed);
    for (var name : ENDINGS.keySet().stream().sorted().toList()) {
      for (int round = 0; round < 20; round++) {
        var text = name + ", seed " + seed + ", round " + round;
        var pair = new Pair();
        var link = pair.up();
        var slices = new ArrayList<TestSlice>();
        for (int i = 0; i < 40; i++) {
          slices.add(
              pair.a.post(link, i % 3 != 0, pair.from, pair.to, 0, 1 + random.nextInt(9000)));
        }
        pair.run(random.nextInt(200_000));
        ENDINGS.get(name).end(pair, link);
        pair.down(link);
        for (var slice : slices) {
          assertTrue(pair.a.reports.containsKey(slice), text + ": reported before the end");
          var fault = pair.a.reports.get(slice);
          assertTrue(fault == null || fault.effect() == Effect.NONE || slice.write(), text);
        }
        assertEquals(40, pair.a.reports.size(), text);
        pair.run(20 * SECOND);
        assertEquals(0, pair.nicsA[0].qps(), text);
        assertEquals(0, pair.nicsB[0].qps(), text);
        pair.carry(pair.up());
      }
    }
  }

  @Test
  void aConnectedEndpointGoesThroughErrSoThatItsWorkComesBack() {
    var pair = new Pair();
    var link = pair.up();
    pair.fabric.path(pair.nicsA[0], pair.nicsB[0]).hold();
    var slice = pair.a.post(link, true, pair.from, pair.to, 0, 100);
    pair.a.channels.get(link).retire(RetireReason.STALLED, pair.world.now());
    var fault = pair.report(slice);
    assertEquals(Blame.NEUTRAL, fault.blame());
    assertEquals(Effect.POSSIBLE, fault.effect(), "it may be on its way");
    assertTrue(fault.text().contains("flushed"), fault.text());
    pair.down(link);
    pair.run(SECOND);
    assertEquals(0, pair.nicsA[0].qps());
  }

  @Test
  void aHandshakeThatFailsIsFollowedByFreshQps() {
    var pair = new Pair(Map.of("device.gid-index", 1));
    var told = new ArrayList<Integer>();
    pair.b.onAsked =
        request -> {
          try {
            var desc = dev.shunt.transport.rdma.wire.BootstrapCodec.decode(request);
            if (!desc.extension().orElseThrow().close()) {
              told.addAll(desc.qpNumbers());
            }
          } catch (dev.shunt.transport.rdma.wire.BootstrapException e) {
            throw new AssertionError(e);
          }
        };
    for (int i = 0; i < 5; i++) {
      var link = pair.a.connect(pair.b, 0, 0, SECOND);
      pair.nicsA[0].refuseModifies(1);
      assertEquals(Blame.LOCAL, pair.refused(link).blame());
    }
    pair.carry(pair.up());
    assertEquals(12, told.size());
    assertEquals(12, told.stream().distinct().count(), "no QP was told of twice");
  }

  @Test
  void aThousandEndpointsThatNeverDrainAreKeptInBoundsAndEndTheRail() {
    var pair =
        new Pair(
            Map.of(
                "endpoint.quarantine", 16,
                "endpoint.drain-timeout", "100ms",
                "endpoint.num-qps", 1));
    pair.nicsA[0].keepFlushes(true);
    pair.fabric.path(pair.nicsA[0], pair.nicsB[0]).blackhole();
    int kept = 0;
    int refused = 0;
    var slices = new ArrayList<TestSlice>();
    for (int i = 0; i < 1000; i++) {
      var link = pair.a.connect(pair.b, 0, 0, SECOND);
      pair.await("an answer", () -> answered(pair, link));
      if (pair.a.refusals.containsKey(link)) {
        refused++;
        assertEquals(Blame.LOCAL, pair.a.refusals.get(link).blame());
        assertTrue(pair.a.refusals.get(link).text().contains("inactive"));
        continue;
      }
      slices.add(pair.a.post(link, true, pair.from, pair.to, 0, 100));
      pair.a.channels.get(link).retire(RetireReason.STALLED, pair.world.now());
      pair.run(200 * MILLI);
      kept++;
      assertEquals(kept, pair.nicsA[0].qps(), "nothing is freed by force");
    }
    assertEquals(17, kept);
    assertEquals(983, refused);
    assertEquals(1, pair.a.railLog.size());
    assertTrue(pair.a.railLog.getFirst().contains("quarantine"), pair.a.railLog.getFirst());
    for (var slice : slices) {
      assertFalse(pair.a.reports.containsKey(slice), "its memory is still the device's");
    }
  }

  private static boolean answered(Pair pair, LinkId link) {
    return pair.a.channels.containsKey(link) || pair.a.refusals.containsKey(link);
  }

  @Test
  void aThousandAtOnceThatNeverDrainAreAllKept() {
    var pair =
        new Pair(
            Map.of(
                "endpoint.quarantine", 16,
                "endpoint.drain-timeout", "100ms",
                "endpoint.num-qps", 1,
                "device.max-cqe", 4000));
    var links = new ArrayList<LinkId>();
    for (int i = 0; i < 1000; i++) {
      links.add(pair.a.connect(pair.b, 0, 0, 10 * SECOND));
    }
    links.forEach(pair::up);
    pair.nicsA[0].keepFlushes(true);
    pair.fabric.path(pair.nicsA[0], pair.nicsB[0]).blackhole();
    links.forEach(link -> pair.a.post(link, true, pair.from, pair.to, 0, 10));
    links.forEach(link -> pair.a.channels.get(link).retire(RetireReason.STALLED, 0));
    pair.run(60 * SECOND);
    assertEquals(1000, pair.nicsA[0].qps());
    assertEquals(1, pair.a.railLog.size());
    assertEquals(Map.of(), pair.a.downs);
  }

  @Test
  void aQpThatCouldNotBeDestroyedIsNoFenceUntilItIs() {
    var pair = new Pair();
    var link = pair.up();
    pair.nicsB[0].refuseCloses(2);
    var fenced = new ArrayList<Boolean>();
    pair.b.transport().fence(link, fenced::add);
    pair.nicsB[0].refuseCloses(1);
    pair.b.transport().fence(link, fenced::add);
    pair.b.transport().fence(link, fenced::add);
    assertEquals(List.of(false, false, true), fenced);
    assertEquals(0, pair.nicsB[0].qps());
  }

  @Test
  void memoryThatIsUnregisteredIsNotWrittenByWhatIsStillUnderWay() {
    var pair = new Pair();
    var link = pair.up();
    var path = pair.fabric.path(pair.nicsA[0], pair.nicsB[0]);
    path.hold();
    var slice = pair.a.post(link, true, pair.from, pair.to, 0, 50_000);
    pair.run(MILLI);
    pair.to.keys().forEach(pair.b.transport()::unregister);
    pair.to.memory().fill((byte) 5);
    path.release();
    assertEquals(Blame.REQUEST, pair.report(slice).blame());
    pair.run(SECOND);
    for (long i = 0; i < 50_000; i++) {
      assertEquals(5, pair.to.memory().get(java.lang.foreign.ValueLayout.JAVA_BYTE, i));
    }
  }

  @Test
  void aSliceThatIsLongerThanTheTransportTakesIsTheRequestsFaultAlone() {
    var pair = new Pair(Map.of("max-slice", "64KiB", "slice-size", "64KiB"));
    var link = pair.up();
    for (long length : List.of((64L << 10) + 1, 128L << 10)) {
      var fault = pair.report(pair.a.post(link, true, pair.from, pair.to, 0, length));
      assertEquals(Blame.REQUEST, fault.blame());
      assertEquals(FailureCode.REJECTED, fault.code());
      assertEquals(Effect.NONE, fault.effect());
    }
    pair.run(SECOND);
    assertEquals(Map.of(), pair.a.downs);
    assertEquals(List.of(), pair.a.railLog);
    pair.carry(link);
    assertEquals(1, pair.a.channels.size(), "no connection was made anew");
  }

  @Test
  void aConnectionThatBreaksBeforeItIsUpEndsItsHandshake() {
    var pair = new Pair();
    pair.b.replyDelay = 100 * MILLI;
    var link = pair.a.connect(pair.b, 0, 0, SECOND);
    pair.run(10 * MILLI);
    pair.nicsA[0].breakQp(pair.nicsA[0].qpNumbers().getFirst());
    Fault fault = pair.refused(link);
    assertEquals(Blame.LOCAL, fault.blame());
    pair.run(SECOND);
    assertEquals(0, Pair.qps(pair.nicsA));
    assertEquals(0, Pair.qps(pair.nicsB), "the peer was told");
  }
}
