package dev.shunt.runtime.transfer.core;

import static dev.shunt.runtime.transfer.core.FlowFixture.LOST;
import static dev.shunt.runtime.transfer.core.FlowFixture.MS;
import static dev.shunt.runtime.transfer.core.FlowFixture.REFUSED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Failure;
import dev.shunt.api.FailureCode;
import dev.shunt.api.Outcome;
import dev.shunt.api.spi.Decision;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Limits.Fencing;
import org.junit.jupiter.api.Test;

/** What a failed request says of the remote, and what a waiting slice costs. */
class FlowEffectTest {
  private static final Fault NO_SUCH_KEY =
      new Fault(Fault.Blame.REQUEST, FailureCode.REMOTE_RANGE, Fault.Effect.NONE, "no such key");

  private final FlowFixture f = new FlowFixture(1, 1, Fencing.ORDERED);

  private FlowFixture.Ear submit(int slices, boolean write) {
    f.policy = failure -> new Decision.GiveUp(failure.fault().code(), "enough");
    return f.submit(60_000, write, slices * 1_000L);
  }

  private void fail(Fault fault) {
    f.flow.failed(f.channel(0).posted.removeFirst(), fault, f.now);
    f.pump();
  }

  private static Failure failure(FlowFixture.Ear ear) {
    return assertInstanceOf(Outcome.Error.class, ear.outcomes.get(0)).failure();
  }

  @Test
  void aWriteOfWhichOneSliceCompletedHasAnEffectWhicheverSliceFails() {
    var ear = submit(2, true);
    f.channel(0).complete();
    fail(NO_SUCH_KEY);
    assertTrue(failure(ear).remoteEffect());
  }

  @Test
  void aWriteOfWhichAnotherSliceIsOnTheWireMayHaveAnEffect() {
    var ear = submit(2, true);
    fail(NO_SUCH_KEY);
    assertTrue(failure(ear).remoteEffect());
  }

  @Test
  void aWriteOfWhichAnotherSliceFailedOnTheWireMayHaveAnEffect() {
    var ear = f.submit(60_000, true, 2_000);
    f.policy = failure -> new Decision.Retry(MS);
    fail(LOST);
    f.policy = failure -> new Decision.GiveUp(failure.fault().code(), "enough");
    fail(NO_SUCH_KEY);
    assertTrue(failure(ear).remoteEffect());
  }

  @Test
  void aWriteOfWhichNothingWentOutHasNoEffect() {
    var ear = submit(1, true);
    fail(NO_SUCH_KEY);
    assertFalse(failure(ear).remoteEffect());
  }

  @Test
  void aReadHasNoEffect() {
    var ear = submit(2, false);
    f.channel(0).complete();
    fail(NO_SUCH_KEY);
    assertFalse(failure(ear).remoteEffect());
  }

  @Test
  void aRequestThatCostsItsChannelCostsNoOtherRequestAnything() {
    f.policy =
        failure ->
            failure.fault().blame() == Fault.Blame.REQUEST
                ? new Decision.GiveUp(failure.fault().code(), "it is wrong")
                : new Decision.Retry(MS);
    f.depth = 1;
    var wrong = f.submit(60_000, true, 1_000);
    var right = f.submit(60_000, true, 1_000);
    f.channel(0).die(NO_SUCH_KEY);
    f.pump();
    assertEquals("FAILED", wrong.code(0));
    assertEquals("OPEN", right.code(0));
    f.channel(1).complete();
    assertEquals("COMPLETED", right.code(0));
  }

  @Test
  void aPathWhoseChannelNeverDrainsGetsAnotherOne() {
    var lost = f.submit(60_000, true, 500);
    var old = f.flow.paths().slots().getFirst();
    f.pass(5_001);
    f.pass(2_001);
    assertEquals("FAILED", lost.code(0));
    var next = f.submit(60_000, true, 500);
    assertEquals(2, f.channels.size());
    f.channel(1).complete();
    assertEquals("COMPLETED", next.code(0));

    f.flow.failed(f.channel(0).posted.removeFirst(), LOST, f.now);
    f.flow.channelDown(old, LOST, f.now);
    assertEquals(0, f.count(Counter.QUARANTINED_BYTES));
    assertEquals(PathSlot.State.UP, f.flow.paths().slots().getFirst().state());
    assertTrue(f.flow.idle());
  }

  @Test
  void aSliceThatWaitsForAPathGivesItsLaneNoTurns() {
    f.submit(60_000, true, 1_000);
    f.answerConnects = false;
    f.policy = failure -> new Decision.Retry(MS);
    f.channel(0).die(REFUSED);
    f.pump();
    f.now += 600 * MS;
    f.pump();
    assertEquals(1, f.asked.size());
    long next = f.flow.nextDeadline(f.now);
    assertTrue(next > f.now + MS, "wanted again after " + (next - f.now) + " ns");
  }
}
