package dev.shunt.runtime.bench;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Operation;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What lanes put on the heap does not grow with the number of slices. The bytes of a batch itself
 * fall out by the difference of two sizes. Code that is not compiled yet allocates more, so the
 * figure is taken again until it is good twice in a row, or the time is up; and since such code may
 * run at any time, a fraction of an object is let pass: the smallest has 16 bytes, so one for every
 * tenth slice would be seen.
 */
class NothingIsAllocatedForASliceTest {
  private static final long PATIENCE = 90_000_000_000L;
  private static final double TOLERANCE = 1.5;
  private static final int BATCHES = 8;

  @ParameterizedTest
  @CsvSource({"4096, 1024", "65536, 128", "1048576, 16"})
  void onceTheLanesAreWarm(int sliceSize, int slices) throws InterruptedException {
    var some = (long) slices * sliceSize;
    try (var pair = new Pair(List.of("127.0.0.1", "127.0.0.2"), 2 * some, sliceSize)) {
      for (var operation : Operation.values()) {
        var until = System.nanoTime() + PATIENCE;
        double seen;
        int good = 0;
        do {
          var once = perBatch(pair, operation, some);
          seen = (double) (perBatch(pair, operation, 2 * some) - once) / slices;
          good = Math.abs(seen) <= TOLERANCE ? good + 1 : 0;
        } while (good < 2 && System.nanoTime() - until < 0);
        assertTrue(
            good == 2,
            operation + " of slices of " + sliceSize + ": " + seen + " heap bytes for each slice");
      }
    }
  }

  private static long perBatch(Pair pair, Operation operation, long bytes)
      throws InterruptedException {
    var before = LaneHeap.bytes();
    for (int i = 0; i < BATCHES; i++) {
      pair.move(operation, bytes);
    }
    return (LaneHeap.bytes() - before) / BATCHES;
  }
}
