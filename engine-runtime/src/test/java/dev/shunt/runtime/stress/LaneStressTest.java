package dev.shunt.runtime.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Failure;
import dev.shunt.api.FailureCode;
import dev.shunt.api.Outcome;
import dev.shunt.api.spi.Limits.Fencing;
import dev.shunt.api.spi.RegionKey;
import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.RemoteRail;
import dev.shunt.runtime.transfer.BatchHandle;
import dev.shunt.runtime.transfer.LanePart;
import dev.shunt.runtime.transfer.LaneRoute;
import dev.shunt.runtime.transfer.core.FlowLimits;
import dev.shunt.runtime.transfer.core.RequestState;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LaneStressTest {
  private static final int CALLERS = 2;
  private static final int BATCHES = 6;
  private static final int REQUESTS = 3;
  private static final long FOREVER = 60_000_000_000L;
  private static final FlowLimits LIMITS =
      new FlowLimits(100, 200, 8, 800, FOREVER, FOREVER, FOREVER, Fencing.ORDERED);

  private final MemorySegment memory = Arena.ofAuto().allocate(4096);
  private final AtomicLong order = new AtomicLong();
  private final Map<String, Integer> codes = new TreeMap<>();
  private long posts;

  /** A batch with parts on all lanes, and what became of it. */
  private final class Tried {
    final AtomicInteger done = new AtomicInteger();
    final AtomicInteger released = new AtomicInteger();
    final BatchHandle handle;

    Tried(int requests) {
      handle = StressHost.handle(requests, done::incrementAndGet);
    }
  }

  @Test
  void everyBatchEndsOnceThoughItsLanesAreClosedInTheMiddle() throws InterruptedException {
    try (var racers = new Racers("LaneStressTest", 8)) {
      while (racers.another(1000)) {
        round(racers, true);
      }
    }
    System.out.println("LaneStressTest: " + codes + ", posted by callers " + posts);
    assertTrue(posts > 0, "no caller ever found a lane at rest");
    assertTrue(codes.getOrDefault("COMPLETED", 0) > 0, () -> "none completed: " + codes);
    assertTrue(codes.getOrDefault("CLOSED", 0) > 0, () -> "the close never met one: " + codes);
  }

  @Test
  void everyBatchEndsOnceWhereCallersCancel() throws InterruptedException {
    try (var racers = new Racers("LaneStressTest cancelling", 4)) {
      while (racers.another(500)) {
        round(racers, false);
      }
    }
    assertEquals(0, codes.getOrDefault("CLOSED", 0), () -> "nobody closed: " + codes);
    assertTrue(codes.getOrDefault("CANCELLED", 0) > 0, () -> "none was cancelled: " + codes);
  }

  private void round(Racers racers, boolean closing) throws InterruptedException {
    var lanes = List.of(new StressLane(0, racers.chance()), new StressLane(1, racers.chance()));
    lanes.forEach(StressLane::start);
    var routes = List.of(route(), route());
    var tried = new ConcurrentLinkedQueue<Tried>();
    var all = new ArrayList<Runnable>();
    for (int i = 0; i < CALLERS; i++) {
      var chance = racers.chance();
      all.add(() -> call(lanes, routes, tried, chance));
    }
    if (closing) {
      var chance = racers.chance();
      all.add(
          () -> {
            Racers.dawdle(chance, 4000);
            lanes.forEach(StressLane::stop);
          });
    }
    racers.run(all);
    if (!closing) {
      for (var one : tried) {
        one.handle.settled().await(Duration.ofSeconds(10));
      }
      lanes.forEach(StressLane::stop);
    }
    for (var lane : lanes) {
      assertTrue(lane.ended(), "a lane did not end");
    }
    assertEquals(CALLERS * BATCHES, tried.size());
    tried.forEach(this::check);
    for (var lane : lanes) {
      posts += lane.lane.callerPosts();
    }
    for (var route : routes) {
      assertEquals(route.queue(), route.room().availablePermits(), "room of the route");
      assertEquals(0, route.queuedRequests().get(), "requests of the route");
    }
  }

  private static LaneRoute route() {
    var rails = List.of(new RemoteRail("far", 0, Map.of()));
    return new LaneRoute(new Remote.Target("peer"), rails, LIMITS, 1000);
  }

  private void call(
      List<StressLane> lanes,
      List<LaneRoute> routes,
      ConcurrentLinkedQueue<Tried> tried,
      SplittableRandom chance) {
    for (int i = 0; i < BATCHES; i++) {
      var one = new Tried(lanes.size() * REQUESTS);
      tried.add(one);
      submit(one, lanes, routes, chance);
      Racers.dawdle(chance, 500);
      if (chance.nextInt(4) == 0) {
        one.handle.cancel();
      }
    }
  }

  private void submit(
      Tried one, List<StressLane> lanes, List<LaneRoute> routes, SplittableRandom chance) {
    one.handle.expect(lanes.size());
    var parts = new LanePart[lanes.size()];
    for (int lane = 0; lane < lanes.size(); lane++) {
      var route = routes.get(lane);
      var part = lanes.get(lane).lane.part(one.handle, route);
      for (int i = 0; i < REQUESTS; i++) {
        set(part.add(REQUESTS - i), one, lane * REQUESTS + i, 1 + chance.nextInt(600));
      }
      if (!route.room().tryAcquire(REQUESTS)) {
        throw new AssertionError("no room");
      }
      part.room(REQUESTS);
      route.queuedRequests().addAndGet(REQUESTS);
      parts[lane] = part;
      var now = System.nanoTime();
      if (!part.submit(now, now + FOREVER, order.incrementAndGet())) {
        part.refuse(Failure.of(FailureCode.CLOSED, "refused"));
      }
    }
    one.handle.submitted(parts[0], Arrays.copyOfRange(parts, 1, parts.length));
  }

  private void set(RequestState request, Tried one, int index, long length) {
    request.set(
        index,
        true,
        memory,
        0,
        length,
        0,
        new RegionKey[] {() -> 1},
        new long[0],
        one.released::incrementAndGet);
  }

  private void check(Tried one) {
    assertEquals(1, one.done.get(), "how often the batch was done");
    assertTrue(one.handle.settled().isDone(), "it has settled");
    var outcomes = one.handle.done().poll().orElseThrow().outcomes();
    assertEquals(outcomes.size(), one.released.get(), "buffers that were let go");
    for (Outcome outcome : outcomes) {
      var code =
          outcome instanceof Outcome.Failed failed
              ? failed.failure().code().name()
              : outcome.code();
      codes.merge(code, 1, Integer::sum);
    }
  }
}
