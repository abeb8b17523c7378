package dev.shunt.runtime.transfer.core;

import static dev.shunt.runtime.transfer.core.FlowFixture.LOST;
import static dev.shunt.runtime.transfer.core.FlowFixture.MS;
import static dev.shunt.runtime.transfer.core.FlowFixture.REFUSED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.Outcome;
import dev.shunt.api.spi.Decision;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Limits.Fencing;
import dev.shunt.api.spi.RetireReason;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Requests that go on by another transport. */
class FlowMoveTest {
  private static final long FAR = 60_000;
  private static final Fault UNSENT =
      new Fault(LOST.blame(), LOST.code(), Fault.Effect.NONE, "nothing had been sent");

  private static FlowFixture flow(Fencing fencing, boolean canFence) {
    var f = new FlowFixture(1, 1, fencing, canFence);
    f.others = 1;
    f.policy =
        failure ->
            failure.otherTransports() > 0
                ? new Decision.NextTransport()
                : new Decision.GiveUp(FailureCode.NO_RAIL, "nothing is left");
    return f;
  }

  @Test
  void aRequestMovesAsAWholeWhenAllThatWasPostedOfItIsLetGoOf() {
    var f = flow(Fencing.ORDERED, true);
    var ear = f.submit(FAR, false, 20_000);
    var channel = f.channel(0);
    assertEquals(16, channel.posted.size());
    channel.complete();
    f.flow.failed(channel.posted.removeFirst(), UNSENT, f.now);
    f.pump();
    assertEquals(14, channel.posted.size(), "nothing more of it is cut");
    assertEquals(List.of(), f.moved, "the channel still writes into its memory");
    channel.completeAll();
    f.pump();
    assertEquals(1, f.moved.size());
    assertEquals(20_000, f.moved.getFirst().length());
    assertEquals(0, f.moved.getFirst().cut);
    assertEquals("OPEN", ear.code(0), "it has no outcome here");
    assertEquals(List.of(1, 1, 0L), List.of(ear.done, ear.settled, ear.bytes));
    assertEquals(0, f.released, "its memory is held as before");
    assertEquals(1, f.count(Counter.REQUESTS_MOVED));
    assertEquals(1, f.unusable);
    assertEquals(List.of(0L, 0), List.of(f.pool.inUse(), f.flow.inFlightSlices()));
    assertTrue(f.flow.idle());
  }

  @Test
  void itsNeighboursInABatchStay() {
    var f = flow(Fencing.ORDERED, true);
    var ear = f.submit(FAR, false, 500, 600);
    f.flow.failed(f.channel(0).posted.removeFirst(), UNSENT, f.now);
    f.pump();
    assertEquals(List.of(500L), f.moved.stream().map(RequestState::length).toList());
    assertEquals(0, ear.done);
    f.channel(0).completeAll();
    assertEquals(List.of("OPEN", "COMPLETED"), List.of(ear.code(0), ear.code(1)));
    assertEquals(List.of(1, 1, 1), List.of(ear.done, ear.settled, f.released));
  }

  @Test
  void aWriteThatMayBeAppliedMovesOnceItsLinkIsFencedByWord() {
    var f = flow(Fencing.ORDERED, true);
    f.submit(FAR, true, 500);
    f.channel(0).die(LOST);
    f.pump();
    assertEquals(List.of(), f.moved);
    assertEquals(f.channel(0).id(), f.fencesAsked.getFirst().id());
    f.flow.fenced(f.fencesAsked.getFirst(), false, f.now);
    f.pass(150);
    assertEquals(2, f.fencesAsked.size(), "a refusal is no fence, and it is asked for again");
    assertEquals(List.of(), f.moved);
    f.flow.fenced(f.fencesAsked.getLast(), true, f.now);
    f.pump();
    assertEquals(1, f.moved.size());
    assertEquals(0, f.count(Counter.UNFENCED));
    assertEquals(List.of("0->0"), f.charged, "a fence charges no path");
  }

  @Test
  void whereNobodyCanBeAskedItMovesAfterTheGrace() {
    var f = flow(Fencing.ORDERED, false);
    f.submit(FAR, true, 500);
    f.channel(0).die(LOST);
    f.pass(999);
    assertEquals(List.of(), f.moved);
    assertEquals(f.now + MS, f.flow.nextDeadline(f.now), "the lane is woken for it");
    f.pass(1);
    assertEquals(1, f.moved.size());
    assertEquals(List.of(), f.fencesAsked);
    assertEquals(1, f.count(Counter.UNFENCED));
  }

  @Test
  void whereNobodyCanBeAskedAndPatienceIsNotWantedItEndsUnknown() {
    var f = flow(Fencing.ORDERED, false);
    var decide = f.policy;
    f.policy =
        failure ->
            failure.fencing() == Fencing.GRACE
                ? new Decision.GiveUp(FailureCode.UNKNOWN_EFFECT, "not without a fence")
                : decide.apply(failure);
    var ear = f.submit(FAR, true, 500);
    f.channel(0).die(LOST);
    f.pass(2_000);
    assertEquals(List.of(), f.moved);
    var failure = assertInstanceOf(Outcome.Error.class, ear.outcomes.get(0)).failure();
    assertEquals(FailureCode.UNKNOWN_EFFECT, failure.code());
    assertTrue(failure.remoteEffect());
  }

  @Test
  void aWriteThatWaitsForAFenceBeforeItGoesTellsSo() {
    var f = flow(Fencing.BY_WORD, true);
    var ear = f.submit(3_000, true, 500);
    f.channel(0).die(LOST);
    f.pump();
    f.flow.fenced(f.fencesAsked.getFirst(), false, f.now);
    f.pass(3_000);
    f.flow.expire(ear.part, f.now);
    var late = assertInstanceOf(Outcome.TimedOut.class, ear.outcomes.get(0)).failure();
    assertTrue(
        late.message().endsWith("does not land any more: the peer was asked 1 time in vain"),
        late.message());
  }

  @Test
  void aWriteWhoseFenceNeverComesEndsAtItsDeadlineWithTheRemoteUnknown() {
    var f = flow(Fencing.BY_WORD, true);
    var ear = f.submit(3_000, true, 500);
    f.channel(0).die(LOST);
    f.pass(3_000);
    f.flow.expire(ear.part, f.now);
    f.pump();
    var late = assertInstanceOf(Outcome.TimedOut.class, ear.outcomes.get(0)).failure();
    assertTrue(late.remoteEffect());
    assertEquals(1, late.attempts().size());
    f.flow.fenced(f.fencesAsked.getFirst(), true, f.now);
    f.pump();
    assertEquals(List.of(), f.moved, "it has ended");
    assertEquals(List.of(1, 1, 1), List.of(ear.done, ear.settled, f.released));
    assertTrue(f.flow.idle());
  }

  @Test
  void whoIsToMoveCanBeCancelledMeanwhile() {
    var f = flow(Fencing.ORDERED, true);
    var ear = f.submit(FAR, false, 500, 600);
    f.policy = failure -> new Decision.NextTransport();
    var channel = f.channel(0);
    f.submit(FAR, false, 2_000);
    f.flow.failed(channel.posted.removeLast(), UNSENT, f.now);
    f.pump();
    f.flow.cancel(ear.part);
    channel.completeAll();
    f.pump();
    assertEquals(List.of("CANCELLED", "CANCELLED"), List.of(ear.code(0), ear.code(1)));
    assertEquals(List.of(2_000L), f.moved.stream().map(RequestState::length).toList());
    assertEquals(List.of(1, 1, 2), List.of(ear.done, ear.settled, f.released));
  }

  @Test
  void whoWasCancelledBeforeItCouldMoveStays() {
    var f = flow(Fencing.ORDERED, true);
    var ear = f.submit(FAR, false, 2_000);
    f.flow.failed(f.channel(0).posted.removeFirst(), UNSENT, f.now);
    f.pump();
    f.flow.cancel(ear.part);
    f.pump();
    f.channel(0).completeAll();
    f.pump();
    assertEquals("CANCELLED", ear.code(0));
    assertEquals(List.of(), f.moved);
    assertEquals(List.of(1, 1, 1), List.of(ear.done, ear.settled, f.released));
  }

  @Test
  void whatIsToMoveEndsOnceWhereTheFlowIsRetired() {
    var f = flow(Fencing.BY_WORD, true);
    var ear = f.submit(FAR, true, 500);
    f.channel(0).die(LOST);
    f.pump();
    f.flow.retire(FailureCode.CLOSED, "closed", RetireReason.CLOSED, f.now);
    f.pump();
    assertEquals("FAILED", ear.code(0));
    assertEquals(List.of(1, 1, 1), List.of(ear.done, ear.settled, f.released));
    assertEquals(List.of(), f.moved);
    assertTrue(f.flow.idle());
  }

  @Test
  void allThatWaitsMovesWhenNoPathCanBeHad() {
    var f = flow(Fencing.ORDERED, true);
    f.answerConnects = false;
    f.submit(FAR, true, 500, 600);
    f.submit(FAR, true, 700);
    f.refuse(REFUSED);
    f.pump();
    assertEquals(List.of(500L, 600L, 700L), f.moved.stream().map(RequestState::length).toList());
    assertEquals(1, f.unusable);
    assertTrue(f.flow.idle());
  }

  @Test
  void whatHasNoOtherTransportIsTriedAgainAsThePolicySays() {
    var f = flow(Fencing.ORDERED, true);
    f.answerConnects = false;
    f.movable = request -> request.length() == 600;
    f.policy =
        failure ->
            failure.otherTransports() > 0 ? new Decision.NextTransport() : new Decision.Retry(MS);
    var ear = f.submit(FAR, true, 500, 600);
    f.refuse(REFUSED);
    f.pump();
    assertEquals(List.of(600L), f.moved.stream().map(RequestState::length).toList());
    f.answerConnects = true;
    f.pass(20);
    f.channel(0).completeAll();
    assertEquals("COMPLETED", ear.code(0));
  }

  @Test
  void withoutAnotherTransportThatReachesItsMemoryItEndsWithAllItsAttempts() {
    var f = flow(Fencing.ORDERED, true);
    f.takesMoves = false;
    var ear = f.submit(FAR, false, 500);
    f.channel(0).die(LOST);
    f.pump();
    var failure = assertInstanceOf(Outcome.Error.class, ear.outcomes.get(0)).failure();
    assertEquals(FailureCode.NO_RAIL, failure.code());
    assertEquals(1, failure.attempts().size());
    assertEquals(0, f.count(Counter.REQUESTS_MOVED));
    assertEquals(List.of(1, 1, 1), List.of(ear.done, ear.settled, f.released));
  }

  @Test
  void whatWasTriedBeforeIsToldAfterwardsToo() {
    var f = flow(Fencing.ORDERED, true);
    f.submit(FAR, true, 500);
    f.channel(0).die(UNSENT);
    f.pump();
    var g = new FlowFixture(1, 1, Fencing.GRACE);
    g.policy = failure -> new Decision.GiveUp(FailureCode.NO_RAIL, "nothing is left");
    var ear = new FlowFixture.Ear();
    var states = f.moved.toArray(RequestState[]::new);
    g.flow.submit(new Part(ear, states, g.now + FAR * MS, 1), g.now);
    g.pump();
    assertEquals(101, g.channel(0).posted.getFirst().localKey().remoteKey());
    assertEquals(111, g.channel(0).posted.getFirst().remoteKey());
    g.channel(0).die(new Fault(LOST.blame(), LOST.code(), Fault.Effect.NONE, "again"));
    g.pump();
    var failure = assertInstanceOf(Outcome.Error.class, ear.outcomes.get(0)).failure();
    assertEquals(
        List.of("nothing had been sent", "again"),
        failure.attempts().stream().map(attempt -> attempt.message()).toList());
    assertTrue(failure.remoteEffect(), "it was under way before");
    assertEquals(1, f.released, "by the hold that went with it");
  }
}
