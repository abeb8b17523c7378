package dev.shunt.cli;

import dev.shunt.api.Batch;
import dev.shunt.api.Engine;
import dev.shunt.api.Operation;
import dev.shunt.api.Request;
import dev.shunt.api.Segment;
import dev.shunt.api.Transfer;
import java.io.PrintWriter;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Moves a whole memory in one batch, and shows how far it is. */
final class Copier {
  private static final long GLANCE_MILLIS = 50;

  private final Engine engine;
  private final Segment peer;
  private final long block;
  private final PrintWriter err;
  private final boolean terminal;

  Copier(Engine engine, Segment peer, long block, PrintWriter err, boolean terminal) {
    this.engine = engine;
    this.peer = peer;
    this.block = block;
    this.err = err;
    this.terminal = terminal;
  }

  /**
   * Copies local memory to where the peer's first buffer begins, or from there.
   *
   * @return how many nanoseconds it took
   */
  long copy(Operation operation, String label, MemorySegment local, Deadline deadline)
      throws InterruptedException {
    var requests = new ArrayList<Request>();
    long remote = peer.buffers().getFirst().address();
    for (long from = 0; from < local.byteSize(); from += block) {
      long length = Math.min(block, local.byteSize() - from);
      requests.add(new Request(operation, local.asSlice(from, length), peer, remote + from));
    }
    long start = System.nanoTime();
    var progress = new Progress(err, terminal, label, local.byteSize(), start);
    var transfer = engine.submit(Batch.of(requests).within(deadline.left(label)));
    var result = follow(transfer, progress, start, label, deadline);
    long nanos = System.nanoTime() - start;
    progress.end(result.bytes(), Units.rate(result.bytes(), nanos), System.nanoTime());
    result.orThrow();
    return nanos;
  }

  private static Transfer.Result follow(
      Transfer transfer, Progress progress, long start, String label, Deadline deadline)
      throws InterruptedException {
    var done = new CountDownLatch(1);
    transfer.done().whenDone(_ -> done.countDown());
    while (!done.await(GLANCE_MILLIS, TimeUnit.MILLISECONDS)) {
      long now = System.nanoTime();
      long bytes = transfer.transferredBytes();
      progress.show(bytes, Units.rate(bytes, now - start), now);
      deadline.left(label);
    }
    return transfer.done().poll().orElseThrow();
  }
}
