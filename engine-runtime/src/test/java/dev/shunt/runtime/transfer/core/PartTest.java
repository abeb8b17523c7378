package dev.shunt.runtime.transfer.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.spi.Limits.Fencing;
import org.junit.jupiter.api.Test;

/** Parts that are used again, and what must not happen with them. */
class PartTest {
  private final FlowFixture f = new FlowFixture(1, 1, Fencing.ORDERED);

  @Test
  void aPartIsSpentOnceAllOfItHasSettled() {
    var ear = f.submit(1_000, true, 100, 200);
    f.channel(0).complete();
    assertFalse(ear.part.spent(), "a slice of it is on the wire");
    f.channel(0).complete();
    assertTrue(ear.part.spent());
  }

  @Test
  void aReportForAnEarlierUseIsFoundOutAndTouchesNothing() {
    var ear = f.submit(1_000, true, 100);
    ear.part.clear();
    var late = assertThrows(IllegalStateException.class, () -> f.channel(0).complete());
    assertTrue(late.getMessage().contains("use 0 of a part that is at use 1"), late::getMessage);
    assertEquals(0, ear.outcomes.size(), "the batch that has the part now hears nothing");
  }

  @Test
  void aSecondReportOfASliceIsFoundOut() {
    f.submit(1_000, true, 100);
    var slice = f.channel(0).posted.getFirst();
    f.channel(0).complete();
    assertThrows(IllegalStateException.class, () -> f.flow.completed(slice, f.now));
  }

  @Test
  void aPartWhoseSlicesWereGivenUpIsNeverUsedAgain() {
    var ear = f.submit(100, true, 100);
    f.pass(101);
    f.pass(5_000);
    f.pass(2_001);
    assertEquals(1, ear.settled);
    assertTrue(ear.quarantined);
    assertFalse(ear.part.spent(), "the transport may report its slice after all");
    f.channel(0).complete();
    assertFalse(ear.part.spent());
  }

  @Test
  void aPartThatStillWaitsInAQueueIsNotUsedAgain() {
    f.answerConnects = false;
    var ear = f.submit(1_000, true, 100);
    f.flow.cancel(ear.part);
    assertEquals(1, ear.settled);
    assertFalse(ear.part.spent(), "its flow would cut another batch's requests out of turn");
  }

  @Test
  void itsRequestsBeginAnewWithEachUse() {
    var ear = f.submit(1_000, true, 2_500);
    f.channel(0).completeAll();
    var part = ear.part;
    part.clear();
    assertEquals(0, part.size());
    var request = part.add(1);
    request.set(0, false, f.memory, 0, 10, 0, null, new long[0], () -> {});
    assertEquals(0, request.cut + request.completed + request.live + request.slices());
    assertFalse(request.ended || request.posted || request.quarantined);
  }
}
