package dev.shunt.runtime.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.spi.Limits.Fencing;
import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.RemoteRail;
import dev.shunt.runtime.transfer.LaneRoute;
import dev.shunt.runtime.transfer.core.Counter;
import dev.shunt.runtime.transfer.core.FlowLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** The batch's counters while its requests move from lane to lane. */
class MoveStressTest {
  private static final int CALLERS = 2;
  private static final int BATCHES = 12;
  private static final long FOREVER = StressBatch.FOREVER;
  private static final FlowLimits LIMITS =
      new FlowLimits(100, 200, 8, 800, FOREVER, FOREVER, FOREVER, Fencing.ORDERED);

  private final Map<String, Integer> codes = new TreeMap<>();
  private long moved;

  @Test
  void everyBatchEndsOnceThoughItsRequestsMoveWhileItIsCancelled() throws InterruptedException {
    run("MoveStressTest cancelling", false);
    assertEquals(0, codes.getOrDefault("CLOSED", 0), () -> "nobody closed: " + codes);
    assertTrue(codes.getOrDefault("CANCELLED", 0) > 0, () -> "none was cancelled: " + codes);
  }

  @Test
  void everyBatchEndsOnceThoughItsRequestsMoveToALaneThatCloses() throws InterruptedException {
    run("MoveStressTest closing", true);
    assertTrue(codes.getOrDefault("CLOSED", 0) > 0, () -> "the close never met one: " + codes);
  }

  private void run(String name, boolean closing) throws InterruptedException {
    try (var racers = new Racers(name, 5)) {
      while (racers.another(500)) {
        round(racers, closing);
      }
    }
    System.out.println(name + ": " + codes + ", moved " + moved);
    assertTrue(moved > 0, "nothing moved");
    assertTrue(codes.getOrDefault("COMPLETED", 0) > 0, () -> "none completed: " + codes);
  }

  private void round(Racers racers, boolean closing) throws InterruptedException {
    var lanes = List.of(new StressLane(0, racers.chance()), new StressLane(1, racers.chance()));
    var rails = List.of(new RemoteRail("far", 0, Map.of()));
    var remote = new Remote.Target("peer");
    var routes =
        List.of(
            new LaneRoute(remote, rails, LIMITS, 1000), new LaneRoute(remote, rails, LIMITS, 1000));
    StressWays.join(lanes, routes);
    lanes.forEach(lane -> lane.moves = 50);
    lanes.forEach(StressLane::start);
    var batches = new ConcurrentLinkedQueue<StressBatch>();
    var all = new ArrayList<Runnable>();
    for (int i = 0; i < CALLERS; i++) {
      var chance = racers.chance();
      all.add(() -> call(lanes, routes, batches, chance));
    }
    if (closing) {
      var chance = racers.chance();
      all.add(
          () -> {
            Racers.dawdle(chance, 6000);
            lanes.get(chance.nextInt(2)).stop();
          });
    }
    racers.run(all);
    if (!closing) {
      for (var batch : batches) {
        batch.handle.settled().await(Duration.ofSeconds(10));
      }
    }
    lanes.forEach(StressLane::stop);
    for (var lane : lanes) {
      assertTrue(lane.ended(), "a lane did not end");
      moved += lane.lane.counters().value(Counter.REQUESTS_MOVED);
    }
    assertEquals(CALLERS * BATCHES, batches.size());
    batches.forEach(batch -> batch.check(codes));
    for (var route : routes) {
      assertEquals(route.queue(), route.room().availablePermits(), "room of the route");
      assertEquals(0, route.queuedRequests().get(), "requests of the route");
    }
  }

  private static void call(
      List<StressLane> lanes,
      List<LaneRoute> routes,
      ConcurrentLinkedQueue<StressBatch> batches,
      SplittableRandom chance) {
    for (int i = 0; i < BATCHES; i++) {
      var batch = new StressBatch();
      batches.add(batch);
      int way = chance.nextInt(2);
      batch.submit(lanes.get(way), routes.get(way), way, chance);
      Racers.dawdle(chance, 500);
      if (chance.nextInt(4) == 0) {
        batch.handle.cancel();
      }
    }
  }
}
