package dev.shunt.runtime.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Failure;
import dev.shunt.api.FailureCode;
import dev.shunt.api.Outcome;
import dev.shunt.runtime.transfer.BatchHandle;
import dev.shunt.runtime.transfer.LaneRoute;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A batch of one part, and how often it ended. */
final class StressBatch {
  static final long FOREVER = 60_000_000_000L;
  private static final int REQUESTS = 4;
  private static final AtomicLong ORDER = new AtomicLong();
  private static final MemorySegment MEMORY = Arena.ofAuto().allocate(4096);

  final BatchHandle handle;
  private final AtomicInteger done = new AtomicInteger();
  private final AtomicInteger released = new AtomicInteger();

  StressBatch() {
    handle = StressHost.handle(REQUESTS, done::incrementAndGet);
  }

  /** Submits it by one way, which is at a place among those to the remote. */
  void submit(StressLane lane, LaneRoute route, int place, SplittableRandom chance) {
    handle.expect(1);
    var part = lane.lane.part(handle, route);
    for (int i = 0; i < REQUESTS; i++) {
      var request = part.add(REQUESTS - i);
      request.set(
          i,
          chance.nextBoolean(),
          MEMORY,
          0,
          1 + chance.nextInt(600),
          0,
          StressWays.KEYS,
          new long[0],
          released::incrementAndGet);
      request.way(place);
    }
    if (!route.room().tryAcquire(REQUESTS)) {
      throw new AssertionError("no room");
    }
    part.room(REQUESTS);
    route.queuedRequests().addAndGet(REQUESTS);
    var now = System.nanoTime();
    if (!part.submit(now, now + FOREVER, ORDER.incrementAndGet())) {
      part.refuse(Failure.of(FailureCode.CLOSED, "refused"));
    }
    handle.submitted(part, null);
  }

  /** All of it ended, once; counts how. */
  void check(Map<String, Integer> codes) {
    assertEquals(1, done.get(), "how often the batch was done");
    assertTrue(handle.settled().isDone(), "it has settled");
    var result = handle.done().poll().orElseThrow();
    assertEquals(REQUESTS, released.get(), "buffers that were let go");
    for (Outcome outcome : result.outcomes()) {
      var code =
          outcome instanceof Outcome.Failed failed
              ? failed.failure().code().name()
              : outcome.code();
      codes.merge(code, 1, Integer::sum);
    }
    if (result.completed()) {
      assertEquals(result.bytes(), handle.transferredBytes(), "bytes that were told on the way");
    }
  }
}
