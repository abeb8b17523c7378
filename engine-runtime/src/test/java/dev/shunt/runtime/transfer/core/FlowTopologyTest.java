package dev.shunt.runtime.transfer.core;

import static dev.shunt.runtime.transfer.core.FlowFixture.LOST;
import static dev.shunt.runtime.transfer.core.FlowFixture.MS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.Outcome;
import dev.shunt.api.spi.Decision;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Limits.Fencing;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Which rails are chosen for memory that is near to some of them. */
class FlowTopologyTest {
  private static final long FAR = 60_000;
  private static final Fault UNSENT =
      new Fault(LOST.blame(), LOST.code(), Fault.Effect.NONE, "nothing had been sent");

  private static RailOrder order(List<Integer> preferred, List<Integer> available) {
    return new RailOrder(preferred, available);
  }

  private static Set<Integer> used(FlowFixture f) {
    return f.channels.stream()
        .filter(channel -> !channel.posted.isEmpty())
        .map(channel -> channel.asked.localRail())
        .collect(Collectors.toSet());
  }

  @Test
  void preferredRailsAreTakenInTurnAndNoOthers() {
    var f = new FlowFixture(4, 1, Fencing.ORDERED);
    f.localRails = order(List.of(1, 2), List.of(3));
    f.submit(FAR, true, 8_000);
    assertEquals(Set.of(1, 2), used(f));
    assertEquals(2, f.channels.size(), "none is connected that is not wanted");
    assertEquals(List.of(4, 4), f.channels.stream().map(channel -> channel.posted.size()).toList());
  }

  @Test
  void availableRailsAreTakenWhenNoPreferredOneCanBe() {
    var f = new FlowFixture(4, 1, Fencing.ORDERED);
    f.localRails = order(List.of(1, 2), List.of(3));
    f.rail(1, false);
    f.submit(FAR, true, 3_000);
    assertEquals(Set.of(2), used(f));
    f.channels.forEach(FlowFixture.FakeChannel::completeAll);
    for (var slot : f.flow.paths().slots()) {
      if (slot.localRail() == 2) {
        f.flow.paths().pause(slot, f.now + FAR * MS);
      }
    }
    f.submit(FAR, true, 3_000);
    assertEquals(Set.of(3), used(f), "one is inactive, the other paused");
    assertTrue(f.channels.stream().noneMatch(channel -> channel.asked.localRail() == 0));
  }

  @Test
  void anotherAttemptBeginsWithTheNextEntryOfTheList() {
    var f = new FlowFixture(3, 1, Fencing.ORDERED);
    f.policy = failure -> new Decision.Retry(0);
    f.submit(FAR, true, 3_000);
    f.channels.forEach(FlowFixture.FakeChannel::completeAll);
    assertEquals(3, f.channels.size(), "all are up");
    f.localRails = order(List.of(2), List.of(0, 1));
    var ear = f.submit(FAR, true, 500);
    var seen = new ArrayList<Integer>();
    for (int i = 0; i < 6; i++) {
      seen.addAll(used(f));
      for (var channel : f.channels) {
        if (!channel.posted.isEmpty()) {
          f.flow.failed(channel.posted.removeFirst(), UNSENT, f.now);
          break;
        }
      }
      f.pump();
    }
    assertEquals(List.of(2, 2, 0, 1, 2, 0), seen);
    f.rail(1, false);
    f.channels.forEach(FlowFixture.FakeChannel::completeAll);
    assertEquals("COMPLETED", ear.code(0));
  }

  @Test
  void onePathThatRestsIsNotUsedBecauseAnotherIsFull() {
    var f = new FlowFixture(2, 1, Fencing.ORDERED);
    f.depth = 2;
    f.localRails = order(List.of(0), List.of(1));
    f.submit(FAR, true, 500);
    for (var slot : f.flow.paths().slots()) {
      if (slot.localRail() == 0) {
        f.flow.paths().pause(slot, f.now + FAR * MS);
      }
    }
    f.channels.forEach(FlowFixture.FakeChannel::completeAll);
    f.submit(FAR, true, 8_000);
    assertEquals(Set.of(1), used(f));
    assertEquals(0, f.channel(0).posted.size());
  }

  @Test
  void theRemotesRailsAreChosenByWhereItsMemoryLies() {
    var f = new FlowFixture(2, 3, Fencing.ORDERED);
    f.remoteRails = order(List.of(1), List.of(2));
    f.submit(FAR, true, 4_000);
    for (var channel : f.channels) {
      assertEquals(1, channel.asked.remoteRail());
      channel.posted.forEach(slice -> assertEquals(12, slice.remoteKey()));
    }
    assertEquals(Set.of(0, 1), used(f));
  }

  @Test
  void memoryWithoutAnyRailInUseEndsAloneAndOthersGoOn() {
    var f = new FlowFixture(2, 1, Fencing.ORDERED);
    f.policy = failure -> new Decision.Retry(MS);
    f.rail(0, false);
    f.localRails = order(List.of(0), List.of());
    var near = f.submit(FAR, true, 500);
    f.localRails = order(List.of(1), List.of());
    var other = f.submit(FAR, true, 500);
    f.channels.forEach(FlowFixture.FakeChannel::completeAll);
    assertEquals("COMPLETED", other.code(0));
    var failure = assertInstanceOf(Outcome.Error.class, near.outcomes.get(0)).failure();
    assertEquals(FailureCode.NO_RAIL, failure.code());
  }

  @Test
  void memoryWithoutAnyRailInUseGoesByAnotherTransport() {
    var f = new FlowFixture(2, 1, Fencing.ORDERED);
    f.policy = failure -> new Decision.NextTransport();
    f.others = 1;
    f.localRails = order(List.of(0), List.of());
    f.submit(FAR, true, 500);
    f.rail(0, false);
    f.channel(0).die(UNSENT);
    f.pump();
    assertEquals(1, f.moved.size());
  }

  @Test
  void memoryWhoseRailIsNotThereYetHoldsUpNobody() {
    var f = new FlowFixture(2, 1, Fencing.ORDERED);
    f.localRails = order(List.of(1), List.of());
    f.submit(FAR, true, 500);
    f.channels.forEach(FlowFixture.FakeChannel::completeAll);
    f.answerConnects = false;
    f.localRails = order(List.of(0), List.of());
    f.submit(FAR, true, 500);
    f.localRails = order(List.of(1), List.of());
    var other = f.submit(FAR, true, 500);
    f.channels.forEach(FlowFixture.FakeChannel::completeAll);
    assertEquals("COMPLETED", other.code(0));
  }
}
