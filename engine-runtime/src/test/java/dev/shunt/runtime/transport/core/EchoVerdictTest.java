package dev.shunt.runtime.transport.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.spi.RemoteRail;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What echoes say of a rail. */
class EchoVerdictTest {
  private static final RemoteRail HERE = new RemoteRail("r0", 0, Map.of());
  private static final RemoteRail THERE = new RemoteRail("r1", 1, Map.of());

  private final EchoVerdict verdict = new EchoVerdict();

  private static EchoTry straight(int partner) {
    return new EchoTry(partner, HERE, 0, false);
  }

  private static EchoTry around(int partner) {
    return new EchoTry(partner, THERE, 1, false);
  }

  @Test
  void oneGoodEchoIsEnoughWhoeverElseFails() {
    verdict.failed(straight(0), "a");
    assertTrue(verdict.silent(straight(1), "b"));
    assertTrue(verdict.verified(straight(2)));
  }

  @Test
  void aWayAroundCountsForNothingWhereTheStraightOneFails() {
    verdict.silent(straight(0), "r0 of a: nothing");
    assertFalse(verdict.verified(around(0)));
    assertTrue(verdict.problem().contains("although another of its rails answers"));
    assertTrue(verdict.verified(around(1)), "another node's straight one did not fail");
  }

  @Test
  void whoIsSilentInEveryWaySaysNothing() {
    assertTrue(verdict.silent(straight(0), "a"));
    assertFalse(verdict.silent(around(0), "a, around"), "it is asked once");
    assertEquals("", verdict.problem());
  }

  @Test
  void whoTurnsOutToBeThereIsReadOnceMoreBeforeTheRailIsBlamed() {
    verdict.silent(straight(0), "r0 of a: nothing");
    assertTrue(verdict.there(straight(0), "its control plane answers"));
    assertFalse(verdict.there(straight(0), "it answers over rail r1"), "once");
    assertTrue(verdict.verified(straight(0)), "it was frozen before");
  }

  @Test
  void whoIsThereAndIsSilentAgainTellsThatTheRailDoesNotWork() {
    verdict.silent(straight(0), "r0 of a: nothing");
    verdict.there(straight(0), "its control plane answers");
    assertFalse(verdict.silent(straight(0), "again"));
    assertEquals(
        "no echo from r0 of a: nothing, although its control plane answers", verdict.problem());
  }

  @Test
  void whoIsThereAndIsNotReadAgainInTimeTellsSoToo() {
    verdict.silent(straight(0), "r0 of a: nothing");
    verdict.there(straight(0), "its control plane answers");
    assertEquals(
        "no echo from r0 of a: nothing, although its control plane answers", verdict.problem());
  }

  @Test
  void aRailThatItsNodeTellsToBeOutSaysNothingAgainstOurs() {
    var out = new EchoTry(0, HERE, 0, true);
    assertFalse(verdict.silent(out, "a"));
    verdict.failed(out, "a");
    assertEquals("", verdict.problem());
    assertTrue(verdict.verified(new EchoTry(0, THERE, 1, true)));
  }

  @Test
  void otherBytesAreToldWhateverTheNodeTells() {
    verdict.corrupt("r0 of a: other bytes");
    assertEquals("no echo from r0 of a: other bytes", verdict.problem());
  }

  @Test
  void aCrowdIsCounted() {
    for (int i = 0; i < 60; i++) {
      verdict.silent(straight(i), "r0 of n" + i + ": nothing");
      verdict.there(straight(i), "its control plane answers");
    }
    var problem = verdict.problem();
    assertTrue(problem.endsWith("; and 57 more"), problem);
    assertTrue(problem.length() < 400, problem);
  }
}
