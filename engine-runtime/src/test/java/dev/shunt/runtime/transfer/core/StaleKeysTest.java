package dev.shunt.runtime.transfer.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Limits.Fencing;
import org.junit.jupiter.api.Test;

/** What becomes of slices that were refused for a key of an earlier registration. */
class StaleKeysTest {
  private static final Fault OLD_KEY =
      new Fault(
          Fault.Blame.REMOTE, FailureCode.REMOTE_RANGE, Fault.Effect.NONE, "its key is an old one");

  private final FlowFixture f = new FlowFixture(1, 1, Fencing.BY_WORD);
  private final FlowFixture.Ear ear = f.submit(60_000, true, 500);

  private void fail(Fault fault) {
    f.flow.failed(f.channel(0).posted.removeFirst(), fault, f.now);
    f.pass(1);
  }

  private long key() {
    return f.channel(0).posted.getFirst().remoteKey();
  }

  @Test
  void theDescriptorIsAskedForThoughTheSliceIsTriedAgain() {
    fail(OLD_KEY);
    assertEquals(1, f.refusals);
    assertEquals(1, f.channel(0).posted.size());
  }

  @Test
  void theNextTryShowsTheKeyThatTheRemoteTellsByThen() {
    assertEquals(11, key());
    f.latestKeys = new long[] {21};
    fail(OLD_KEY);
    assertEquals(21, key());
    f.channel(0).completeAll();
    assertEquals("COMPLETED", ear.code(0));
  }

  @Test
  void whoseSecondKeyIsAnOldOneTooWaitsForANewerOne() {
    fail(OLD_KEY);
    fail(OLD_KEY);
    for (int i = 0; i < 50; i++) {
      f.pass(10);
    }
    assertEquals(0, f.channel(0).posted.size(), "attempts are not used up meanwhile");
    f.latestKeys = new long[] {31};
    f.pass(11);
    assertEquals(31, key());
  }

  @Test
  void whereNoNewerOneComesItIsTriedAllTheSame() {
    fail(OLD_KEY);
    fail(OLD_KEY);
    for (int i = 0; i < 101; i++) {
      f.pass(10);
    }
    assertEquals(1, f.channel(0).posted.size());
  }

  @Test
  void whatIsNotTheKeysFaultGoesOutWithTheSameOne() {
    f.latestKeys = new long[] {21};
    fail(FlowFixture.REFUSED);
    assertEquals(11, key());
    assertEquals(0, f.refusals);
  }

  @Test
  void memoryThatTheRemoteDoesNotTellOfAnyMoreHasNoNewKey() {
    f.latestKeys = null;
    fail(OLD_KEY);
    assertEquals(11, key());
  }
}
