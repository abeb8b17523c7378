package dev.shunt.runtime.transfer.core;

import static dev.shunt.runtime.transfer.core.FlowFixture.LOST;
import static dev.shunt.runtime.transfer.core.FlowFixture.MS;
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
import dev.shunt.api.spi.SliceFailure;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of a flow when one of our own rails goes. */
class FlowRailTest {
  private static final long FAR = 60_000;

  private final List<SliceFailure> decided = new ArrayList<>();

  private Decision byBlame(SliceFailure failure) {
    decided.add(failure);
    return failure.fault().blame() == Fault.Blame.LOCAL
        ? new Decision.HandOff()
        : new Decision.Redispatch();
  }

  @Test
  void whatWasPostedIsHandedOffAtOnceAndOnlyOurSideChanges() {
    var f = new FlowFixture(2, 2, Fencing.ORDERED);
    f.policy = this::byBlame;
    var ear = f.submit(FAR, true, 500);
    var lost = f.channels.stream().filter(c -> !c.posted.isEmpty()).findFirst().orElseThrow();
    var slice = lost.posted.getFirst();
    var target = List.of(slice.remoteAddress(), slice.remoteKey(), slice.length(), slice.offset());
    var ourKey = slice.localKey().remoteKey();

    f.rail(lost.asked.localRail(), false);
    assertEquals(List.of(RetireReason.RAIL_INACTIVE), lost.retired);
    lost.die(LOST);
    f.pump();

    var other =
        f.channels.stream().filter(c -> c != lost && !c.posted.isEmpty()).findFirst().orElseThrow();
    var again = other.posted.getFirst();
    assertEquals(lost.asked.remoteRail(), other.asked.remoteRail());
    assertEquals(
        target, List.of(again.remoteAddress(), again.remoteKey(), again.length(), again.offset()));
    assertTrue(other.asked.localRail() != lost.asked.localRail());
    assertTrue(again.localKey().remoteKey() != ourKey);
    assertEquals(Fault.Blame.LOCAL, decided.getFirst().fault().blame());
    assertTrue(decided.getFirst().localAlternatives() > 0);
    other.completeAll();
    assertEquals("COMPLETED", ear.code(0));
    assertEquals(
        List.of(),
        f.charged.stream().filter(path -> !path.endsWith(" well")).toList(),
        "nobody is to blame");
  }

  @Test
  void theRestOfARequestGoesByTheRailsThatAreLeft() {
    var f = new FlowFixture(2, 2, Fencing.ORDERED);
    var ear = f.submit(FAR, true, 40_000);
    f.rail(0, false);
    f.channels.stream().filter(c -> c.asked.localRail() == 0).toList().forEach(c -> c.die(LOST));
    f.pass(10);
    while (ear.done == 0) {
      for (var channel : List.copyOf(f.channels)) {
        assertTrue(channel.asked.localRail() == 1 || channel.posted.isEmpty());
        channel.completeAll();
      }
      f.pump();
    }
    assertEquals("COMPLETED", ear.code(0));
  }

  @Test
  void aConnectionThatComesUpOnARailThatWentMeanwhileIsNotTaken() {
    var f = new FlowFixture(1, 1, Fencing.ORDERED);
    f.answerConnects = false;
    f.submit(FAR, true, 500);
    var asked = f.asked.getFirst();
    f.rail(0, false);
    assertEquals(List.of(), f.asked, "nobody waits for it");
    var channel = f.new FakeChannel(asked);
    assertTrue(!f.flow.channelUp(asked.id(), channel, f.now));
  }

  @Test
  void aPolicyThatTellsTheCauseItselfHasItNotToldTwice() {
    var f = new FlowFixture(1, 1, Fencing.ORDERED);
    f.policy = failure -> new Decision.GiveUp(failure.fault().code(), failure.fault().text());
    f.rail(0, false);
    var waiting = f.submit(FAR, true, 500);
    f.now += 5 * MS;
    f.pump();
    var failure = assertInstanceOf(Outcome.Error.class, waiting.outcomes.get(0)).failure();
    assertFalse(failure.message().contains("("), failure.message());
  }

  @Test
  void withoutAnyRailLeftARequestEndsByThePolicyAndTellsItsAttempts() {
    var f = new FlowFixture(1, 1, Fencing.ORDERED);
    f.policy =
        failure ->
            failure.fault().code() == FailureCode.NO_RAIL
                ? failure.attempts() < 3
                    ? new Decision.Retry(5 * MS)
                    : new Decision.GiveUp(FailureCode.NO_RAIL, "three rounds")
                : new Decision.Retry(5 * MS);
    var tried = f.submit(FAR, true, 500);
    f.rail(0, false);
    f.channel(0).die(LOST);
    var waiting = f.submit(FAR, true, 500);
    for (int i = 0; i < 3; i++) {
      assertEquals("OPEN", waiting.code(0));
      assertEquals(f.now + 5 * MS, f.flow.nextDeadline(f.now), "the lane is woken for it");
      f.now += 5 * MS;
      f.pump();
      if (i == 1) {
        break;
      }
    }
    for (var ear : List.of(tried, waiting)) {
      var failure = assertInstanceOf(Outcome.Error.class, ear.outcomes.get(0)).failure();
      assertEquals(FailureCode.NO_RAIL, failure.code());
      assertTrue(failure.message().contains("none of our rails"), failure::message);
    }
    var failure = assertInstanceOf(Outcome.Error.class, tried.outcomes.get(0)).failure();
    assertEquals(1, failure.attempts().size());
    assertTrue(failure.remoteEffect());
  }

  @Test
  void withoutAnyRailLeftAllMovesAtOnceWhereThereIsAnotherTransport() {
    var f = new FlowFixture(2, 1, Fencing.ORDERED);
    f.others = 1;
    f.policy = failure -> new Decision.NextTransport();
    f.rail(0, false);
    f.rail(1, false);
    f.submit(FAR, true, 500);
    assertEquals(1, f.moved.size());
    f.rail(0, true);
    f.others = 0;
    var ear = f.submit(FAR, true, 500);
    f.channel(0).completeAll();
    assertEquals("COMPLETED", ear.code(0), "the rail is back");
  }

  @Test
  void aRemoteThatIsSaidToUseNoneOfItsRailsIsLookedUpAgain() {
    var f = new FlowFixture(1, 1, Fencing.ORDERED);
    f.policy = failure -> new Decision.Retry(MS);
    var slot = f.flow.paths().slots().getFirst();
    f.flow.paths().activateRemote(slot, false);
    var ear = f.submit(FAR, true, 500);
    assertTrue(f.refusals > 0);
    f.flow.paths().activateRemote(slot, true);
    f.pass(10);
    f.channel(0).completeAll();
    assertEquals("COMPLETED", ear.code(0));
    f.rail(0, false);
    int before = f.refusals;
    f.submit(FAR, true, 500);
    assertEquals(before, f.refusals, "our own rails are no matter of the remote's");
  }

  @Test
  void aRedoneWriteOfATransportThatFencesByWordWaitsForTheGraceWhereNobodyCanBeAsked() {
    var f = new FlowFixture(1, 1, Fencing.BY_WORD, false);
    f.policy = this::byBlame;
    var ear = f.submit(FAR, true, 500);
    f.channel(0).die(LOST);
    f.pass(10);
    f.channel(1).completeAll();
    f.pass(980);
    assertEquals("OPEN", ear.code(0));
    f.pass(10);
    assertEquals("COMPLETED", ear.code(0));
    assertEquals(List.of(), f.fencesAsked);
    assertEquals(1, f.count(Counter.UNFENCED));
    assertEquals(Fencing.GRACE, decided.getFirst().fencing(), "and the policy knows");
  }

  @Test
  void aFailureTellsTheAttemptsOfAllSlicesUpToABound() {
    var f = new FlowFixture(1, 1, Fencing.ORDERED);
    f.policy = failure -> new Decision.Retry(0);
    var ear = f.submit(FAR, false, 16_000);
    for (int round = 0; round < 6; round++) {
      f.channels.getLast().die(LOST);
      f.pass(1_100);
    }
    f.policy = failure -> new Decision.GiveUp(FailureCode.CONNECTION, "enough");
    f.channels.getLast().die(LOST);
    f.pump();
    var failure = assertInstanceOf(Outcome.Error.class, ear.outcomes.get(0)).failure();
    assertEquals(Past.MOST, failure.attempts().size());
    assertTrue(
        failure.message().endsWith("; " + (7 * 16 - Past.MOST) + " attempts more are not told"),
        failure::message);
  }
}
