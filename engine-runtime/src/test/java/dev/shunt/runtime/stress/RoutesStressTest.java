package dev.shunt.runtime.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Failure;
import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Limits.Fencing;
import dev.shunt.api.spi.PathHealth;
import dev.shunt.api.spi.PathId;
import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.RemoteRail;
import dev.shunt.api.spi.RetireReason;
import dev.shunt.runtime.agent.ThreadPlatform;
import dev.shunt.runtime.observe.Journal;
import dev.shunt.runtime.transfer.LaneRoute;
import dev.shunt.runtime.transfer.core.FlowLimits;
import dev.shunt.runtime.transport.Steward;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What the steward publishes, while lanes read it, and flows come and go. */
class RoutesStressTest {
  private static final int CALLERS = 2;
  private static final int BATCHES = 8;
  private static final int TURNS = 30;
  private static final long FOREVER = StressBatch.FOREVER;
  private static final FlowLimits LIMITS =
      new FlowLimits(100, 200, 8, 800, FOREVER, FOREVER, FOREVER, Fencing.ORDERED);
  private static final Fault FAULT =
      new Fault(
          Fault.Blame.REMOTE,
          FailureCode.CONNECTION,
          Fault.Effect.NONE,
          "as the test will have it");

  private final Map<String, Integer> codes = new TreeMap<>();

  /** Each failure pauses a path for a moment. */
  private static final class Moments implements PathHealth {
    @Override
    public void connected(PathId path, long link, long now) {}

    @Override
    public long failed(PathId path, long link, Fault fault, long now) {
      return now + 50_000;
    }

    @Override
    public void succeeded(PathId path, long now) {}

    @Override
    public void forget(String remote) {}
  }

  @Test
  void whatIsPublishedLastIsSeenByAllFlowsAndEveryBatchEndsOnce() throws InterruptedException {
    try (var racers = new Racers("RoutesStressTest", 6)) {
      while (racers.another(400)) {
        round(racers);
      }
    }
    System.out.println("RoutesStressTest: " + codes);
    assertTrue(codes.getOrDefault("COMPLETED", 0) > 0, () -> "none completed: " + codes);
    assertTrue(codes.getOrDefault("STALE_GENERATION", 0) > 0, () -> "no flow went: " + codes);
  }

  private void round(Racers racers) throws InterruptedException {
    var platform = new ThreadPlatform("stress-");
    var steward = new Steward(platform, new Journal(System::currentTimeMillis));
    var book = steward.new PathBook("stress", Optional.of(new Moments()));
    var running = platform.start(steward);
    var lane = new StressLane(0, racers.chance());
    lane.steward = book::routes;
    book.onPublish(lane.lane::wake);
    lane.start();
    var batches = new ConcurrentLinkedQueue<StressBatch>();
    var all = new ArrayList<Runnable>();
    for (int i = 0; i < CALLERS; i++) {
      var chance = racers.chance();
      all.add(() -> call(lane, batches, chance));
    }
    var chance = racers.chance();
    all.add(() -> publish(steward, book, chance));
    racers.run(all);
    // Without this being seen, what waits for the rail would wait for ever.
    steward.execute(() -> book.use(0, true));
    for (var batch : batches) {
      batch.handle.settled().await(Duration.ofSeconds(10));
    }
    lane.stop();
    assertTrue(lane.ended(), "the lane did not end");
    running.stop(_ -> {});
    assertTrue(running.join(TimeUnit.SECONDS.toNanos(10)), "the steward did not end");
    assertEquals(List.of(), book.routes().inactive());
    assertEquals(CALLERS * BATCHES, batches.size());
    batches.forEach(batch -> batch.check(codes));
  }

  private static void publish(Steward steward, Steward.PathBook book, SplittableRandom chance) {
    for (int i = 0; i < TURNS; i++) {
      switch (chance.nextInt(4)) {
        case 0 -> steward.execute(() -> book.use(0, false));
        case 1 -> steward.execute(() -> book.use(0, true));
        case 2 -> book.failed(new PathId("peer" + chance.nextInt(3), 0, 0, 0), i, FAULT);
        default -> book.forget("peer" + chance.nextInt(3));
      }
      Racers.dawdle(chance, 300);
    }
  }

  /** Each of a caller's remotes is there for a few batches only. */
  private static void call(
      StressLane lane, ConcurrentLinkedQueue<StressBatch> batches, SplittableRandom chance) {
    LaneRoute route = null;
    for (int i = 0; i < BATCHES; i++) {
      if (route == null || chance.nextInt(3) == 0) {
        if (route != null) {
          route.stale(Failure.of(FailureCode.STALE_GENERATION, "another one by now"));
          lane.lane.retire(
              route,
              FailureCode.STALE_GENERATION,
              "another one by now",
              RetireReason.STALE_GENERATION);
        }
        var rails = List.of(new RemoteRail("far", 0, Map.of()));
        route = new LaneRoute(new Remote.Target("peer" + i % 3), rails, LIMITS, 1000);
      }
      var batch = new StressBatch();
      batches.add(batch);
      batch.submit(lane, route, 0, chance);
      Racers.dawdle(chance, 500);
    }
  }
}
