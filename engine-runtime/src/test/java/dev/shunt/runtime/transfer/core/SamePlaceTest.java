package dev.shunt.runtime.transfer.core;

import static dev.shunt.runtime.transfer.core.FlowFixture.MS;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shunt.api.spi.Limits.Fencing;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which of several ways to the same place carries a slice. */
class SamePlaceTest {
  private static final long FAR = 60_000;

  private static FlowFixture flow(int localRails, int... places) {
    return new FlowFixture(
        localRails,
        places,
        new FlowLimits(1000, 4000, 16, 16_000, 5_000 * MS, 2_000 * MS, 1_000 * MS, Fencing.ORDERED),
        true);
  }

  private static List<Integer> posted(FlowFixture f) {
    return f.channels.stream().map(channel -> channel.posted.size()).toList();
  }

  @Test
  void oneSliceAtATimeStaysOnTheWayThatIsWarm() {
    var f = flow(1, 0, 0, 0);
    for (int i = 0; i < 10; i++) {
      f.submit(FAR, true, 100);
      assertEquals(List.of(1, 0, 0), posted(f));
      f.channel(0).completeAll();
    }
  }

  @Test
  void severalAtATimeHaveAWayEach() {
    var f = flow(1, 0, 0, 0, 0);
    f.submit(FAR, true, 8 * 1000);
    assertEquals(List.of(2, 2, 2, 2), posted(f));
    f.channel(2).completeAll();
    f.submit(FAR, true, 100);
    assertEquals(List.of(2, 2, 1, 2), posted(f));
  }

  @Test
  void whatLeadsToAnotherPlaceHasItsTurn() {
    var f = flow(1, 0, 1);
    var first = f.submit(FAR, true, 100);
    f.channel(0).completeAll();
    f.channel(1).completeAll();
    f.submit(FAR, true, 100);
    assertEquals(1, first.done);
    assertEquals(List.of(0, 1), posted(f), "rails take turns");
  }

  @Test
  void anotherRailOfOursIsAnotherWay() {
    var f = flow(2, 0, 0);
    f.submit(FAR, true, 100);
    f.channels.forEach(FlowFixture.FakeChannel::completeAll);
    f.submit(FAR, true, 100);
    var slots = f.flow.paths().slots();
    var used = slots.stream().filter(slot -> slot.posted > 0).map(slot -> slot.localRail).toList();
    assertEquals(List.of(1), used);
  }

  @Test
  void aWayThatRestsIsLeftOut() {
    var f = flow(1, 0, 0);
    f.submit(FAR, true, 100);
    f.channel(0).completeAll();
    f.flow.paths().pause(f.flow.paths().slots().getFirst(), f.now + 1000 * MS);
    f.submit(FAR, true, 100);
    assertEquals(List.of(0, 1), posted(f));
  }
}
