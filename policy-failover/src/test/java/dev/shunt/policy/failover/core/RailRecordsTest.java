package dev.shunt.policy.failover.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Fault.Effect;
import dev.shunt.api.spi.RailHealth.Action;
import dev.shunt.api.spi.RailHealth.State;
import dev.shunt.api.spi.RailLoss;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RailRecordsTest {
  private static final long START = Long.MAX_VALUE - 100;
  private static final int RAIL = 1;
  private static final Fault OURS = fault(Blame.LOCAL);

  private final RailRecords rails = new RailRecords(new RailLimits(30, 300, 32));

  @Test
  void aRailThatNobodyToldOfIsActive() {
    var record = rails.record(RAIL, START);
    assertEquals(State.ACTIVE, record.state());
    assertFalse(record.changed());
    assertEquals(Long.MIN_VALUE, record.verifiedAt());
    assertEquals(Long.MAX_VALUE, rails.nextDeadline());
  }

  @Test
  void aLostLinkWaitsForItsReturnThenForTheDelayThenForTheCheck() {
    assertEquals(
        List.of(new Action.Deactivate(RAIL, "down")),
        rails.inactive(RAIL, RailLoss.LINK, "down", START));
    assertEquals(State.INACTIVE, state(START));
    assertEquals(Long.MAX_VALUE, rails.nextDeadline());
    assertEquals(List.of(), rails.tick(START + 1000));
    assertEquals(List.of(), rails.returned(RAIL, START + 1000));
    assertEquals(START + 1030, rails.nextDeadline());
    assertEquals(START + 1030, rails.record(RAIL, START + 1000).recoverAt());
    assertEquals(List.of(), rails.tick(START + 1029));
    var check = check(rails.tick(START + 1030));
    assertFalse(check.anew());
    assertEquals(State.RECOVERING, state(START + 1030));
    assertTrue(rails.record(RAIL, START + 1030).checking());
    assertEquals(
        List.of(new Action.Activate(RAIL)), rails.checked(RAIL, check.number(), "", START + 1040));
    assertEquals(State.ACTIVE, state(START + 1040));
    assertEquals(START + 1040, rails.record(RAIL, START + 1040).verifiedAt());
  }

  @Test
  void aSecondUpDoesNotMoveTheDeadline() {
    rails.inactive(RAIL, RailLoss.LINK, "down", START);
    rails.returned(RAIL, START + 10);
    rails.returned(RAIL, START + 20);
    assertEquals(START + 40, rails.nextDeadline());
  }

  @Test
  void aDownCancelsTheDelayAndTheCheck() {
    rails.inactive(RAIL, RailLoss.LINK, "down", START);
    rails.returned(RAIL, START);
    assertEquals(List.of(), rails.inactive(RAIL, RailLoss.LINK, "down", START + 10));
    assertEquals(Long.MAX_VALUE, rails.nextDeadline());
    assertEquals(List.of(), rails.tick(START + 40));
    rails.returned(RAIL, START + 50);
    var check = check(rails.tick(START + 80));
    assertEquals(List.of(), rails.inactive(RAIL, RailLoss.LINK, "down", START + 81));
    assertEquals(List.of(), rails.checked(RAIL, check.number(), "", START + 82));
    assertEquals(State.INACTIVE, state(START + 82));
  }

  @Test
  void aCheckOfAnotherNumberIsVoid() {
    var check = checkOf(erring(START), START);
    assertEquals(List.of(), rails.checked(RAIL, check.number() + 1, "", START + 31));
    assertEquals(List.of(), rails.checked(RAIL, check.number() - 1, "", START + 31));
    assertEquals(State.RECOVERING, state(START + 31));
  }

  @Test
  void aFailedCheckWaitsAgainAndLongerEachTime() {
    long now = START;
    erring(now);
    for (long delay : new long[] {30, 60, 120, 240, 300, 300}) {
      assertEquals(now + delay, rails.nextDeadline());
      now += delay;
      var check = check(rails.tick(now));
      assertTrue(check.anew());
      assertEquals(List.of(), rails.checked(RAIL, check.number(), "no loopback", now));
      assertEquals("no loopback", rails.record(RAIL, now).reason());
      assertEquals(State.RECOVERING, state(now));
    }
  }

  @Test
  void aCheckThatNobodyTellsTheEndOfCountsAsFailed() {
    var check = checkOf(erring(START), START);
    long limit = START + 30 + RailLife.CHECK_LIMIT;
    assertEquals(limit, rails.nextDeadline());
    assertEquals(List.of(), rails.tick(limit));
    assertEquals(List.of(), rails.checked(RAIL, check.number(), "", limit + 1));
    assertEquals(limit + 60, rails.nextDeadline());
  }

  @Test
  void aRailThatErredStartsByItselfAndAnew() {
    assertEquals(1, erring(START).size());
    assertEquals(State.RECOVERING, state(START));
    assertTrue(check(rails.tick(START + 30)).anew());
  }

  @Test
  void moreErrorsDuringTheDelayDoNotMoveIt() {
    erring(START);
    assertEquals(List.of(), erring(START + 20));
    assertEquals(START + 30, rails.nextDeadline());
  }

  @Test
  void anErrorDuringTheCheckIsAFailedCheck() {
    var check = checkOf(erring(START), START);
    assertEquals(List.of(), erring(START + 31));
    assertEquals(List.of(), rails.checked(RAIL, check.number(), "", START + 32));
    assertEquals(START + 31 + 60, rails.nextDeadline());
  }

  @Test
  void aBrokenDeviceComesBackByHandOnly() {
    rails.inactive(RAIL, RailLoss.FATAL, "broken", START);
    rails.returned(RAIL, START + 1);
    erring(START + 2);
    assertEquals(Long.MAX_VALUE, rails.nextDeadline());
    var failing = check(rails.restore(RAIL, START + 3));
    assertTrue(failing.anew());
    rails.checked(RAIL, failing.number(), "still broken", START + 4);
    assertEquals(State.INACTIVE, state(START + 4));
    assertEquals(Long.MAX_VALUE, rails.nextDeadline());
    var passing = check(rails.restore(RAIL, START + 5));
    assertEquals(1, rails.checked(RAIL, passing.number(), "", START + 6).size());
    assertEquals(State.ACTIVE, state(START + 6));
  }

  @Test
  void aBrokenDeviceStopsARecoveryThatIsUnderWay() {
    var check = checkOf(erring(START), START);
    rails.inactive(RAIL, RailLoss.FATAL, "broken", START + 31);
    assertEquals(List.of(), rails.checked(RAIL, check.number(), "", START + 32));
    assertEquals(State.INACTIVE, state(START + 32));
  }

  @Test
  void soManyLocalFailuresInARowTakeARailOutOfUse() {
    for (int i = 0; i < 31; i++) {
      assertEquals(List.of(), rails.failed(RAIL, OURS, START + i));
    }
    assertEquals(31, rails.record(RAIL, START).failuresInARow());
    var action = (Action.Deactivate) rails.failed(RAIL, OURS, START + 31).getFirst();
    assertTrue(action.reason().contains("32 failures in a row"), action::reason);
    assertEquals(State.RECOVERING, state(START + 31));
    assertTrue(check(rails.tick(START + 61)).anew());
  }

  @Test
  void aSuccessInBetweenMakesTheCountBeginAgain() {
    for (int i = 0; i < 200; i++) {
      assertEquals(List.of(), rails.failed(RAIL, OURS, START));
      if (i % 31 == 30) {
        rails.succeeded(RAIL, START);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"REMOTE", "NEUTRAL", "REQUEST"})
  void noFaultButALocalOneIsCharged(Blame blame) {
    for (int i = 0; i < 100; i++) {
      assertEquals(List.of(), rails.failed(RAIL, fault(blame), START));
    }
    assertEquals(0, rails.record(RAIL, START).failuresInARow());
  }

  @Test
  void aRailThatFallsSoonAfterItWasActiveWaitsLongerUpToTheCap() {
    long now = START;
    for (long delay : new long[] {30, 60, 120, 240, 300, 300}) {
      erring(now);
      assertEquals(delay, rails.record(RAIL, now).recoverAt() - now);
      now += delay;
      pass(now);
      now += 299;
    }
  }

  @Test
  void aRailThatHeldForTheLongestDelayStartsAfresh() {
    erring(START);
    pass(START + 30);
    assertEquals(60, rails.record(RAIL, START + 329).nextDelay());
    assertEquals(30, rails.record(RAIL, START + 330).nextDelay());
    erring(START + 330);
    assertEquals(START + 360, rails.nextDeadline());
  }

  @Test
  void aDelayThatEndsAtTheLastPointOfTheClockIsNotTakenForNone() {
    erring(Long.MAX_VALUE - 30);
    assertEquals(Long.MIN_VALUE, rails.nextDeadline());
    assertEquals(List.of(), rails.tick(Long.MAX_VALUE));
    assertEquals(1, rails.tick(Long.MIN_VALUE).size());
  }

  @Test
  void twentyFlapsAreOneActionForEachChange() {
    var actions = new ArrayList<Action>();
    long now = START;
    for (int i = 0; i < 20; i++) {
      actions.addAll(rails.inactive(RAIL, RailLoss.LINK, "down", now));
      actions.addAll(rails.returned(RAIL, now + 1));
      actions.addAll(rails.tick(now + 2));
      now += 3;
    }
    assertEquals(List.of(new Action.Deactivate(RAIL, "down")), actions);
    assertEquals(now - 2 + 30, rails.nextDeadline());
    pass(now - 2 + 30);
  }

  @Test
  void anOperatorTakesARailOutAndOnlyAnOperatorBringsItBack() {
    assertEquals(1, rails.drain(RAIL, START).size());
    assertEquals(List.of(), rails.drain(RAIL, START));
    assertEquals(List.of(), rails.inactive(RAIL, RailLoss.LINK, "down", START + 1));
    assertEquals(List.of(), rails.returned(RAIL, START + 2));
    assertEquals(List.of(), rails.tick(START + 1000));
    assertEquals(State.DRAINED, state(START + 1000));
    var check = check(rails.restore(RAIL, START + 1000));
    assertEquals(List.of(), rails.restore(RAIL, START + 1000), "one check at a time");
    assertEquals(1, rails.checked(RAIL, check.number(), "", START + 1001).size());
    assertEquals(List.of(), rails.restore(RAIL, START + 1002), "it is active");
    erring(START + 1003);
    assertEquals(START + 1033, rails.nextDeadline(), "no fall came before");
  }

  @Test
  void aDrainEndsWhateverRecoveryIsUnderWay() {
    var check = checkOf(erring(START), START);
    assertEquals(List.of(), rails.drain(RAIL, START + 31), "it is out of use already");
    assertEquals(List.of(), rails.checked(RAIL, check.number(), "", START + 32));
    assertEquals(State.DRAINED, state(START + 32));
    assertTrue(check(rails.restore(RAIL, START + 33)).anew(), "it had erred");
  }

  @Test
  void aRestoreWhoseCheckFailsWithoutALinkWaitsForTheLink() {
    rails.inactive(RAIL, RailLoss.LINK, "down", START);
    var check = check(rails.restore(RAIL, START + 1));
    rails.checked(RAIL, check.number(), "no carrier", START + 2);
    assertEquals(State.INACTIVE, state(START + 2));
    rails.returned(RAIL, START + 3);
    assertEquals(START + 3 + 60, rails.nextDeadline());
  }

  @Test
  void railsAreCountedApartAndDueTogether() {
    rails.inactive(0, RailLoss.ERRORS, "errs", START);
    rails.inactive(2, RailLoss.ERRORS, "errs", START + 5);
    assertEquals(State.ACTIVE, state(START));
    assertEquals(START + 30, rails.nextDeadline());
    assertEquals(2, rails.tick(START + 35).size());
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, RailRecords.CAPACITY})
  void anIndexThatNoRailHasIsRefused(int rail) {
    assertThrows(IllegalArgumentException.class, () -> rails.returned(rail, START));
  }

  private List<Action> erring(long now) {
    return rails.inactive(RAIL, RailLoss.ERRORS, "errs", now);
  }

  private Action.Check checkOf(List<Action> fall, long now) {
    assertEquals(1, fall.size());
    return check(rails.tick(now + 30));
  }

  private void pass(long now) {
    var check = check(rails.tick(now));
    assertEquals(1, rails.checked(RAIL, check.number(), "", now).size());
  }

  private State state(long now) {
    return rails.record(RAIL, now).state();
  }

  private static Action.Check check(List<Action> actions) {
    assertEquals(1, actions.size());
    return (Action.Check) actions.getFirst();
  }

  private static Fault fault(Blame blame) {
    return new Fault(blame, FailureCode.DEVICE, Effect.NONE, "text");
  }
}
