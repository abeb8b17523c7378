package dev.shunt.cli;

import dev.shunt.api.Batch;
import dev.shunt.api.Engine;
import dev.shunt.api.FailureCode;
import dev.shunt.api.Operation;
import dev.shunt.api.Request;
import dev.shunt.api.Segment;
import dev.shunt.api.ShuntException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The middle of the story: the cable of one rail is pulled while blocks are on their way, and
 * plugged in again later.
 */
final class DemoFault {
  /** Long enough to be measured, and for a fault to fall into. */
  private static final long LEAST_PART = TimeUnit.MILLISECONDS.toNanos(250);

  /** The rail of the other node that the cable leads to. */
  static final String CABLED = "127.0.0.2";

  /** Where the cable begins: what the other node tells of that rail. */
  private static final String BEGINS = "127.0.0.3";

  private static final int MOST_REQUESTS = 16_384;
  private static final long GLANCE = TimeUnit.MICROSECONDS.toNanos(500);
  private static final long RETURN = TimeUnit.SECONDS.toNanos(10);

  private final Engine engine;
  private final Segment peer;
  private final Cable cable;
  private final MemorySegment memory;
  private final long block;
  private final Deadline deadline;

  DemoFault(
      Engine engine,
      Segment peer,
      Cable cable,
      MemorySegment memory,
      long block,
      Deadline deadline) {
    this.engine = engine;
    this.peer = peer;
    this.cable = cable;
    this.memory = memory;
    this.block = block;
    this.deadline = deadline;
  }

  /**
   * A stretch of time.
   *
   * @param bytes that were written
   * @param nanos in which
   * @param byRail how much of it each of the peer's rails carried
   */
  record Part(long bytes, long nanos, Map<String, Long> byRail) {}

  /**
   * What came of it.
   *
   * @param midway whether blocks were on their way when the cable was pulled
   * @param before with all rails
   * @param without from the pull to the end of what was on its way
   * @param gap the longest time in it without a block that ended
   * @param redone how many pieces were sent again
   * @param returned how long after it was plugged in the rail carried something; empty if it did
   *     not
   * @param after with all rails once more
   */
  record Told(
      boolean midway,
      Part before,
      Part without,
      long gap,
      long redone,
      Optional<Long> returned,
      Part after) {}

  /** A cable to that rail; empty where this machine has no such addresses. */
  static Optional<Cable> cable() {
    try {
      return Optional.of(Cable.plugged(BEGINS, CABLED));
    } catch (IOException _) {
      // The rest of the story goes without; its end says so.
      return Optional.empty();
    }
  }

  /** The other node's rails: to one of them peers get by the cable only. */
  static String rails(Cable cable) {
    return "transports.tcp.rails=[{ address = \"127.0.0.1\", name = \"127.0.0.1\" }, { address = \""
        + CABLED
        + "\", name = \""
        + CABLED
        + "\", port = "
        + cable.port()
        + ", advertise = \""
        + BEGINS
        + "\" }]";
  }

  /** Why nothing can be shown here; empty if it can. */
  static Optional<String> missing(Engine engine, Optional<Cable> cable) {
    if (engine.status().plugins().stream()
        .noneMatch(p -> p.kind().equals("failover") && p.state().equals("ACTIVE"))) {
      return Optional.of("no failover policy is in use, so a lost rail would end the transfer");
    }
    return cable.filter(it -> it.bytes() > 0).isPresent()
        ? Optional.empty()
        : Optional.of("the rails are not the demo's own, so it has no cable to pull");
  }

  /**
   * Pulls, waits, and plugs in.
   *
   * @param usual how long it took to write all of the memory once
   */
  Told run(long usual) throws InterruptedException {
    int rounds = rounds(usual);
    var before = part(rounds);
    var redoneBefore = engine.status().counters().getOrDefault("slices-redone", 0L);

    Payload.fill(memory, 2);
    var batch = batch(rounds);
    long whole = rounds * memory.byteSize();
    var transfer = engine.submit(batch.within(deadline.left("the demo's fault")));
    while (transfer.transferredBytes() < whole / 3 && transfer.done().poll().isEmpty()) {
      LockSupport.parkNanos(GLANCE);
    }
    cable.pull();
    long cut = System.nanoTime();
    long done = transfer.transferredBytes();
    boolean midway = done < whole;
    var carried = carried();
    long seen = done;
    long last = cut;
    long gap = 0;
    while (transfer.done().poll().isEmpty()) {
      LockSupport.parkNanos(GLANCE);
      long now = System.nanoTime();
      long bytes = transfer.transferredBytes();
      if (bytes != seen) {
        gap = Math.max(gap, now - last);
        seen = bytes;
        last = now;
      }
      deadline.left("the demo's fault");
    }
    gap = Math.max(gap, System.nanoTime() - last);
    transfer.done().poll().orElseThrow().orThrow();
    if (!midway) {
      // What is small was over before: then the next blocks meet the fault.
      long from = System.nanoTime();
      write(1);
      gap = System.nanoTime() - from;
    }
    var without =
        new Part(
            whole - done + (midway ? 0 : memory.byteSize()),
            System.nanoTime() - cut,
            difference(carried));
    var redone = engine.status().counters().getOrDefault("slices-redone", 0L) - redoneBefore;
    var returned = plugIn(carried());
    Payload.fill(memory, 3);
    return new Told(midway, before, without, gap, redone, returned, part(rounds));
  }

  private int rounds(long usual) {
    long requests = Math.max(1, (memory.byteSize() + block - 1) / block);
    long wanted = LEAST_PART / Math.max(1, usual) + 1;
    return (int) Math.clamp(wanted, 1, Math.max(1, MOST_REQUESTS / requests));
  }

  /** Writes until the rail carries something again. */
  private Optional<Long> plugIn(Map<String, Long> carried) throws InterruptedException {
    try {
      cable.plugIn();
    } catch (IOException e) {
      throw new ShuntException(
          FailureCode.RESOURCE, "the port of the demo's cable is taken: " + e.getMessage(), e);
    }
    long since = System.nanoTime();
    long through = cable.bytes();
    while (System.nanoTime() - since < RETURN) {
      write(1);
      if (cable.bytes() > through && by(carried(), CABLED) > by(carried, CABLED)) {
        return Optional.of(System.nanoTime() - since);
      }
    }
    return Optional.empty();
  }

  private Part part(int rounds) throws InterruptedException {
    var carried = carried();
    long from = System.nanoTime();
    write(rounds);
    long nanos = System.nanoTime() - from;
    return new Part(rounds * memory.byteSize(), nanos, difference(carried));
  }

  private void write(int rounds) throws InterruptedException {
    var left = deadline.left("the demo's fault");
    engine.submit(batch(rounds).within(left)).await(left).orThrow();
  }

  private Batch batch(int rounds) {
    var requests = new ArrayList<Request>();
    long remote = peer.buffers().getFirst().address();
    for (int i = 0; i < rounds; i++) {
      for (long from = 0; from < memory.byteSize(); from += block) {
        long length = Math.min(block, memory.byteSize() - from);
        requests.add(
            new Request(Operation.WRITE, memory.asSlice(from, length), peer, remote + from));
      }
    }
    return Batch.of(requests);
  }

  private Map<String, Long> difference(Map<String, Long> before) {
    var now = carried();
    now.replaceAll((rail, bytes) -> bytes - before.getOrDefault(rail, 0L));
    return now;
  }

  /** What went by each of the peer's rails so far. */
  private Map<String, Long> carried() {
    var sums = new TreeMap<String, Long>();
    for (var known : engine.status().peers()) {
      if (known.name().equals(peer.name())) {
        known.paths().stream()
            .filter(path -> path.transport().equals("tcp"))
            .forEach(path -> sums.merge(path.remoteRail(), path.carriedBytes(), Long::sum));
      }
    }
    return sums;
  }

  private static long by(Map<String, Long> carried, String rail) {
    return carried.getOrDefault(rail, 0L);
  }

  /** A rail's part in what was carried, such as {@code 49 %}. */
  static String share(Part part, String rail) {
    long all = part.byRail().values().stream().mapToLong(Long::longValue).sum();
    return all == 0 ? "-" : Math.round(100.0 * part.byRail().get(rail) / all) + " %";
  }
}
