package dev.shunt.runtime.stress;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads that begin together, round after round, until the rounds or the time are over. */
final class Racers implements AutoCloseable {
  private static final long PATIENCE = 30;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final SplittableRandom random;
  private final String test;
  private final long until;
  private int rounds;

  /**
   * Racers of one test.
   *
   * @param seconds after which no further round begins
   */
  Racers(String test, int seconds) {
    var seed = Long.getLong("shunt.stress.seed", System.nanoTime());
    System.out.println(test + ": -Dshunt.stress.seed=" + seed);
    this.test = test;
    this.random = new SplittableRandom(seed);
    this.until = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
  }

  /** Chance; one for each thread that is to have some. On the test's thread. */
  SplittableRandom chance() {
    return random.split();
  }

  /** Whether there is time for one round more. */
  boolean another(int most) {
    if (rounds == most || System.nanoTime() - until > 0) {
      System.out.println(test + ": " + rounds + " rounds");
      return false;
    }
    rounds++;
    return true;
  }

  /** Lets all run at once, and waits for all; what one throws is thrown. */
  void run(List<Runnable> all) throws InterruptedException {
    var gate = new AtomicInteger(all.size());
    var futures = new ArrayList<Future<?>>();
    for (var one : all) {
      futures.add(
          threads.submit(
              () -> {
                gate.decrementAndGet();
                while (gate.get() > 0) {
                  Thread.yield();
                }
                one.run();
              }));
    }
    for (var future : futures) {
      try {
        future.get(PATIENCE, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        throw new AssertionError("round " + rounds + ": " + e.getCause(), e.getCause());
      } catch (TimeoutException e) {
        throw new AssertionError("round " + rounds + " hangs", e);
      }
    }
  }

  /** Lets some time pass, up to a few tens of microseconds; now and then others go first. */
  static void dawdle(SplittableRandom chance, int most) {
    for (int i = chance.nextInt(most); i > 0; i--) {
      Thread.onSpinWait();
    }
    if (chance.nextInt(4) == 0) {
      Thread.yield();
    }
  }

  /** Waits for what other threads do. */
  static void await(CountDownLatch latch, String what) throws InterruptedException {
    if (!latch.await(PATIENCE, TimeUnit.SECONDS)) {
      throw new AssertionError("not within " + PATIENCE + " s: " + what);
    }
  }

  /** A sink for what went wrong on threads that nobody waits for. */
  static void none(ConcurrentLinkedQueue<String> wrong) {
    if (!wrong.isEmpty()) {
      throw new AssertionError(wrong.toString());
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
