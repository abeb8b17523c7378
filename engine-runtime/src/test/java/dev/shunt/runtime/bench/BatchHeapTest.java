package dev.shunt.runtime.bench;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Batch;
import dev.shunt.api.Operation;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a small batch puts on the heap from submit to its outcome, on its caller's thread and on all
 * lanes of both engines. Taken again until it is good twice in a row, since code that is not
 * compiled yet allocates more.
 */
class BatchHeapTest {
  private static final long PATIENCE = 90_000_000_000L;
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final int BATCHES = 5_000;
  private static final int SIZE = 4096;
  private static final double MOST = 256;

  @ParameterizedTest
  @EnumSource
  void isAtMost256Bytes(Operation operation) throws InterruptedException {
    try (var pair = new Pair(List.of("127.0.0.1"), SIZE, 1 << 20)) {
      var batch = pair.batch(operation, SIZE);
      var until = System.nanoTime() + PATIENCE;
      double seen;
      int good = 0;
      do {
        seen = (double) allocated(pair, batch) / BATCHES;
        good = seen <= MOST ? good + 1 : 0;
      } while (good < 2 && System.nanoTime() - until < 0);
      System.out.println(operation + ": " + seen + " heap bytes for each batch");
      assertTrue(good == 2, operation + ": " + seen + " heap bytes for each batch");
    }
  }

  private static long allocated(Pair pair, Batch batch) throws InterruptedException {
    var lanes = LaneHeap.bytes();
    var before = LaneHeap.own();
    for (int i = 0; i < BATCHES; i++) {
      pair.submit(batch).await(SOON).orThrow();
    }
    var own = LaneHeap.own() - before;
    return own + LaneHeap.bytes() - lanes;
  }
}
