package dev.shunt.runtime.transfer.core;

import static dev.shunt.runtime.transfer.core.FlowFixture.LOST;
import static dev.shunt.runtime.transfer.core.FlowFixture.MS;
import static dev.shunt.runtime.transfer.core.FlowFixture.REFUSED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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

/** The flow: cutting, window, deadlines, failures, fences, the two ends. */
class FlowTest {
  private static final long FAR = 60_000;

  @Test
  void requestsAreCutAndTheLastQuarterGoesWithTheOneBefore() {
    var f = new FlowFixture(1, 1, Fencing.ORDERED);
    f.submit(FAR, true, 3_250);
    assertEquals(
        List.of(1_000L, 1_000L, 1_250L),
        f.channel(0).posted.stream().map(PooledSlice::length).toList());
    assertEquals(
        List.of(7_000L, 8_000L, 9_000L),
        f.channel(0).posted.stream().map(PooledSlice::remoteAddress).toList());
  }

  @Test
  void noMoreThanTheWindowIsInFlight() {
    var f = new FlowFixture(1, 1, Fencing.ORDERED);
    var ear = f.submit(FAR, true, 40_000);
    assertEquals(16, f.flow.inFlightSlices());
    f.channel(0).complete();
    f.pump();
    assertEquals(16, f.flow.inFlightSlices());
    while (ear.done == 0) {
      f.channel(0).completeAll();
      f.pump();
    }
    assertEquals("COMPLETED", ear.code(0));
    assertEquals(40_000, ear.bytes);
    assertEquals(0, f.flow.inFlightBytes());
    assertEquals(0, f.pool.inUse());
  }

  @Test
  void aPathThatStandsStillLeavesTheOthersRoomToGoOn() {
    var f = new FlowFixture(2, 2, Fencing.ORDERED);
    f.submit(FAR, true, 1_000);
    f.channel(0).completeAll();
    f.channel(1).completeAll();
    f.submit(FAR, true, 1_000_000);
    for (int i = 0; i < 50; i++) {
      f.channel(1).completeAll();
      f.pump();
      assertFalse(f.channel(1).posted.isEmpty(), "round " + i);
    }
    assertTrue(f.channel(0).posted.size() <= 11, f.channel(0).posted.size() + " of 16");
  }

  @Test
  void theOnlyPathThatIsLeftHasTheWholeWindow() {
    var f = new FlowFixture(2, 2, Fencing.ORDERED);
    f.submit(FAR, true, 1_000);
    f.channel(0).completeAll();
    f.channel(1).completeAll();
    f.flow.paths().slots().get(0).inactive = true;
    f.submit(FAR, true, 200_000);
    assertEquals(16, f.channel(1).posted.size());
  }

  @Test
  void aBatchIsDoneOnlyWhenAllItsRequestsAreAndBuffersAreReleasedOnce() {
    var f = new FlowFixture(1, 1, Fencing.ORDERED);
    var ear = f.submit(FAR, true, 100, 200);
    f.channel(0).complete();
    assertEquals(List.of("COMPLETED", "OPEN"), List.of(ear.code(0), ear.code(1)));
    assertEquals(0, ear.done);
    f.channel(0).complete();
    assertEquals(1, ear.done);
    assertEquals(1, ear.settled);
    assertEquals(2, f.released);
  }

  @Test
  void theDeadlineEndsTheRequestAndItsSlicesDrain() {
    var f = new FlowFixture(1, 1, Fencing.ORDERED);
    var ear = f.submit(100, true, 1_000);
    f.now += 100 * MS;
    f.flow.expire(ear.part, f.now);
    var outcome = assertInstanceOf(Outcome.TimedOut.class, ear.outcomes.get(0));
    assertTrue(outcome.failure().remoteEffect());
    assertEquals(1, ear.done);
    assertEquals(0, ear.settled);
    assertEquals(0, f.released);
    assertEquals(0, f.flow.inFlightBytes());
    assertEquals(1_000, f.count(Counter.DRAINING_BYTES));

    f.now += 400 * MS;
    f.channel(0).complete();
    assertEquals(1, ear.done);
    assertEquals(1, ear.settled);
    assertFalse(ear.quarantined);
    assertEquals(1, f.released);
    assertEquals(0, f.count(Counter.DRAINING_BYTES));
    assertEquals(1, f.count(Counter.LATE_REPORTS));
    assertEquals(0, f.count(Counter.SLICES_COMPLETED));
  }

  @Test
  void aShortDeadlineLeavesItsNeighboursOnTheChannelAlone() {
    var f = new FlowFixture(1, 1, Fencing.ORDERED);
    var hasty = f.submit(100, true, 500);
    var calm = f.submit(FAR, true, 600);
    f.now += 100 * MS;
    f.flow.expire(hasty.part, f.now);
    f.pass(1_000);
    assertEquals(List.of(), f.channel(0).retired);
    f.channel(0).completeAll();
    assertEquals("COMPLETED", calm.code(0));
  }

  @Test
  void aSliceThatStallsRetiresItsChannelAndIsRedone() {
    var f = new FlowFixture(1, 1, Fencing.ORDERED);
    var ear = f.submit(FAR, true, 500);
    f.pass(5_001);
    assertEquals(List.of(RetireReason.STALLED), f.channel(0).retired);
    f.channel(0).die(LOST);
    f.pass(10);
    assertEquals(1, f.channel(1).posted.size());
    f.channel(1).completeAll();
    assertEquals("COMPLETED", ear.code(0));
  }

  @Test
  void whatNeverDrainsIsQuarantinedAndCounted() {
    var f = new FlowFixture(1, 1, Fencing.ORDERED);
    var ear = f.submit(FAR, true, 500);
    f.pass(5_001);
    f.pass(2_001);
    var failure = assertInstanceOf(Outcome.Error.class, ear.outcomes.get(0)).failure();
    assertEquals(FailureCode.UNKNOWN_EFFECT, failure.code());
    assertTrue(failure.remoteEffect());
    assertEquals(1, ear.settled);
    assertTrue(ear.quarantined);
    assertEquals(0, f.released, "the memory is not the caller's");
    assertEquals(500, f.count(Counter.QUARANTINED_BYTES));

    f.channel(0).die(LOST);
    assertEquals(1, f.released, "let go of after all");
    assertEquals(0, f.count(Counter.QUARANTINED_BYTES));
    assertEquals(1, ear.settled);
  }

  @Test
  void theFenceGoesAheadOfTheRedoOnTheSameChannel() {
    var f = new FlowFixture(2, 2, Fencing.ORDERED);
    f.policy = failure -> new Decision.Redispatch();
    var ear = f.submit(FAR, true, 500);
    var first = f.channels.stream().filter(c -> !c.posted.isEmpty()).findFirst().orElseThrow();
    var other = f.channels.stream().filter(c -> c != first).findFirst().orElseThrow();
    first.die(LOST);
    f.pump();
    assertEquals(List.of(first.id(), 7_000L, "flush"), other.order.stream().toList());
    other.completeAll();
    assertEquals("COMPLETED", ear.code(0));
  }

  @Test
  void noRedoIsPostedWhereTheFenceFindsNoPlace() {
    var f = new FlowFixture(2, 2, Fencing.ORDERED);
    f.policy = failure -> new Decision.Redispatch();
    f.submit(FAR, true, 500);
    var first = f.channels.stream().filter(c -> !c.posted.isEmpty()).findFirst().orElseThrow();
    f.channels.forEach(c -> c.canFence = false);
    f.answerConnects = false;
    first.die(LOST);
    f.pump();
    assertTrue(f.channels.stream().allMatch(c -> c.posted.isEmpty()));
  }

  @Test
  void aReadNeedsNoFence() {
    var f = new FlowFixture(1, 1, Fencing.ORDERED);
    f.submit(FAR, false, 500);
    f.channel(0).die(LOST);
    f.pass(10);
    assertEquals(List.of(7_000L, "flush"), f.channel(1).order);
  }

  @Test
  void aRedoByWordIsHeldUntilThePeerHasFenced() {
    var f = new FlowFixture(1, 1, Fencing.BY_WORD);
    var ear = f.submit(FAR, true, 500);
    f.channel(0).die(LOST);
    f.pass(10);
    f.channel(1).completeAll();
    f.pump();
    assertEquals("OPEN", ear.code(0));
    assertEquals(1, f.fencesAsked.size());
    assertEquals(f.channel(0).id(), f.fencesAsked.getFirst().id());

    f.flow.fenced(f.fencesAsked.getFirst(), false, f.now);
    f.pump();
    assertEquals("OPEN", ear.code(0), "a refusal is no fence");
    f.pass(150);
    assertEquals(2, f.fencesAsked.size(), "and is asked for again");
    f.flow.fenced(f.fencesAsked.getLast(), true, f.now);
    f.pump();
    assertEquals("COMPLETED", ear.code(0));
    assertEquals(0, f.flow.inFlightSlices());
  }

  @Test
  void aHeldRedoWhoseFenceNeverComesEndsAtItsDeadlineWithTheRemoteUnknown() {
    var f = new FlowFixture(1, 1, Fencing.BY_WORD);
    var ear = f.submit(3_000, true, 500);
    f.channel(0).die(LOST);
    f.pass(10);
    f.channel(1).completeAll();
    f.now += 3_000 * MS;
    f.flow.expire(ear.part, f.now);
    f.pump();
    assertTrue(
        assertInstanceOf(Outcome.TimedOut.class, ear.outcomes.get(0)).failure().remoteEffect());
    assertEquals(1, f.released);
    assertEquals(0, f.flow.inFlightSlices());
    assertEquals(0, ear.settled, "its old attempt may still land");
    f.flow.fenced(f.fencesAsked.getFirst(), true, f.now);
    f.pump();
    assertEquals(1, ear.settled);
    assertFalse(ear.quarantined);
    assertEquals(0, f.pool.inUse());
  }

  @Test
  void aHandOffKeepsTheRemoteRailAndItsKeyAndChangesTheLocalOne() {
    var f = new FlowFixture(2, 2, Fencing.ORDERED);
    f.policy = failure -> new Decision.HandOff();
    f.submit(FAR, true, 500);
    var first = f.channels.stream().filter(c -> !c.posted.isEmpty()).findFirst().orElseThrow();
    var before = first.posted.getFirst();
    var remoteKey = before.remoteKey();
    var localKey = before.localKey().remoteKey();
    var remoteRail = first.asked.remoteRail();
    first.die(LOST);
    f.pump();
    var next = f.channels.stream().filter(c -> !c.posted.isEmpty()).findFirst().orElseThrow();
    assertEquals(remoteRail, next.asked.remoteRail());
    assertEquals(remoteKey, next.posted.getFirst().remoteKey());
    assertEquals(7_000, next.posted.getFirst().remoteAddress());
    assertFalse(localKey == next.posted.getFirst().localKey().remoteKey());
    assertEquals(List.of(first.asked.localRail() + "->" + remoteRail + " 1 ours"), f.handedOff);
    assertEquals(1, f.count(Counter.HANDED_OFF));
    assertEquals(0, f.count(Counter.REDISPATCHED));
  }

  @Test
  void eachPathTellsWhatItCarried() {
    var f = new FlowFixture(2, 2, Fencing.ORDERED);
    f.policy = failure -> new Decision.HandOff();
    f.submit(FAR, true, 500);
    var first = f.channels.stream().filter(c -> !c.posted.isEmpty()).findFirst().orElseThrow();
    first.die(LOST);
    f.pump();
    var next = f.channels.stream().filter(c -> !c.posted.isEmpty()).findFirst().orElseThrow();
    next.completeAll();
    f.pump();
    for (var slot : f.flow.paths().slots()) {
      var carried =
          slot.localRail() == next.asked.localRail()
              && slot.remoteRail() == next.asked.remoteRail();
      assertEquals(carried ? 500 : 0, slot.carried(), slot.toString());
    }
  }

  @Test
  void aPausedPathCarriesNothingWhileAnotherIsFree() {
    var f = new FlowFixture(2, 2, Fencing.ORDERED);
    f.submit(FAR, true, 500);
    f.channels.forEach(FlowFixture.FakeChannel::completeAll);
    var paths = f.flow.paths();
    paths.pause(paths.slots().getFirst(), f.now + 1_000 * MS);
    f.submit(FAR, true, 500, 500, 500);
    for (var channel : f.channels) {
      assertEquals(channel.asked.localRail() == 0 ? 0 : 3, channel.posted.size());
    }
  }

  @Test
  void theOnlyPathIsUsedThoughItRests() {
    var f = new FlowFixture(1, 1, Fencing.ORDERED);
    var paths = f.flow.paths();
    paths.pause(paths.slots().getFirst(), f.now + 1_000 * MS);
    f.submit(FAR, true, 500);
    assertEquals(1, f.channel(0).posted.size());
  }

  @Test
  void anInactiveRailCarriesNothing() {
    var f = new FlowFixture(2, 1, Fencing.ORDERED);
    for (var slot : f.flow.paths().slots()) {
      f.flow.paths().activate(slot, slot.localRail() != 0, f.now);
    }
    f.submit(FAR, true, 500, 500);
    assertTrue(f.channels.stream().allMatch(c -> c.asked.localRail() == 1));
  }

  @Test
  void whatWaitsFailsWhenNoPathCanBeHad() {
    var f = new FlowFixture(1, 1, Fencing.ORDERED);
    f.answerConnects = false;
    f.policy =
        failure ->
            failure.attempts() < 3
                ? new Decision.Retry(MS)
                : new Decision.GiveUp(FailureCode.UNREACHABLE, "three times");
    var ear = f.submit(FAR, true, 500);
    for (int i = 0; i < 3; i++) {
      assertEquals("OPEN", ear.code(0));
      f.pass(1_000);
      f.refuse(REFUSED);
      f.pump();
    }
    var failure = assertInstanceOf(Outcome.Error.class, ear.outcomes.get(0)).failure();
    assertEquals(FailureCode.UNREACHABLE, failure.code());
    assertTrue(failure.message().contains("connection refused"), failure::message);
    assertEquals(1, ear.settled);
  }

  @Test
  void aFailureTellsTheWholeHistory() {
    var f = new FlowFixture(1, 1, Fencing.ORDERED);
    f.policy =
        failure ->
            failure.attempts() < 2
                ? new Decision.Retry(MS)
                : new Decision.GiveUp(FailureCode.CONNECTION, "enough");
    var ear = f.submit(FAR, true, 500);
    f.channel(0).die(LOST);
    f.pass(10);
    f.channel(1).die(LOST);
    f.pump();
    var failure = assertInstanceOf(Outcome.Error.class, ear.outcomes.get(0)).failure();
    assertEquals(List.of(1, 2), failure.attempts().stream().map(a -> a.number()).toList());
    assertTrue(failure.remoteEffect());
  }

  @Test
  void aRefusedRequestChargesNoPath() {
    var f = new FlowFixture(1, 1, Fencing.ORDERED);
    f.policy = failure -> new Decision.GiveUp(failure.fault().code(), failure.fault().text());
    var ear = f.submit(FAR, true, 500);
    var range =
        new Fault(Fault.Blame.REQUEST, FailureCode.REMOTE_RANGE, Fault.Effect.NONE, "no range");
    f.flow.failed(f.channel(0).posted.removeFirst(), range, f.now);
    f.pump();
    assertEquals("FAILED", ear.code(0));
    assertEquals(List.of(), f.charged);
    assertEquals(1, f.channels.size());
  }

  @Test
  void cancelEndsWhatIsOpenAndNothingElse() {
    var f = new FlowFixture(1, 1, Fencing.ORDERED);
    var ear = f.submit(FAR, true, 100, 200);
    f.channel(0).complete();
    f.flow.cancel(ear.part);
    assertEquals(List.of("COMPLETED", "CANCELLED"), List.of(ear.code(0), ear.code(1)));
    assertEquals(0, ear.settled);
    f.channel(0).complete();
    assertEquals(1, ear.settled);
  }

  @Test
  void aRetiredFlowEndsEverythingOnceAndTakesNothingMore() {
    var f = new FlowFixture(1, 1, Fencing.BY_WORD);
    var redone = f.submit(FAR, true, 500);
    f.channel(0).die(LOST);
    f.pass(10);
    f.channel(1).completeAll();
    var posted = f.submit(FAR, true, 600);
    f.depth = 0;
    var queued = f.submit(FAR, true, 700);
    f.flow.retire(FailureCode.STALE_GENERATION, "restarted", RetireReason.STALE_GENERATION, f.now);
    var late = f.submit(FAR, true, 800);
    for (var ear : List.of(redone, posted, queued, late)) {
      assertEquals("FAILED", ear.code(0));
      assertEquals(1, ear.done);
    }
    assertEquals(List.of(RetireReason.STALE_GENERATION), f.channel(1).retired);
    f.channel(1).die(LOST);
    f.pump();
    assertEquals(4, f.released);
    assertEquals(0, f.pool.inUse());
    assertTrue(f.flow.idle());
  }

  @Test
  void anotherGenerationIsToldAndChargesNoPath() {
    var f = new FlowFixture(1, 1, Fencing.ORDERED);
    f.answerConnects = false;
    f.submit(FAR, true, 500);
    f.refuse(
        new Fault(
            Fault.Blame.REMOTE, FailureCode.STALE_GENERATION, Fault.Effect.NONE, "another one"));
    assertEquals(List.of("stale"), f.charged);
  }

  @Test
  void aTransportThatNeverAnswersDoesNotHoldARequestForEver() {
    var f = new FlowFixture(1, 1, Fencing.ORDERED);
    f.answerConnects = false;
    f.policy = failure -> new Decision.GiveUp(failure.fault().code(), failure.fault().text());
    var ear = f.submit(FAR, true, 500);
    f.pass(1_500);
    assertEquals("OPEN", ear.code(0));
    f.pass(501);
    assertEquals("FAILED", ear.code(0));
    assertEquals(List.of(), f.asked);
  }
}
