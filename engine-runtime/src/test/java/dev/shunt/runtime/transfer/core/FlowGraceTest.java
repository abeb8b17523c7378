package dev.shunt.runtime.transfer.core;

import static dev.shunt.runtime.transfer.core.FlowFixture.LOST;
import static dev.shunt.runtime.transfer.core.FlowFixture.MS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Outcome;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Limits.Fencing;
import org.junit.jupiter.api.Test;

/** Redone writes where nobody can be asked for a fence: they complete after a grace of 1 s. */
class FlowGraceTest {
  private static final long FAR = 20_000;

  private final FlowFixture f = new FlowFixture(1, 1, Fencing.GRACE);

  @Test
  void aRedoIsNotCompleteBeforeTheGraceHasPassed() {
    var ear = f.submit(FAR, true, 500);
    long ended = f.now;
    f.channel(0).die(LOST);
    f.pass(10);
    f.channel(1).completeAll();
    f.pump();
    assertEquals("OPEN", ear.code(0));
    assertEquals(0, f.fencesAsked.size(), "nobody there could answer");
    assertEquals(ended + 1_000 * MS, f.flow.nextDeadline(f.now), "the lane is woken for it");
    f.now = ended + 1_000 * MS - 1;
    f.pump();
    assertEquals("OPEN", ear.code(0));
    f.now = ended + 1_000 * MS;
    f.pump();
    assertEquals("COMPLETED", ear.code(0));
    assertEquals(1, f.count(Counter.UNFENCED));
    assertEquals(500, f.unfenced, "people are told");
    assertEquals(0, f.flow.inFlightSlices());
    assertTrue(f.flow.idle());
  }

  @Test
  void aRedoThatTakesLongerThanTheGraceCompletesWithItsReply() {
    var ear = f.submit(FAR, true, 500);
    f.channel(0).die(LOST);
    f.pass(10);
    f.pass(1_500);
    assertEquals("OPEN", ear.code(0));
    f.channel(1).completeAll();
    f.pump();
    assertEquals("COMPLETED", ear.code(0));
    assertEquals(1, f.count(Counter.UNFENCED));
  }

  @Test
  void theGraceRunsFromTheLastOfTheOldAttempts() {
    var ear = f.submit(FAR, true, 500);
    f.channel(0).die(LOST);
    f.pass(10);
    f.now += 700 * MS;
    f.channel(1).die(LOST);
    long ended = f.now;
    f.pass(10);
    f.channel(2).completeAll();
    f.now = ended + 999 * MS;
    f.pump();
    assertEquals("OPEN", ear.code(0));
    f.now = ended + 1_000 * MS;
    f.pump();
    assertEquals("COMPLETED", ear.code(0));
  }

  @Test
  void aReadThatIsRedoneWaitsForNothing() {
    var ear = f.submit(FAR, false, 500);
    f.channel(0).die(LOST);
    f.pass(10);
    f.channel(1).completeAll();
    f.pump();
    assertEquals("COMPLETED", ear.code(0));
    assertEquals(0, f.count(Counter.UNFENCED));
  }

  @Test
  void aWriteThatWasNeverHandedOverWaitsForNothing() {
    var ear = f.submit(FAR, true, 500);
    f.channel(0)
        .die(new Fault(LOST.blame(), LOST.code(), Fault.Effect.NONE, "nothing had been sent"));
    f.pass(10);
    f.channel(1).completeAll();
    f.pump();
    assertEquals("COMPLETED", ear.code(0));
    assertEquals(0, f.count(Counter.UNFENCED));
  }

  @Test
  void aDeadlineWithinTheGraceEndsTheRequestWithTheRemoteUnknown() {
    var ear = f.submit(500, true, 500);
    f.channel(0).die(LOST);
    f.pass(10);
    f.channel(1).completeAll();
    f.now += 500 * MS;
    f.flow.expire(ear.part, f.now);
    f.pump();
    var late = assertInstanceOf(Outcome.TimedOut.class, ear.outcomes.get(0));
    assertTrue(late.failure().remoteEffect());
    f.pass(1_000);
    assertEquals(1, ear.settled);
    assertEquals(0, f.pool.inUse());
  }
}
