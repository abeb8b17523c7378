package dev.shunt.runtime.transfer.core;

import static dev.shunt.runtime.transfer.core.FlowFixture.LOST;
import static dev.shunt.runtime.transfer.core.FlowFixture.MS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Failure;
import dev.shunt.api.FailureCode;
import dev.shunt.api.Outcome;
import dev.shunt.api.spi.Decision;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Limits.Fencing;
import dev.shunt.api.spi.RetireReason;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Writes that have ended and may still land: settled comes when nothing of them can. */
class FlowLateTest {
  private static final long FAR = 60_000;
  private static final Fault UNSENT =
      new Fault(LOST.blame(), LOST.code(), Fault.Effect.NONE, "nothing had been sent");

  /** A write whose deadline passes while it is on a channel, which then ends. */
  private static FlowFixture.Ear lost(FlowFixture f, boolean write, Fault fault) {
    var ear = f.submit(100, write, 500);
    f.now += 100 * MS;
    f.flow.expire(ear.part, f.now);
    f.channels.getLast().die(fault);
    f.pump();
    return ear;
  }

  private static void fenced(FlowFixture f, boolean word) {
    f.flow.fenced(f.fencesAsked.getLast(), word, f.now);
    f.pump();
  }

  private static void ends(FlowFixture f, FlowFixture.Ear ear, boolean quarantined) {
    assertEquals(List.of(1, 1, quarantined), List.of(ear.done, ear.settled, ear.quarantined));
    assertEquals(List.of(0L, 0L), List.of(f.pool.inUse(), f.count(Counter.DRAINING_BYTES)));
    assertEquals(1, f.released);
    assertTrue(f.flow.idle());
  }

  @Test
  void aTimedOutWriteSettlesWhenItsLinkIsFencedByWord() {
    for (var fencing : List.of(Fencing.ORDERED, Fencing.BY_WORD)) {
      var f = new FlowFixture(1, 1, fencing);
      var ear = lost(f, true, LOST);
      assertEquals(1, ear.done);
      assertEquals(0, ear.settled, "its bytes may still land");
      assertEquals(1, f.released, "the fabric has let go of its memory");
      assertEquals(500, f.count(Counter.DRAINING_BYTES));
      assertEquals(0, f.flow.inFlightSlices(), "it holds no window");
      assertEquals(f.channel(0).id(), f.fencesAsked.getFirst().id());
      fenced(f, false);
      assertEquals(0, ear.settled, "a refusal is no fence");
      f.pass(150);
      assertEquals(2, f.fencesAsked.size(), "it is asked for again");
      fenced(f, true);
      ends(f, ear, false);
    }
  }

  @Test
  void aReadAndAWriteThatNeverWentOutSettleAtOnce() {
    var f = new FlowFixture(1, 1, Fencing.ORDERED);
    ends(f, lost(f, false, LOST), false);
    f = new FlowFixture(1, 1, Fencing.BY_WORD);
    ends(f, lost(f, true, UNSENT), false);
    assertEquals(List.of(), f.fencesAsked);
  }

  @Test
  void whereNobodyCanFenceItSettlesAfterTheGrace() {
    for (var f :
        List.of(
            new FlowFixture(1, 1, Fencing.GRACE),
            new FlowFixture(1, 1, Fencing.ORDERED, false),
            new FlowFixture(1, 1, Fencing.BY_WORD, false))) {
      var ear = lost(f, true, LOST);
      f.pass(999);
      assertEquals(0, ear.settled);
      assertEquals(f.now + MS, f.flow.nextDeadline(f.now), "the lane is woken for it");
      f.pass(1);
      ends(f, ear, false);
      assertEquals(List.of(), f.fencesAsked);
    }
  }

  @Test
  void whatIsForARemoteThatClosesEndsAtOnceAndSettlesWhenItsLinksAreFenced() {
    var closes = Failure.of(FailureCode.CLOSED, "peer closes");
    var f = new FlowFixture(1, 1, Fencing.ORDERED);
    f.depth = 1;
    f.answerConnects = true;
    var posted = f.submit(FAR, true, 500);
    var queued = f.submit(FAR, true, 500);
    f.answerConnects = false;
    f.channel(0).die(LOST);
    f.flow.endAll(closes);
    f.pump();
    assertEquals(
        List.of(FailureCode.CLOSED, FailureCode.CLOSED), List.of(why(posted), why(queued)));
    assertEquals(List.of(0, 1), List.of(posted.settled, queued.settled), "one may still land");
    assertEquals(1, f.fencesAsked.size());
    fenced(f, true);
    assertEquals(List.of(1, false), List.of(posted.settled, posted.quarantined));
    assertTrue(f.flow.idle());
    var next = f.submit(FAR, true, 500);
    assertEquals("OPEN", next.code(0), "what comes later is tried: it may be there again");
    f.flow.retire(FailureCode.STALE_GENERATION, "it is", RetireReason.STALE_GENERATION, f.now);
    assertEquals(FailureCode.STALE_GENERATION, why(next));
  }

  private static FailureCode why(FlowFixture.Ear ear) {
    return ((Outcome.Error) ear.outcomes.get(0)).failure().code();
  }

  @Test
  void aRedoThatWaitsForAFenceEndsWhenItsRemoteCloses() {
    var f = new FlowFixture(1, 1, Fencing.BY_WORD);
    var ear = f.submit(FAR, true, 500);
    f.channel(0).die(LOST);
    f.pass(50);
    f.channel(1).completeAll();
    f.pump();
    assertEquals("OPEN", ear.code(0), "it is held for the word");
    f.flow.endAll(Failure.of(FailureCode.CLOSED, "peer closes"));
    f.pump();
    assertEquals(FailureCode.CLOSED, why(ear));
    fenced(f, true);
    ends(f, ear, false);
  }

  @Test
  void whatIsOnAChannelWhenItsRemoteClosesDrainsThere() {
    var f = new FlowFixture(1, 1, Fencing.ORDERED);
    var ear = f.submit(FAR, true, 500);
    f.flow.endAll(Failure.of(FailureCode.CLOSED, "peer closes"));
    f.pump();
    assertEquals(List.of(FailureCode.CLOSED, 0), List.of(why(ear), ear.settled));
    f.channel(0).completeAll();
    f.pump();
    ends(f, ear, false);
  }

  @Test
  void whereItCannotBeToldItIsQuarantined() {
    var f = new FlowFixture(1, 1, Fencing.NONE);
    ends(f, lost(f, true, LOST), true);
    assertEquals(500, f.count(Counter.QUARANTINED_BYTES));
  }

  @Test
  void whatIsNeverFencedIsQuarantinedPastTheDrainLimit() {
    var f = new FlowFixture(1, 1, Fencing.BY_WORD);
    var ear = lost(f, true, LOST);
    f.pass(2_000);
    assertEquals(0, ear.settled);
    assertTrue(f.flow.nextDeadline(f.now) <= f.now + 1, "the lane is woken for it");
    f.pass(1);
    assertEquals(List.of(1, true), List.of(ear.settled, ear.quarantined));
    assertEquals(500, f.count(Counter.QUARANTINED_BYTES));
    fenced(f, true);
    ends(f, ear, true);
    assertEquals(0, f.count(Counter.QUARANTINED_BYTES), "it was fenced after all");
  }

  private static String told(FlowFixture f, boolean write, Fault fault) {
    var ear = f.submit(100, write, 500);
    f.answerConnects = false;
    f.channel(0).die(fault);
    f.pass(100);
    f.flow.expire(ear.part, f.now);
    return ((Outcome.TimedOut) ear.outcomes.get(0)).failure().message();
  }

  @Test
  void theDeadlineTellsThatAnOldAttemptMayStillLand() {
    var passed = "the deadline passed; 0 of 500 bytes were done";
    for (var fencing : List.of(Fencing.ORDERED, Fencing.BY_WORD, Fencing.GRACE)) {
      assertEquals(
          passed + "; nobody has made sure that an old attempt does not land any more",
          told(new FlowFixture(1, 1, fencing), true, LOST));
      assertEquals(passed, told(new FlowFixture(1, 1, fencing), true, UNSENT));
      assertEquals(passed, told(new FlowFixture(1, 1, fencing), false, LOST));
    }
  }

  @Test
  void theDeadlineTellsThatThePeerIsUnreachable() {
    var f = new FlowFixture(1, 1, Fencing.ORDERED);
    f.silence = "peer is unreachable since 1.000 s ago (refused)";
    assertEquals(
        "the deadline passed; 0 of 500 bytes were done; " + f.silence, told(f, false, LOST));
  }

  @Test
  void whoseLocalMemoryWasGivenBackIsCountedApart() {
    var late = new FlowFixture(1, 1, Fencing.BY_WORD);
    lost(late, true, LOST);
    late.pass(2_001);
    assertEquals(500, late.count(Counter.QUARANTINED_BYTES));
    assertEquals(500, late.count(Counter.QUARANTINED_REMOTE_BYTES));
    fenced(late, true);
    assertEquals(0, late.count(Counter.QUARANTINED_REMOTE_BYTES));

    var stuck = new FlowFixture(1, 1, Fencing.BY_WORD);
    var ear = stuck.submit(100, true, 500);
    stuck.now += 100 * MS;
    stuck.flow.expire(ear.part, stuck.now);
    stuck.pass(20_000);
    stuck.pass(20_000);
    assertEquals(500, stuck.count(Counter.QUARANTINED_BYTES));
    assertEquals(0, stuck.count(Counter.QUARANTINED_REMOTE_BYTES), "the transport has it still");
  }

  @Test
  void soManyAreKeptAndNoMore() {
    var f = new FlowFixture(1, 1, Fencing.BY_WORD);
    f.depth = 10_000;
    int most = LateWrites.MOST + 3;
    for (int i = 0; i < most; i++) {
      var ear = f.submit(FAR, true, 500);
      f.flow.cancel(ear.part);
    }
    f.channel(0).die(LOST);
    f.pump();
    assertEquals(LateWrites.MOST, f.pool.inUse());
    assertEquals(3 * 500, f.count(Counter.QUARANTINED_BYTES));
    f.pass(2_001);
    assertEquals(LateWrites.MOST_QUARANTINED, f.pool.inUse());
    assertEquals(500L * most, f.count(Counter.QUARANTINED_BYTES));
    assertEquals(0, f.count(Counter.DRAINING_BYTES));
  }

  @Test
  void aCancelledWriteThatFailedOrWaitedSettlesWhenItsLinkIsFenced() {
    for (boolean decided : List.of(false, true)) {
      var f = new FlowFixture(1, 1, Fencing.ORDERED);
      f.policy = failure -> new Decision.Retry(FAR * MS);
      var ear = f.submit(FAR, true, 500);
      f.channel(0).die(LOST);
      if (decided) {
        f.pump();
      }
      f.flow.cancel(ear.part);
      f.pump();
      assertEquals(0, f.flow.inFlightSlices());
      assertEquals("CANCELLED", ear.code(0));
      assertEquals(0, ear.settled, "decided upon: " + decided);
      fenced(f, true);
      ends(f, ear, false);
    }
  }

  @Test
  void aWriteThatIsGivenUpSettlesWhenItsLinkIsFenced() {
    var f = new FlowFixture(1, 1, Fencing.ORDERED);
    f.policy = failure -> new Decision.GiveUp(FailureCode.CONNECTION, "enough");
    var ear = f.submit(FAR, true, 500);
    f.channel(0).die(LOST);
    f.pump();
    assertEquals("FAILED", ear.code(0));
    assertEquals(0, ear.settled);
    fenced(f, true);
    ends(f, ear, false);
  }

  @Test
  void aSiblingOfASliceThatFailedSettlesWhenItsLinkIsFenced() {
    var f = new FlowFixture(1, 1, Fencing.ORDERED);
    f.policy = failure -> new Decision.GiveUp(FailureCode.REMOTE_RANGE, "not there");
    var ear = f.submit(FAR, true, 2_000);
    f.flow.failed(f.channel(0).posted.removeFirst(), UNSENT, f.now);
    f.pump();
    assertEquals("FAILED", ear.code(0));
    assertEquals(0, ear.settled);
    assertEquals(0, f.released, "it is on a channel");
    f.channel(0).die(LOST);
    f.pump();
    assertEquals(List.of(0, 1), List.of(ear.settled, f.released));
    fenced(f, true);
    ends(f, ear, false);
  }

  @Test
  void aWriteThatEndsBeforeItMovesSettlesWhenItsLinkIsFenced() {
    var f = new FlowFixture(1, 1, Fencing.BY_WORD);
    f.others = 1;
    f.policy = failure -> new Decision.NextTransport();
    var ear = f.submit(FAR, true, 500);
    f.channel(0).die(LOST);
    f.pump();
    f.flow.cancel(ear.part);
    f.pump();
    assertEquals(List.of(0, 500L), List.of(ear.settled, f.count(Counter.DRAINING_BYTES)));
    fenced(f, true);
    ends(f, ear, false);
    assertEquals(List.of(), f.moved);
  }

  @Test
  void aRedoThatIsDoneAfterItsEndWaitsForTheWordAboutTheFirstAttempt() {
    var f = new FlowFixture(1, 1, Fencing.BY_WORD);
    var ear = f.submit(FAR, true, 500);
    f.channel(0).die(LOST);
    f.pass(10);
    f.flow.cancel(ear.part);
    f.channel(1).completeAll();
    f.pump();
    assertEquals(0, ear.settled);
    fenced(f, true);
    ends(f, ear, false);
  }

  @Test
  void aRedoThatIsDoneBehindItsFenceSettlesAtOnce() {
    var f = new FlowFixture(1, 1, Fencing.ORDERED);
    var ear = f.submit(FAR, true, 500);
    f.channel(0).die(LOST);
    f.pass(10);
    f.flow.cancel(ear.part);
    f.channel(1).completeAll();
    f.pump();
    ends(f, ear, false);
    assertEquals(List.of(), f.fencesAsked);
  }

  @Test
  void aStreamThatGoesOnHasAnswered() {
    var f = new FlowFixture(1, 1, Fencing.ORDERED);
    var ear = f.submit(FAR, true, 500);
    f.flow.cancel(ear.part);
    f.flow.failed(f.channel(0).posted.removeFirst(), LOST, f.now);
    f.pump();
    ends(f, ear, false);
    assertEquals(List.of(), f.fencesAsked, "a word would cost its neighbours their stream");
  }

  @Test
  void aNewerWriteGoesBehindTheFenceOfWhatHasEnded() {
    var f = new FlowFixture(1, 1, Fencing.ORDERED);
    var old = lost(f, true, LOST);
    f.pass(20);
    var next = f.submit(FAR, true, 600);
    var channel = f.channel(1);
    assertEquals(List.of(f.channel(0).id(), 7_000L, "flush"), channel.order);
    f.submit(FAR, true, 700);
    assertEquals(List.of(7_000L, "flush"), channel.order.subList(3, 5), "one frame for a stream");
    channel.completeAll();
    assertEquals("COMPLETED", next.code(0));
    assertEquals(0, old.settled, "the word is out");
    fenced(f, true);
    assertEquals(1, old.settled);
  }

  @Test
  void aNewerWriteWaitsWhereThatFenceFindsNoRoom() {
    var f = new FlowFixture(2, 1, Fencing.ORDERED);
    var old = f.submit(100, true, 500);
    var lost = f.channels.stream().filter(c -> !c.posted.isEmpty()).findFirst().orElseThrow();
    var other = f.channels.stream().filter(c -> c != lost).findFirst().orElseThrow();
    f.flow.cancel(old.part);
    f.answerConnects = false;
    lost.die(LOST);
    f.pump();
    other.canFence = false;
    f.submit(FAR, true, 600);
    assertEquals(List.of(), other.posted);
    other.canFence = true;
    f.pump();
    assertEquals(1, other.posted.size());
  }

  @Test
  void nothingOfAnotherProcessIsWaitedForAndAClosedFlowWaitsForNothing() {
    for (boolean before : List.of(false, true)) {
      for (var reason : List.of(RetireReason.STALE_GENERATION, RetireReason.CLOSED)) {
        var f = new FlowFixture(1, 1, Fencing.BY_WORD);
        var ear = f.submit(FAR, true, 500);
        f.flow.cancel(ear.part);
        if (before) {
          f.channel(0).die(LOST);
        }
        f.flow.retire(FailureCode.CLOSED, "over", reason, f.now);
        if (!before) {
          f.channel(0).die(LOST);
        }
        f.pump();
        ends(f, ear, reason == RetireReason.CLOSED);
        assertFalse(f.flow.waits());
      }
    }
  }
}
