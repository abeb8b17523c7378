package dev.shunt.runtime.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Outcome;
import dev.shunt.runtime.transfer.BatchHandle;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

class BatchHandleStressTest {
  private static final int LANES = 3;
  private static final int BATCHES = 100;

  @Test
  void aBatchIsDoneAndSettledOnceThoughItsPartsEndTogether() throws InterruptedException {
    try (var racers = new Racers("BatchHandleStressTest", 2)) {
      while (racers.another(10_000)) {
        round(racers);
      }
    }
  }

  private static void round(Racers racers) throws InterruptedException {
    var done = new AtomicIntegerArray(BATCHES);
    var handles = new ArrayList<BatchHandle>();
    for (int i = 0; i < BATCHES; i++) {
      int at = i;
      var handle = StressHost.handle(LANES, () -> done.incrementAndGet(at));
      handle.expect(LANES);
      handles.add(handle);
    }
    var all = new ArrayList<Runnable>();
    for (int lane = 0; lane < LANES; lane++) {
      int index = lane;
      all.add(
          () -> {
            for (var handle : handles) {
              handle.requestEnded(index, new Outcome.Completed(7));
              handle.progress(7);
              handle.partDone();
              handle.partSettled(false);
            }
          });
    }
    all.add(() -> handles.forEach(handle -> handle.submitted(null, null)));
    racers.run(all);
    for (int i = 0; i < BATCHES; i++) {
      assertEquals(1, done.get(i), "how often a batch was done");
      var handle = handles.get(i);
      assertEquals(LANES * 7, handle.done().poll().orElseThrow().bytes());
      assertEquals(LANES * 7, handle.transferredBytes());
      assertTrue(handle.settled().isDone(), "it has settled");
    }
  }
}
