package dev.shunt.runtime.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.runtime.agent.TaskAgent;
import dev.shunt.runtime.agent.ThreadPlatform;
import dev.shunt.runtime.transfer.FutureSignal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FutureSignalStressTest {
  private static final int LISTENERS = 3;
  private static final int CALLBACKS = 10;

  private final TaskAgent delivery = new TaskAgent("delivery", 100_000);

  @Test
  void eachCallbackComesOnceOnTheDeliveryWithTheOneValue() throws InterruptedException {
    var running = new ThreadPlatform("stress-").start(delivery);
    try (var racers = new Racers("FutureSignalStressTest", 3)) {
      while (racers.another(2000)) {
        round(racers);
      }
    }
    running.stop(_ -> {});
    assertTrue(running.join(TimeUnit.SECONDS.toNanos(10)), "the delivery did not end");
  }

  private void round(Racers racers) throws InterruptedException {
    var signal = new FutureSignal<Integer>(delivery::execute);
    var values = new ConcurrentLinkedQueue<Integer>();
    var wrong = new ConcurrentLinkedQueue<String>();
    var called = new CountDownLatch(LISTENERS * CALLBACKS);
    var all = new ArrayList<Runnable>();
    for (int i = 0; i < 2; i++) {
      int value = i;
      var chance = racers.chance();
      all.add(
          () -> {
            Racers.dawdle(chance, 300);
            signal.complete(value);
          });
    }
    for (int i = 0; i < LISTENERS; i++) {
      var chance = racers.chance();
      all.add(
          () -> {
            for (int n = 0; n < CALLBACKS; n++) {
              Racers.dawdle(chance, 50);
              signal.whenDone(
                  value -> {
                    values.add(value);
                    if (!Thread.currentThread().getName().endsWith("delivery")) {
                      wrong.add("called back on " + Thread.currentThread());
                    }
                    called.countDown();
                  });
            }
            awaited(signal, values);
          });
    }
    racers.run(all);
    Racers.await(called, "callbacks");
    Racers.none(wrong);
    assertEquals(LISTENERS * (CALLBACKS + 1), values.size());
    assertEquals(1, values.stream().distinct().count(), () -> "values " + values);
  }

  private static void awaited(FutureSignal<Integer> signal, ConcurrentLinkedQueue<Integer> values) {
    try {
      values.add(signal.await(Duration.ofSeconds(10)));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
