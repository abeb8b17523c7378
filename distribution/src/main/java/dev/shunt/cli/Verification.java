package dev.shunt.cli;

import dev.shunt.api.Batch;
import dev.shunt.api.Engine;
import dev.shunt.api.FailureCode;
import dev.shunt.api.Operation;
import dev.shunt.api.Request;
import dev.shunt.api.Segment;
import dev.shunt.api.ShuntException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Sees that what was written is there: right after it is complete, and still the same when it is
 * written over, whatever came late meanwhile.
 */
final class Verification {
  private static final long PAGE = 4096;

  private final Engine engine;
  private final Duration patience;
  private final MemorySegment written;
  private final MemorySegment back;
  private final List<Batch> reads = new ArrayList<>();
  private final long size;
  private long stamp;
  private long bytes;

  /**
   * Of one share of the memory.
   *
   * @param written what goes out
   * @param back where it is read back to
   * @param remote where it goes
   */
  Verification(
      Engine engine,
      Segment peer,
      Bench.Work work,
      MemorySegment written,
      MemorySegment back,
      long remote) {
    this.engine = engine;
    this.patience = work.patience();
    this.written = written;
    this.back = back;
    this.size = work.block() * work.batch();
    for (long from = 0; from + size <= written.byteSize(); from += size) {
      var requests = new ArrayList<Request>();
      for (long at = from; at < from + size; at += work.block()) {
        var into = back.asSlice(at, work.block());
        requests.add(new Request(Operation.READ, into, peer, remote + at));
      }
      reads.add(Batch.of(requests));
    }
  }

  /** Before a batch is written again: it is as it was left, and then becomes another one. */
  void before(int batch, boolean wasWritten) throws InterruptedException {
    if (wasWritten) {
      compare(batch, "changed after it was complete");
    }
    stamp++;
    for (long at = batch * size; at < (batch + 1) * size; at += PAGE) {
      if (written.byteSize() - at >= Long.BYTES) {
        written.set(ValueLayout.JAVA_LONG_UNALIGNED, at, stamp << 32 ^ at);
      }
    }
  }

  /** After a batch is complete: it is there. */
  void after(int batch) throws InterruptedException {
    compare(batch, "is not what was written");
  }

  private void compare(int batch, String what) throws InterruptedException {
    engine.submit(reads.get(batch)).await(patience).orThrow();
    long from = batch * size;
    long at = MemorySegment.mismatch(written, from, from + size, back, from, from + size);
    if (at >= 0) {
      throw new ShuntException(
          FailureCode.CHECKSUM,
          "what the remote holds "
              + what
              + ": it differs at byte "
              + (from + at)
              + ", in round "
              + stamp);
    }
    bytes += size;
  }

  /** Bytes that were compared, and equal. */
  long bytes() {
    return bytes;
  }
}
