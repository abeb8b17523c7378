package dev.shunt.api.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault.Effect;
import dev.shunt.api.spi.RetireReason;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What a transport keeps that has ports for notifications. Its test implements this beside {@link
 * TransportContract}, which fails where a transport has ports and its test does not.
 */
public interface NotifyContract extends Contract {
  /** Each arrives as it was sent. */
  @Test
  default void framesOfEachSizeArriveOnceAndInOrder() {
    play(
        bench -> {
          var port = HostNotify.up(bench);
          int most = port.port().maxFrame();
          assertTrue(most >= 1, "a largest frame");
          for (int length : new int[] {8, 9, 1000, 4096, 4097, most - 1, most}) {
            bench.await("room", () -> port.port().room() > 0);
            port.post(length);
            bench.await("its report", () -> port.pending() == 0);
          }
          bench.await("all of them", () -> port.arrived().size() == port.posted().size());
          assertTrue(port.posted().equals(port.delivered()), "delivered, in order");
          assertTrue(port.texts().equals(port.arrived()), "arrived, whole and in order");
        });
  }

  /** A frame that does not fit leaves the port as it was. */
  @Test
  default void aFrameThatIsTooLongIsRejectedAndCostsNothing() {
    play(
        bench -> {
          var port = HostNotify.up(bench);
          var wrong = port.post(port.port().maxFrame() + 1);
          assertNotNull(wrong.fault(), "rejected at once");
          assertEquals(FailureCode.REJECTED, wrong.fault().code());
          assertEquals(Effect.NONE, wrong.fault().effect());
          var good = port.post(100);
          bench.await("its report", () -> port.pending() == 0);
          assertTrue(good.wasDelivered(), good::toString);
        });
  }

  /** More than there are slots: some wait, and each is reported. */
  @Test
  default void aFloodIsReportedFrameByFrameAndArrives() {
    play(
        bench -> {
          var port = HostNotify.up(bench);
          for (int i = 0; i < 1000; i++) {
            bench.await("room", () -> port.port().room() > 0);
            port.post(64 + i % 1000);
          }
          bench.await("all reports", () -> port.pending() == 0);
          assertTrue(port.posted().equals(port.delivered()), "delivered, in order");
          bench.await("all of them", () -> port.arrived().size() == 1000);
          assertTrue(port.texts().equals(port.arrived()), "arrived, whole and in order");
        });
  }

  /** A receiver that takes nothing makes senders wait; nothing is lost by that, or sent twice. */
  @Test
  default void whatIsNotTakenIsKeptAndTheSendersWaitIsBounded() {
    play(
        bench -> {
          var port = HostNotify.up(bench);
          bench.b().lane(0).notifications().takes(false);
          bench.b().lane(1).notifications().takes(false);
          while (port.port().room() > 0 && port.posted().size() < 5000) {
            port.post(100);
          }
          long begin = bench.stage().now();
          var late = port.post(100);
          bench.await("those that wait give up", () -> late.fault() != null);
          assertEquals(FailureCode.BUSY, late.fault().code(), late::toString);
          assertEquals(Effect.NONE, late.fault().effect(), late::toString);
          assertTrue(
              bench.stage().now() - begin <= HostNotify.SLOT_WAIT + SECOND, "a bounded wait");
          bench.b().lane(0).notifications().takes(true);
          bench.b().lane(1).notifications().takes(true);
          bench.await("all reports", () -> port.pending() == 0);
          bench.await("all", () -> port.arrived().size() == port.delivered().size());
          assertTrue(
              HostNotify.texts(port.delivered()).equals(port.arrived()), "arrived, in order");
        });
  }

  /** Whatever ends a port, each frame is reported once, in order, and then the end. */
  @Test
  default void retiringReportsEachFrameOnceAndWhatWasDeliveredArrives() {
    play(
        bench -> {
          for (var reason : RetireReason.values()) {
            var port = HostNotify.up(bench);
            for (int i = 0; i < 30 && port.port().room() > 0; i++) {
              port.post(500);
            }
            bench.stage().run(bench.dice().below(100_000));
            port.retire(reason);
            bench.await("the end of the port", () -> port.down() != null);
            assertEquals(0, port.pending(), "reports before the end");
            var after = port.post(10);
            assertNotNull(after.fault(), "refused at once");
            assertEquals(Effect.NONE, after.fault().effect());
            bench.stage().run(SECOND);
            port.assertDeliveredArrived();
          }
        });
  }

  /** The remote dies: frames may have arrived, and it is said so. */
  @Test
  default void theDeathOfTheRemoteEndsThePort() {
    play(
        bench -> {
          var port = HostNotify.up(bench);
          port.post(10);
          bench.await("its report", () -> port.pending() == 0);
          bench.killRemote();
          var lost = port.post(10);
          bench.await("the end of the port", () -> port.down() != null);
          assertEquals(Effect.POSSIBLE, lost.fault().effect(), lost::toString);
        });
  }

  /** What the receiver's fabric acknowledged is handed up, also where its host closes. */
  @Test
  default void closingTheRemoteHandsUpWhatWasDelivered() {
    play(
        bench -> {
          var port = HostNotify.up(bench);
          for (int i = 0; i < 20 && port.port().room() > 0; i++) {
            port.post(500);
          }
          bench.stage().run(bench.dice().below(50_000));
          bench.b().close();
          if (port.down() == null) {
            port.post(500);
          }
          bench.await("the end of the port", () -> port.down() != null);
          port.assertDeliveredArrived();
        });
  }

  /** Closing owes the reports of all that is pending. */
  @Test
  default void closingReportsWhatIsPending() {
    play(
        bench -> {
          var port = HostNotify.up(bench);
          for (int i = 0; i < 20 && port.port().room() > 0; i++) {
            port.post(500);
          }
          bench.a().close();
          assertEquals(0, port.pending(), "frames without a report");
          bench.stage().run(SECOND);
          port.assertDeliveredArrived();
        });
  }

  /** A port to nobody is refused by the deadline. */
  @Test
  default void aPortToNobodyFailsByTheDeadline() {
    play(
        bench -> {
          bench.b();
          bench.killRemote();
          var answer = HostNotify.ask(bench);
          bench.await("the answer", answer::answered);
          assertNotNull(answer.fault(), answer::toString);
          assertTrue(answer.late() <= SECOND, () -> "late by " + answer.late());
        });
  }

  /** Ports come and go, and leave nothing. */
  @Test
  default void openingAndRetiringPortsLeavesNothing() {
    play(
        bench -> {
          cycle(bench);
          bench.stage().run(60 * SECOND);
          long resources = bench.kit().resources();
          for (int i = 0; i < 20; i++) {
            cycle(bench);
          }
          bench.stage().run(60 * SECOND);
          assertEquals(resources, bench.kit().resources(), "objects of the fabric left over");
        });
  }

  private static void cycle(ContractBench bench) {
    var ports = new ArrayList<HostNotify.Port>();
    for (int i = 0; i < 3; i++) {
      ports.add(HostNotify.up(bench));
    }
    for (var port : List.copyOf(ports)) {
      port.post(100);
      bench.await("its report", () -> port.pending() == 0);
      port.retire(RetireReason.EVICTED);
      bench.await("the end of the port", () -> port.down() != null);
    }
  }
}
