package dev.shunt.runtime.transfer.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Decision;
import dev.shunt.api.spi.Limits.Fencing;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of a flow when its remote says that it does not use one of its rails. */
class RemoteRailsTest {
  private static final long FAR = 60_000;

  private static void remote(FlowFixture f, int rail, boolean active) {
    for (var slot : f.flow.paths().slots()) {
      if (slot.remoteRail() == rail) {
        f.flow.paths().activateRemote(slot, active);
      }
    }
    f.pump();
  }

  private static int on(FlowFixture f, int remoteRail) {
    return f.channels.stream()
        .filter(channel -> channel.asked.remoteRail() == remoteRail)
        .mapToInt(channel -> channel.posted.size())
        .sum();
  }

  @Test
  void nothingNewGoesToItAndWhatIsThereGoesOn() {
    var f = new FlowFixture(2, 2, Fencing.ORDERED);
    var first = f.submit(FAR, true, 500, 500, 500, 500);
    assertTrue(on(f, 1) > 0);
    int there = on(f, 1);
    remote(f, 1, false);
    f.submit(FAR, true, 500, 500, 500, 500);
    assertEquals(there, on(f, 1));
    f.channels.forEach(channel -> assertEquals(List.of(), channel.retired));
    f.channels.forEach(FlowFixture.FakeChannel::completeAll);
    assertEquals("COMPLETED", first.code(0));
    assertEquals("COMPLETED", first.code(3));
    remote(f, 1, true);
    f.submit(FAR, true, 500, 500, 500, 500);
    assertTrue(on(f, 1) > 0, "it is used again");
  }

  @Test
  void noConnectionToItIsAskedFor() {
    var f = new FlowFixture(2, 2, Fencing.ORDERED);
    remote(f, 0, false);
    f.submit(FAR, true, 500, 500, 500);
    assertFalse(f.channels.isEmpty());
    f.channels.forEach(channel -> assertEquals(1, channel.asked.remoteRail()));
  }

  @Test
  void whatFailedIsNotSentThereAgain() {
    var f = new FlowFixture(1, 2, Fencing.ORDERED);
    f.submit(FAR, true, 500, 500);
    remote(f, 1, false);
    for (var channel : List.copyOf(f.channels)) {
      if (channel.asked.remoteRail() == 0) {
        channel.die(FlowFixture.REFUSED);
      }
    }
    int there = on(f, 1);
    f.pass(100);
    assertEquals(there, on(f, 1));
    assertEquals(1, on(f, 0));
  }

  @Test
  void whoComesWhenNobodyWaitsIsNotRefusedForTheRoundsOfThoseBefore() {
    var f = new FlowFixture(1, 2, Fencing.ORDERED);
    f.policy =
        failure ->
            failure.attempts() < 9
                ? new Decision.Retry(FlowFixture.MS)
                : new Decision.GiveUp(FailureCode.NO_RAIL, "no more");
    remote(f, 0, false);
    remote(f, 1, false);
    var before = f.submit(6, true, 500);
    for (int i = 0; i < 6; i++) {
      f.pass(1);
    }
    f.flow.expire(before.part, f.now);
    assertEquals("TIMED_OUT", before.code(0));
    f.pass(1_000);
    int asked = f.refusals;
    var after = f.submit(FAR, true, 500);
    for (int i = 0; i < 5; i++) {
      f.pass(1);
    }
    assertEquals("OPEN", after.code(0), "what is known of the rails may be old, and is asked for");
    assertTrue(f.refusals > asked);
    remote(f, 1, true);
    f.pass(1);
    f.channels.forEach(FlowFixture.FakeChannel::completeAll);
    assertEquals("COMPLETED", after.code(0));
  }
}
