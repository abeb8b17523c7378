package dev.shunt.runtime.transfer.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.spi.Limits.Fencing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Batches to one peer, on a wire that carries 2 GB a second in the order in which it was given
 * slices. Limits are those of TCP: slices of 1 MiB, 32 MiB under way.
 */
class BatchFairnessTest {
  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;
  private static final double BYTES_A_NANO = 2;
  private static final double MS = 1e6;

  private final FlowFixture f =
      new FlowFixture(
          1,
          1,
          new FlowLimits(
              MIB,
              64 * MIB,
              1024,
              32 * MIB,
              Long.MAX_VALUE / 4,
              Long.MAX_VALUE / 4,
              Long.MAX_VALUE / 4,
              Fencing.ORDERED));

  private FlowFixture.Ear submit(long... lengths) {
    f.depth = 256;
    return f.submit(600_000, true, lengths);
  }

  /** Lets the wire carry slices until a batch is done; answers the milliseconds since a time. */
  private double until(FlowFixture.Ear ear, long since) {
    while (ear.done == 0) {
      carry();
    }
    return (f.now - since) / MS;
  }

  private void carry() {
    while (f.flow.pump(f.now) > 0) {
      // As a lane does: turn after turn, for as long as something is done.
    }
    var wire = f.channel(0);
    f.now += (long) (wire.posted.getFirst().length / BYTES_A_NANO);
    wire.complete();
  }

  @Test
  void aSmallBatchWaitsForWhatIsUnderWayAndNotForALargeOne() {
    var large = submit(GIB);
    long start = f.now;
    for (int i = 0; i < 20; i++) {
      carry();
    }
    long asked = f.now;
    var small = submit(4096);
    double waited = until(small, asked);
    double whole = until(large, start);
    System.out.printf("4 KiB after %.1f ms, 1 GiB after %.1f ms%n", waited, whole);
    assertEquals(GIB / BYTES_A_NANO / MS, whole, 1);
    // 32 MiB take 16.8 ms.
    assertTrue(waited > 15 && waited < 18, () -> "a small batch waited for ms " + waited);
  }

  @Test
  void largeBatchesShareTheWireEvenly() {
    var ears = new ArrayList<FlowFixture.Ear>();
    for (int i = 0; i < 8; i++) {
      ears.add(submit(GIB / 8));
    }
    until(ears.getFirst(), 0);
    for (var ear : ears) {
      // The first is done, and nobody lags behind it by more than a window.
      assertTrue(GIB / 8 - ear.bytes <= 32 * MIB, () -> "done are only " + ear.bytes);
    }
  }

  @Test
  void manySmallRequestsOfOneBatchDoNotDelayAnotherBatch() {
    var lengths = new long[100_000];
    Arrays.fill(lengths, 4096);
    submit(lengths);
    carry();
    long asked = f.now;
    var small = submit(4096);
    double waited = until(small, asked);
    assertTrue(waited < 5, () -> "a small batch waited for ms " + waited);
  }

  @Test
  void whatIsPostedInOneGoLeavesOtherFlowsTheirTurn() {
    submit(GIB);
    var order = List.copyOf(f.channel(0).order);
    // 1 MiB, and a flush: the lane's other flows are not kept waiting for 32 of them.
    assertEquals(List.of(7_000L, "flush"), order.subList(0, 2));
  }
}
