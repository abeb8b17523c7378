package dev.shunt.runtime.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.runtime.sim.Seeds.Kind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Thousands of stories with faults, each from a seed. {@code -Dshunt.seeds=N} runs another number
 * of them, {@code -Dshunt.seeds.kind=rdma} those of one kind only, {@code -Dshunt.seed=tcp:7} one
 * of them, telling all that happens.
 */
class SeedsTest {
  private static final int SEEDS = Integer.getInteger("shunt.seeds", 10_000);
  private static final int THREADS = 2;

  /** If only stories of one kind are to be told. */
  private static final Optional<Kind> ONLY =
      Optional.ofNullable(System.getProperty("shunt.seeds.kind")).map(SeedsTest::named);

  /** From which number of seeds on each rare thing is to be met. */
  private static final int ENOUGH = 10_000;

  private static final String AGAIN =
      "mvn -pl engine-runtime -am test -Dtest=SeedsTest -Dsurefire.failIfNoSpecifiedTests=false"
          + " -Dshunt.seed=";

  private final Map<Kind, Tally> tallies = new EnumMap<>(Kind.class);
  private final AtomicInteger next = new AtomicInteger(1);
  private final AtomicBoolean failed = new AtomicBoolean();

  SeedsTest() {
    for (var kind : Kind.values()) {
      tallies.put(kind, new Tally());
    }
  }

  private record Failed(String name, Throwable cause) {}

  private static Kind named(String kind) {
    return Kind.valueOf(kind.toUpperCase(Locale.ROOT));
  }

  /** Of ten, one goes by each of the others, and the rest by TCP. */
  private static Kind kind(int seed) {
    if (ONLY.isPresent()) {
      return ONLY.get();
    }
    return switch (seed % 10) {
      case 0 -> Kind.RDMA;
      case 1 -> Kind.NOF;
      case 2 -> Kind.PLAIN;
      default -> Kind.TCP;
    };
  }

  /** Stories that once told of a defect, and may tell of it again. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "tcp:4167",
        "rdma:4609",
        "tcp:20554",
        "rdma:31110",
        "tcp:32066",
        "plain:133882",
        "tcp:176033"
      })
  void whatAlwaysHoldsHoldsWhereItOnceDidNot(String seed) {
    var parts = seed.split(":");
    new Seeds().run(named(parts[0]), Long.parseLong(parts[1]), cluster -> {});
  }

  /** Half a minute on two free cores; much more where others want them too. */
  @Test
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  void whatAlwaysHoldsHoldsInEverySeed() throws Exception {
    var one = System.getProperty("shunt.seed");
    if (one != null) {
      var parts = one.split(":");
      System.out.println(new Seeds().run(named(parts[0]), Long.parseLong(parts[1]), Cluster::tell));
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
    for (var failure : failures) {
      throw new AssertionError(
          "seed "
              + failure.name
              + ": "
              + failure.cause.getMessage()
              + "; again: "
              + AGAIN
              + failure.name,
          failure.cause);
    }
    System.out.println(SEEDS + " seeds in " + (System.nanoTime() - start) / 1_000_000 + " ms");
    tallies.forEach((kind, tally) -> System.out.println(tally.report(kind.name())));
    if (SEEDS >= ENOUGH && ONLY.isEmpty()) {
      tallies.forEach(
          (kind, tally) -> assertEquals(Set.of(), tally.missing(kind.marks), "never met: " + kind));
    }
    assertTrue(tallies.get(Kind.TCP).fewest(3, 200, 5), "a seed over TCP is too small");
  }

  private Optional<Failed> run() {
    var seeds = new Seeds();
    for (int seed = next.getAndIncrement();
        seed <= SEEDS && !failed.get();
        seed = next.getAndIncrement()) {
      var kind = kind(seed);
      try {
        tallies.get(kind).add(seeds.run(kind, seed, cluster -> {}));
      } catch (RuntimeException | AssertionError e) {
        failed.set(true);
        return Optional.of(new Failed(kind.name().toLowerCase(Locale.ROOT) + ":" + seed, e));
      }
    }
    return Optional.empty();
  }
}
