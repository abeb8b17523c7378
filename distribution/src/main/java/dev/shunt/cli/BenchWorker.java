package dev.shunt.cli;

import dev.shunt.api.Batch;
import dev.shunt.api.Engine;
import dev.shunt.api.Request;
import dev.shunt.api.Segment;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/** One thread of a benchmark: batch after batch, round its share of the memory. */
final class BenchWorker {
  private final Engine engine;
  private final Segment peer;
  private final Bench.Work work;
  private final MemorySegment mine;
  private final long remote;
  private final Duration patience;
  private final List<Batch> batches;
  private final long bytesOfBatch;
  private final Histogram latencies = new Histogram(3);
  private final SingleWriterRecorder recent = new SingleWriterRecorder(3);
  private volatile long soFar;
  private Optional<Verification> verification = Optional.empty();
  private long measured;
  private long lastEnd;

  BenchWorker(Engine engine, Segment peer, Bench.Work work, MemorySegment mine, long remote) {
    this.engine = engine;
    this.peer = peer;
    this.work = work;
    this.mine = mine;
    this.remote = remote;
    this.patience = work.patience();
    this.bytesOfBatch = work.block() * work.batch();
    this.batches = batches(peer, work, mine, remote);
  }

  /** Made beforehand: what is measured is the engine. */
  private static List<Batch> batches(
      Segment peer, Bench.Work work, MemorySegment mine, long remote) {
    var batches = new ArrayList<Batch>();
    long size = work.block() * work.batch();
    for (long from = 0; from + size <= mine.byteSize(); from += size) {
      var requests = new ArrayList<Request>();
      for (long at = from; at < from + size; at += work.block()) {
        var local = mine.asSlice(at, work.block());
        requests.add(new Request(work.operation(), local, peer, remote + at));
      }
      batches.add(Batch.of(requests));
    }
    return batches;
  }

  /** From now on it reads back what it has written, to there. */
  void verify(MemorySegment back) {
    verification = Optional.of(new Verification(engine, peer, work, mine, back, remote));
  }

  /** Until the clock says that it is over. */
  Void run(BenchClock clock) throws InterruptedException {
    // One at least that counts, however short the time or slow the peer.
    for (long turn = 0; !over(clock); turn++) {
      int next = (int) (turn % batches.size());
      if (verification.isPresent()) {
        verification.get().before(next, turn >= batches.size());
      }
      long before = System.nanoTime();
      engine.submit(batches.get(next)).await(patience).orThrow();
      long now = System.nanoTime();
      soFar += bytesOfBatch;
      recent.recordValue(now - before);
      if (before - clock.measuredFrom() >= 0) {
        latencies.recordValue(now - before);
        measured++;
        lastEnd = now;
      }
      if (verification.isPresent()) {
        verification.get().after(next);
      }
    }
    return null;
  }

  private boolean over(BenchClock clock) {
    return clock.stopped() || measured > 0 && clock.over(System.nanoTime());
  }

  /** Bytes that were moved, warming up included; any thread. */
  long bytesSoFar() {
    return soFar;
  }

  /**
   * How long each took of those that ended since the last call, in nanoseconds; for one thread.
   *
   * @param reused what the last call gave, or null
   */
  Histogram recent(Histogram reused) {
    return recent.getIntervalHistogram(reused);
  }

  /** Batches that counted; once it has ended, as the rest. */
  long batches() {
    return measured;
  }

  /** Bytes that were read back. */
  long verified() {
    return verification.map(Verification::bytes).orElse(0L);
  }

  /** When the last of them ended; there is one. */
  long lastEnd() {
    return lastEnd;
  }

  /** How long each of them took, in nanoseconds. */
  Histogram latencies() {
    return latencies;
  }
}
