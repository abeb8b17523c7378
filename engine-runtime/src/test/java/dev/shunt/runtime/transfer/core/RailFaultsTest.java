package dev.shunt.runtime.transfer.core;

import static dev.shunt.runtime.transfer.core.FlowFixture.MS;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Decision;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Limits.Fencing;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What counts as a failure of one of our rails. */
class RailFaultsTest {
  private static final long FAR = 60_000;
  private static final Fault OURS =
      new Fault(Fault.Blame.LOCAL, FailureCode.DEVICE, Fault.Effect.NONE, "no buffers");
  private static final Fault THEIRS =
      new Fault(Fault.Blame.REMOTE, FailureCode.CONNECTION, Fault.Effect.NONE, "reset");

  private static FlowFixture flow() {
    var f = new FlowFixture(1, 1, Fencing.ORDERED);
    f.policy = failure -> new Decision.Retry(60_000 * MS);
    return f;
  }

  @Test
  void aChannelThatEndsWithAllThatItHadCountsOnce() {
    var f = flow();
    f.submit(FAR, true, 100, 100, 100, 100, 100);
    f.channel(0).die(OURS);
    f.pump();
    assertEquals(List.of(0), f.railFaults);
  }

  @Test
  void slicesThatFailOnAChannelThatLivesCountEach() {
    var f = flow();
    f.submit(FAR, true, 100, 100, 100);
    for (int i = 0; i < 2; i++) {
      f.flow.failed(f.channel(0).posted.removeFirst(), OURS, f.now);
    }
    f.pump();
    assertEquals(List.of(0, 0), f.railFaults);
    f.channel(0).complete();
    f.pump();
    assertEquals(List.of(), f.railFaults, "what is carried well ends the row");
  }

  @Test
  void whatIsCarriedWellBehindAFailureEndsTheRowInTheSameTurn() {
    var f = flow();
    f.submit(FAR, true, 100, 100);
    f.flow.failed(f.channel(0).posted.removeFirst(), OURS, f.now);
    f.channel(0).complete();
    f.pump();
    assertEquals(List.of(), f.railFaults);
  }

  @Test
  void aConnectionThatOurSideCannotMakeCounts() {
    var f = flow();
    f.answerConnects = false;
    f.submit(FAR, true, 100);
    f.refuse(OURS);
    assertEquals(List.of(0), f.railFaults);
  }

  @Test
  void thePeersFaultsAreNotOurRails() {
    var f = flow();
    f.submit(FAR, true, 100, 100);
    f.flow.failed(f.channel(0).posted.removeFirst(), THEIRS, f.now);
    f.channel(0).die(THEIRS);
    f.pump();
    f.answerConnects = false;
    f.submit(FAR, true, 100);
    f.now += 1_000 * MS;
    f.pump();
    f.refuse(THEIRS);
    assertEquals(List.of(), f.railFaults);
  }
}
