package dev.shunt.policy.failover.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Decision;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Fault.Effect;
import dev.shunt.api.spi.Limits.Fencing;
import dev.shunt.api.spi.SliceFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class DecisionsTest {
  private static final long MS = 1_000_000;
  private static final RetryLimits LIMITS = new RetryLimits(9, 10 * MS, 1000 * MS);

  private final Decisions decisions = new Decisions(LIMITS, true);

  @ParameterizedTest(name = "{0} {1}, attempt {2}, {3} local {4} remote {5} transports: {6}")
  @CsvSource({
    // The side at fault is changed.
    "LOCAL,   DEVICE,      1, 1, 0, 0, HandOff",
    "LOCAL,   DEVICE,      1, 1, 1, 0, HandOff",
    "LOCAL,   DEVICE,      1, 0, 1, 0, Redispatch",
    "LOCAL,   DEVICE,      1, 0, 0, 0, Retry 10",
    "REMOTE,  CONNECTION,  1, 0, 1, 0, Redispatch",
    "REMOTE,  CONNECTION,  1, 1, 1, 0, Redispatch",
    "REMOTE,  CONNECTION,  1, 1, 0, 0, HandOff",
    "REMOTE,  CONNECTION,  1, 0, 0, 0, Retry 10",
    // Flushed without blame: another path first.
    "NEUTRAL, CONNECTION,  1, 1, 0, 0, HandOff",
    "NEUTRAL, CONNECTION,  1, 0, 1, 0, Redispatch",
    "NEUTRAL, CONNECTION,  1, 0, 0, 0, Retry 10",
    // The only path is not taken away, and its pause grows to a cap.
    "REMOTE,  CONNECTION,  2, 0, 0, 0, Retry 20",
    "REMOTE,  CONNECTION,  3, 0, 0, 0, Retry 40",
    "REMOTE,  CONNECTION,  7, 0, 0, 0, Retry 640",
    "REMOTE,  CONNECTION,  8, 0, 0, 0, Retry 1000",
    // Where all paths failed once, there is a pause as well.
    "REMOTE,  CONNECTION,  2, 0, 1, 0, Retry 10",
    "REMOTE,  CONNECTION,  3, 0, 1, 0, Redispatch",
    "REMOTE,  CONNECTION,  4, 0, 1, 0, Retry 20",
    "LOCAL,   DEVICE,      3, 1, 1, 0, Retry 10",
    "LOCAL,   DEVICE,      4, 1, 1, 0, HandOff",
    // Another transport, when this one has no path, or has had its turns.
    "LOCAL,   NO_RAIL,     1, 0, 0, 1, NextTransport",
    "LOCAL,   NO_RAIL,     1, 0, 0, 0, Retry 10",
    "REMOTE,  CONNECTION,  2, 0, 0, 1, Retry 20",
    "REMOTE,  CONNECTION,  3, 0, 0, 1, NextTransport",
    "LOCAL,   NO_RAIL,     1, 1, 1, 1, NextTransport",
    "REMOTE,  CONNECTION,  3, 0, 1, 1, Redispatch",
    "REMOTE,  CONNECTION,  4, 0, 1, 1, NextTransport",
    "LOCAL,   DEVICE,      5, 1, 1, 1, HandOff",
    "LOCAL,   DEVICE,      6, 1, 1, 1, NextTransport",
    "NEUTRAL, UNREACHABLE, 8, 3, 3, 2, NextTransport",
    // What was begun and not finished says that the path is at fault; a peer that is silent does
    // not.
    "REMOTE,  HANDSHAKE,   1, 1, 1, 0, Redispatch",
    "REMOTE,  HANDSHAKE,   1, 1, 0, 0, HandOff",
    "NEUTRAL, UNREACHABLE, 1, 0, 0, 0, Retry 10",
    // The end.
    "REMOTE,  CONNECTION,  9, 0, 0, 0, GiveUp CONNECTION",
    "REMOTE,  CONNECTION,  9, 1, 1, 1, GiveUp CONNECTION",
    "NEUTRAL, CONNECTION, 10, 1, 1, 0, GiveUp CONNECTION",
    "REQUEST, REMOTE_RANGE, 1, 1, 1, 1, GiveUp REMOTE_RANGE",
    "REQUEST, REMOTE_ACCESS, 1, 1, 1, 1, GiveUp REMOTE_ACCESS",
    "REMOTE,  STALE_GENERATION, 1, 1, 1, 1, GiveUp STALE_GENERATION",
    "REMOTE,  CAPABILITY,  1, 1, 1, 1, GiveUp CAPABILITY",
    "NEUTRAL, CLOSED,      1, 1, 1, 1, GiveUp CLOSED",
    // A key that is stale may be good on another rail, and is worth another try.
    "REMOTE,  REMOTE_RANGE, 1, 0, 1, 0, Redispatch",
  })
  void theTableHolds(
      Blame blame, FailureCode code, int attempts, int local, int remote, int others, String is) {
    var fault = new Fault(blame, code, Effect.NONE, "text");
    var failure =
        new SliceFailure(
            true, attempts, fault, local, remote, others, Fencing.ORDERED, 5, 5 + 60_000 * MS);
    assertEquals(is, show(decisions.decide(failure)));
  }

  @Test
  void aSentWriteThatNothingCanFenceIsNeverRedone() {
    for (int alternatives = 0; alternatives < 3; alternatives++) {
      assertEquals(
          "GiveUp UNKNOWN_EFFECT",
          show(decisions.decide(sent(true, Effect.POSSIBLE, Fencing.NONE, alternatives))));
    }
  }

  @Test
  void anUnsentWriteAndAReadAreRedoneWhereNothingCanFence() {
    assertEquals("Redispatch", show(decisions.decide(sent(true, Effect.NONE, Fencing.NONE, 1))));
    assertEquals(
        "Redispatch", show(decisions.decide(sent(false, Effect.POSSIBLE, Fencing.NONE, 1))));
  }

  @ParameterizedTest
  @EnumSource(names = {"ORDERED", "BY_WORD", "GRACE"})
  void aSentWriteIsRedoneAtOnceWhereItCanBeFenced(Fencing fencing) {
    assertEquals("Redispatch", show(decisions.decide(sent(true, Effect.POSSIBLE, fencing, 1))));
  }

  @Test
  void whereItIsToFailASentWriteThatOnlyPatienceFencesIsNotRedone() {
    var strict = new Decisions(LIMITS, false);
    assertEquals(
        "GiveUp UNKNOWN_EFFECT",
        show(strict.decide(sent(true, Effect.POSSIBLE, Fencing.GRACE, 1))));
    assertEquals("Redispatch", show(strict.decide(sent(true, Effect.NONE, Fencing.GRACE, 1))));
    assertEquals("Redispatch", show(strict.decide(sent(false, Effect.POSSIBLE, Fencing.GRACE, 1))));
    assertEquals(
        "Redispatch", show(strict.decide(sent(true, Effect.POSSIBLE, Fencing.ORDERED, 1))));
  }

  @Test
  void aPauseEndsBeforeTheDeadline() {
    assertEquals("Retry 3", show(decisions.decide(at(8, 1000, 1000 + 6 * MS))));
    assertEquals("GiveUp DEADLINE", show(decisions.decide(at(1, 1000, 1000))));
    assertEquals("GiveUp DEADLINE", show(decisions.decide(at(1, 1000, 999))));
  }

  @Test
  void aClockBelowZeroAndADeadlineThatNeverComesAreNoTrouble() {
    assertEquals("Retry 10", show(decisions.decide(at(1, Long.MIN_VALUE + 5, Long.MAX_VALUE))));
    assertEquals("Retry 10", show(decisions.decide(at(1, -5_000_000_000L, Long.MAX_VALUE))));
    assertEquals(
        "Retry 10",
        show(decisions.decide(at(1, Long.MAX_VALUE - 3, Long.MAX_VALUE - 3 + 60_000 * MS))));
  }

  @ParameterizedTest
  @EnumSource(FailureCode.class)
  void everyCodeIsAnsweredAndTellsItsTextAtTheEnd(FailureCode code) {
    for (var blame : Blame.values()) {
      var fault = new Fault(blame, code, Effect.NONE, "what the fabric said");
      var failure = new SliceFailure(false, 9, fault, 0, 0, 0, Fencing.ORDERED, 0, Long.MAX_VALUE);
      var end = assertInstanceOf(Decision.GiveUp.class, decisions.decide(failure));
      assertTrue(end.reason().contains("what the fabric said"), end::reason);
      assertEquals(code, end.code());
    }
  }

  private static SliceFailure sent(
      boolean write, Effect effect, Fencing fencing, int remoteAlternatives) {
    var fault = new Fault(Blame.REMOTE, FailureCode.CONNECTION, effect, "text");
    return new SliceFailure(write, 1, fault, 0, remoteAlternatives, 0, fencing, 0, 60_000 * MS);
  }

  private static SliceFailure at(int attempts, long now, long deadline) {
    var fault = new Fault(Blame.REMOTE, FailureCode.CONNECTION, Effect.NONE, "text");
    return new SliceFailure(true, attempts, fault, 0, 0, 0, Fencing.ORDERED, now, deadline);
  }

  private static String show(Decision decision) {
    return switch (decision) {
      case Decision.HandOff() -> "HandOff";
      case Decision.Redispatch() -> "Redispatch";
      case Decision.NextTransport() -> "NextTransport";
      case Decision.Retry(var delay) -> "Retry " + delay / MS;
      case Decision.GiveUp(var code, var reason) -> "GiveUp " + code;
    };
  }
}
