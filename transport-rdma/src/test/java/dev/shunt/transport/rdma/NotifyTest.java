package dev.shunt.transport.rdma;

import static dev.shunt.transport.rdma.Pair.MILLI;
import static dev.shunt.transport.rdma.Pair.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Fault.Effect;
import dev.shunt.api.spi.RawFrame;
import dev.shunt.api.spi.RetireReason;
import dev.shunt.transport.rdma.testing.TestFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Notifications between Shunt nodes. */
class NotifyTest extends NotifyPair {
  @Test
  void whatIsSentArrivesOnceAndInOrder() {
    var port = up();
    var sent = new ArrayList<String>();
    for (int i = 0; i < 1000; i++) {
      var message = "n".repeat(i % 7 * 1000) + i;
      sent.add(message);
      post(port, message);
      pair.await("its report", () -> a.reports() == sent.size());
    }
    assertEquals(List.of(), a.failed);
    assertEquals(sent, b.arrived);
    assertEquals("a", b.origin.node());
    assertEquals(0xa1, b.origin.generation());
    assertEquals(port.link().id().attempt(), b.origin.attempt());
  }

  @Test
  void theLargestFrameFitsAndOneByteMoreIsRejected() {
    var port = up();
    var largest = post(port, "x".repeat(SLOT - 8 - 4));
    assertEquals(SLOT, largest.bytes().byteSize());
    var larger = post(port, new TestFrame(new byte[SLOT + 1], Long.MAX_VALUE));
    var none = post(port, new TestFrame(new byte[0], Long.MAX_VALUE));
    pair.await("reports", () -> a.reports() == 3);
    assertEquals(List.of(largest), a.delivered);
    for (var wrong : List.of(larger, none)) {
      assertEquals(FailureCode.REJECTED, a.faults.get(wrong).code());
      assertEquals(Effect.NONE, a.faults.get(wrong).effect());
    }
    assertFalse(a.downs.containsKey(port));
  }

  @Test
  void thereIsNothingForNotificationsWhereNobodyNotified() {
    pair.carry(pair.up());
    pair.run(SECOND);
    var before = List.of(counts(pair.nicsA[0]), counts(pair.nicsB[0]));
    assertEquals(Pair.MEMORY, pair.nicsA[0].registeredBytes(), "the test's memory alone");
    assertEquals(Pair.MEMORY, pair.nicsB[0].registeredBytes(), "the test's memory alone");
    pair.carry(pair.up(pair.a.connect(pair.b, 1, 1, SECOND)));
    assertEquals(before, List.of(counts(pair.nicsA[0]), counts(pair.nicsB[0])));

    var port = up();
    assertEquals(Pair.MEMORY + 4 * SLOT, pair.nicsA[0].registeredBytes(), "few slots to send");
    assertEquals(Pair.MEMORY + 4 * SLOT, pair.nicsB[0].registeredBytes(), "few to receive");
    assertEquals(2 * Pair.MEMORY + 4L * SLOT, bytes(pair.nicsA), "and on no other rail");
    post(port, "one");
    pair.await("it arrives", () -> b.arrived.size() == 1);
    retire(port);
    pair.run(10 * SECOND);
    assertEquals(before, List.of(counts(pair.nicsA[0]), counts(pair.nicsB[0])), "all is freed");
  }

  @Test
  void slotsGrowWithUseUpToTheirBound() {
    var it =
        new NotifyPair(
            Map.of("notify.send-slots", 16, "notify.receive-slots", 32, "notify.first-slots", 4));
    var port = it.up();
    for (int i = 0; i < 20; i++) {
      it.post(port, "one by one " + i);
      it.pair.await("its report", () -> it.a.reports() == it.b.arrived.size());
      it.pair.run(MILLI);
    }
    assertEquals(4L * SLOT, it.pair.nicsA[0].registeredBytes() - Pair.MEMORY, "one at a time");
    assertEquals(4L * SLOT, it.pair.nicsB[0].registeredBytes() - Pair.MEMORY, "one at a time");
    for (int round = 0; round < 10; round++) {
      for (int i = 0; i < 100; i++) {
        it.post(port, "all at once " + i);
      }
      // The receiver is busy with something else meanwhile.
      for (int i = 0; i < 10; i++) {
        it.pair.a.turn();
        it.pair.world.run(10_000);
      }
      int all = 20 + 100 * (round + 1);
      it.pair.await("all reports", () -> it.a.reports() == all);
      it.pair.await("all of them", () -> it.b.arrived.size() == all);
    }
    assertEquals(List.of(), it.a.failed);
    assertEquals(16L * SLOT, it.pair.nicsA[0].registeredBytes() - Pair.MEMORY);
    assertEquals(32L * SLOT, it.pair.nicsB[0].registeredBytes() - Pair.MEMORY);
  }

  @Test
  void whatIsNotTakenStaysAndHoldsUpItsSenderUntilItIs() {
    var it =
        new NotifyPair(
            Map.of("notify.send-slots", 8, "notify.receive-slots", 4, "notify.waiting-frames", 5));
    it.b.takes = () -> false;
    var port = it.up();
    var frames = new ArrayList<TestFrame>();
    for (int i = 0; i < 20; i++) {
      frames.add(it.post(port, Integer.toString(i)));
      it.pair.run(MILLI);
    }
    it.pair.run(100 * MILLI);
    assertEquals(frames.subList(0, 4), it.a.delivered, "as many as there are receives");
    assertEquals(0, port.room());
    long begin = it.pair.world.now();
    var late = it.post(port, "late");
    assertEquals(FailureCode.BUSY, it.a.faults.get(late).code(), "too many wait already");
    it.pair.await("the time to wait is over", () -> it.a.failed.contains(frames.get(16)));
    assertTrue(it.pair.world.now() - begin <= SECOND, "bounded");
    for (int i = 12; i < 17; i++) {
      assertEquals(FailureCode.BUSY, it.a.faults.get(frames.get(i)).code());
      assertEquals(Effect.NONE, it.a.faults.get(frames.get(i)).effect());
    }
    assertEquals(List.of(), it.b.arrived);
    it.b.takes = () -> true;
    it.pair.await("the rest", () -> it.a.delivered.size() == 12);
    it.pair.await("all that was sent", () -> it.b.arrived.size() == 12);
    for (int i = 0; i < 12; i++) {
      assertEquals(Integer.toString(i), it.b.arrived.get(i));
    }
    assertFalse(it.a.downs.containsKey(port), "waiting for a receive ends nothing");
  }

  @Test
  void aReceiveThatCannotBePostedAgainCostsNoneOfItsNeighbours() {
    var port = up();
    pair.run(100 * MILLI);
    var data = pair.up();
    int room = pair.a.channels.get(data).room();
    // The receiver's turns come when all three have landed.
    for (int i = 0; i < 3; i++) {
      post(port, Integer.toString(i));
    }
    while (a.reports() < 3) {
      pair.a.turn();
      pair.world.run(10_000);
    }
    assertEquals(List.of(), b.arrived);
    pair.nicsB[0].refuseReceives(1);
    assertTrue(pair.b.turn() > 0);
    assertEquals(List.of("0", "1", "2"), b.arrived, "all three are handled");
    assertEquals(3, a.delivered.size());
    pair.run(10 * SECOND);
    assertEquals(Pair.MEMORY, pair.nicsB[0].registeredBytes(), "each receive came back");
    assertEquals(room, pair.a.channels.get(data).room(), "credits as before");
    pair.carry(data);
    assertEquals(1, pair.nicsB[0].errors(), "it errs once");
  }

  @Test
  void flushesOfALinkThatRetiresAreNobodysFaultAndNotLogged() {
    var port = up();
    pair.fabric.path(pair.nicsA[0], pair.nicsB[0]).hold();
    var sent = post(port, "held");
    // The rail is gone as well: that alone would make each flush a local fault.
    port.retire(RetireReason.EVICTED, pair.world.now());
    pair.nicsA[0].down();
    pair.nicsB[0].down();
    pair.run(10 * SECOND);
    assertEquals(Blame.NEUTRAL, a.faults.get(sent).blame(), a.faults.get(sent).text());
    assertEquals(Blame.NEUTRAL, a.downs.get(port).blame());
    for (var node : List.of(pair.a, pair.b)) {
      assertEquals(0, ((RdmaLane) node.driver()).warnings());
    }
    assertEquals(0, pair.nicsA[0].qps() + pair.nicsB[0].qps());
  }

  @Test
  void theQpsAreMadeOfTheEndpointsParametersAndWaitForReceivesForEver() {
    var it =
        new NotifyPair(
            Map.of(
                "endpoint.min-rnr-timer", 9,
                "endpoint.send-timeout", 13,
                "endpoint.send-retry-count", 5,
                "endpoint.send-rnr-count", 2,
                "endpoint.hop-limit", 33));
    it.up();
    for (var nic : List.of(it.pair.nicsA[0], it.pair.nicsB[0])) {
      var attributes = nic.attributes().getLast();
      assertEquals(9, attributes.minRnrTimer());
      assertEquals(13, attributes.timeout());
      assertEquals(5, attributes.retryCount());
      assertEquals(33, attributes.hopLimit());
      assertEquals(7, attributes.rnrRetry());
    }
  }

  @Test
  void whatIsNoFrameIsDroppedAndNothingElse() {
    var port = up();
    var wrong = List.of("", "\u0001", "\u0007\0\0\0xyz", "\uffff\uffff\0\0\0\0\0\0");
    for (var text : wrong.subList(1, 4)) {
      post(port, new TestFrame(text.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1), 0));
    }
    var lengths = RawFrame.of(new dev.shunt.api.Notification("name", "message"));
    lengths[3] = 0x7f;
    post(port, new TestFrame(lengths, 0));
    var message = RawFrame.of(new dev.shunt.api.Notification("name", "message"));
    message[8] = 8;
    post(port, new TestFrame(message, 0));
    post(port, "good");
    pair.await("all reports", () -> a.reports() == 6);
    pair.await("the good one", () -> b.arrived.size() == 1);
    assertEquals(List.of("good"), b.arrived);
    assertEquals(1, ((RdmaLane) pair.b.driver()).warnings(), "told once, then counted");
  }

  @Test
  void aPortThatDiesHandsBackAllThatIsPendingInOrder() {
    var it = new NotifyPair(Map.of("notify.send-slots", 4));
    var port = it.up();
    it.pair.fabric.path(it.pair.nicsA[0], it.pair.nicsB[0]).hold();
    var frames = new ArrayList<TestFrame>();
    for (int i = 0; i < 10; i++) {
      frames.add(it.post(port, Integer.toString(i)));
    }
    it.retire(port);
    assertEquals(frames, it.a.failed, "in the order of posting");
    for (int i = 0; i < 10; i++) {
      var fault = it.a.faults.get(frames.get(i));
      assertEquals(i < 4 ? Effect.POSSIBLE : Effect.NONE, fault.effect(), fault.text());
      assertEquals(Blame.NEUTRAL, fault.blame(), fault.text());
    }
    var after = it.post(port, "after");
    assertEquals(Effect.NONE, it.a.faults.get(after).effect());
  }

  @Test
  void workThatIsNeverFlushedIsHandedBackInTimeAndItsMemoryKept() {
    var it = new NotifyPair(Map.of("endpoint.drain-timeout", "5s", "notify.hand-over", "500ms"));
    var port = it.up();
    it.pair.fabric.path(it.pair.nicsA[0], it.pair.nicsB[0]).blackhole();
    it.pair.nicsA[0].keepFlushes(true);
    var frame = it.post(port, "lost");
    long begin = it.pair.world.now();
    it.retire(port);
    long took = it.pair.world.now() - begin;
    assertTrue(took <= 510 * MILLI, () -> took + " ns");
    assertEquals(Effect.POSSIBLE, it.a.faults.get(frame).effect());
    it.pair.run(60 * SECOND);
    assertEquals(4L * SLOT, it.pair.nicsA[0].registeredBytes() - Pair.MEMORY, "kept aside");
  }

  @Test
  void aRailThatGoesTakesItsLinksOnBothSides() {
    var port = up();
    pair.nicsA[0].down();
    var sent = post(port, "lost");
    pair.await("the end of the port", () -> a.downs.containsKey(port));
    assertEquals(Blame.LOCAL, a.downs.get(port).blame());
    assertTrue(a.failed.contains(sent));
    pair.run(10 * SECOND);
    assertEquals(0, pair.nicsA[0].qps());
    var other = up(pair.a.openPort(pair.b, 1, 1, SECOND));
    pair.nicsB[1].down();
    pair.run(10 * SECOND);
    assertEquals(0, pair.nicsB[1].qps());
    post(other, "lost too");
    pair.await("the end of the port", () -> a.downs.containsKey(other));
    assertEquals(Blame.REMOTE, a.downs.get(other).blame());
  }

  @Test
  void closingHandsUpWhatLandedAndLeavesNothing() {
    var port = up();
    for (int i = 0; i < 4; i++) {
      post(port, Integer.toString(i));
    }
    while (a.reports() < 4) {
      pair.a.turn();
      pair.world.run(10_000);
    }
    assertEquals(List.of(), b.arrived);
    pair.b.close();
    assertEquals(List.of("0", "1", "2", "3"), b.arrived);
    var left = post(port, "left");
    pair.a.close();
    assertTrue(a.failed.contains(left));
    assertTrue(a.downs.containsKey(port));
    for (var nic : pair.fabric.nics()) {
      assertEquals(0, nic.resources(), nic.name());
    }
  }
}
