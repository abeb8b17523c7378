package dev.shunt.runtime.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Thousands of stories with faults, each from a seed. {@code -Dshunt.seeds=N} runs another number
 * of them, {@code -Dshunt.seed=S} one of them, telling all that happens.
 */
class SeedsTest {
  private static final int SEEDS = Integer.getInteger("shunt.seeds", 1_000);
  private static final int THREADS = 2;

  /** From which number of seeds on each rare thing is to be met. */
  private static final int ENOUGH = 2_000;

  private final Marks marks = new Marks();
  private final AtomicLong next = new AtomicLong(1);
  private final AtomicLong nodes = new AtomicLong();
  private final AtomicLong slices = new AtomicLong();
  private final AtomicLong faults = new AtomicLong();
  private final AtomicLong batches = new AtomicLong();
  private final AtomicLong events = new AtomicLong();
  private final AtomicBoolean failed = new AtomicBoolean();

  private record Failed(long seed, Throwable cause) {}

  @Test
  void whatAlwaysHoldsHoldsInEverySeed() throws Exception {
    var one = System.getProperty("shunt.seed");
    if (one != null) {
      System.out.println(new Seeds().run(Seeds.Kind.TCP, Long.parseLong(one), Cluster::tell));
      return;
    }
    long start = System.nanoTime();
    var failures = new ArrayList<Failed>();
    try (var threads = Executors.newFixedThreadPool(THREADS)) {
      List<Callable<Optional<Failed>>> work = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        work.add(this::run);
      }
      for (var outcome : threads.invokeAll(work)) {
        outcome.get().ifPresent(failures::add);
      }
    }
    report((System.nanoTime() - start) / 1_000_000);
    for (var failure : failures) {
      System.out.println("seed " + failure.seed + " again, with all that happens:");
      System.out.println(
          "  mvn -pl engine-runtime -am test -Dtest=SeedsTest -Dshunt.seed="
              + failure.seed
              + " -Dsurefire.failIfNoSpecifiedTests=false");
      throw new AssertionError(
          "seed " + failure.seed + ": " + failure.cause.getMessage(), failure.cause);
    }
    if (SEEDS >= ENOUGH) {
      assertEquals(Set.of(), marks.missing(TcpFabric.MARKS), "never met");
    }
    assertTrue(slices.get() >= 200L * SEEDS, "a seed has 200 slices at least");
    assertTrue(faults.get() >= 5L * SEEDS, "a seed has 5 faults at least");
    assertTrue(nodes.get() >= 3L * SEEDS, "a seed has 3 nodes at least");
  }

  private Optional<Failed> run() {
    var seeds = new Seeds();
    for (long seed = next.getAndIncrement();
        seed <= SEEDS && !failed.get();
        seed = next.getAndIncrement()) {
      try {
        var result = seeds.run(Seeds.Kind.TCP, seed, cluster -> {});
        marks.add(result.marks());
        nodes.addAndGet(result.nodes());
        slices.addAndGet(result.slices());
        faults.addAndGet(result.faults());
        batches.addAndGet(result.batches());
        events.addAndGet(result.events());
      } catch (RuntimeException | AssertionError e) {
        failed.set(true);
        return Optional.of(new Failed(seed, e));
      }
    }
    return Optional.empty();
  }

  private void report(long millis) {
    System.out.printf(
        "%d seeds in %d ms; the mean of a seed: %.1f nodes, %d batches, %d slices, %.1f faults,"
            + " %d events%n",
        SEEDS,
        millis,
        (double) nodes.get() / SEEDS,
        batches.get() / SEEDS,
        slices.get() / SEEDS,
        (double) faults.get() / SEEDS,
        events.get() / SEEDS);
    var text = new StringBuilder("in how many seeds each rare thing was met:");
    for (var mark : Mark.values()) {
      text.append(' ').append(mark).append(' ').append(marks.seeds(mark));
    }
    System.out.println(text);
  }
}
