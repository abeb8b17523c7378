package dev.shunt.runtime.transfer;

import dev.shunt.api.Outcome;
import dev.shunt.api.Signal;
import dev.shunt.api.Transfer;
import dev.shunt.runtime.transfer.core.BatchSink;
import java.util.Arrays;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * A submitted batch. Its parts are on lanes; they meet in two counters. The batch holds one count
 * itself while it is handed over, so that it can't end half submitted.
 */
public final class BatchHandle implements Transfer, BatchSink {
  private static final AtomicIntegerFieldUpdater<BatchHandle> OPEN =
      AtomicIntegerFieldUpdater.newUpdater(BatchHandle.class, "partsOpen");
  private static final AtomicIntegerFieldUpdater<BatchHandle> UNSETTLED =
      AtomicIntegerFieldUpdater.newUpdater(BatchHandle.class, "partsUnsettled");
  private static final AtomicLongFieldUpdater<BatchHandle> BYTES =
      AtomicLongFieldUpdater.newUpdater(BatchHandle.class, "bytes");
  private static final LanePart[] NONE = {};

  private final Outcome[] outcomes;
  private final FutureSignal<Result> done;
  private final FutureSignal<Settlement> settled;
  private final Ended ended;
  private volatile int partsOpen = 1;
  private volatile int partsUnsettled = 1;
  private volatile long bytes;
  private volatile boolean quarantined;
  private volatile LanePart[] parts = NONE;

  /** What the engine does at the two ends of a batch, before its caller hears of them. */
  public interface Ended {
    /** Called on the thread that ended the last request. */
    void batchDone(Result result);

    /** Called on the thread that let go of the last buffer. */
    default void batchSettled(BatchHandle handle) {}
  }

  /** A batch without parts. */
  public BatchHandle(int requests, Executor delivery, Ended ended) {
    this.outcomes = new Outcome[requests];
    this.done = new FutureSignal<>(delivery);
    this.settled = new FutureSignal<>(delivery);
    this.ended = ended;
  }

  /** Counts the parts that will be handed to lanes. */
  public void expect(int count) {
    OPEN.addAndGet(this, count);
    UNSETTLED.addAndGet(this, count);
  }

  /** All parts were handed over, or refused. */
  public void submitted(LanePart[] all) {
    parts = all;
    partDone();
    partSettled(false);
  }

  @Override
  public void requestEnded(int index, Outcome outcome) {
    outcomes[index] = outcome;
  }

  @Override
  public void progress(long more) {
    BYTES.getAndAdd(this, more);
  }

  @Override
  public void partDone() {
    if (OPEN.decrementAndGet(this) == 0) {
      long sum = 0;
      for (var outcome : outcomes) {
        if (outcome instanceof Outcome.Completed(var length)) {
          sum += length;
        }
      }
      var result = new Result(Arrays.asList(outcomes), sum);
      ended.batchDone(result);
      done.complete(result);
    }
  }

  @Override
  public void partSettled(boolean quarantinedPart) {
    if (quarantinedPart) {
      quarantined = true;
    }
    if (UNSETTLED.decrementAndGet(this) == 0) {
      ended.batchSettled(this);
      settled.complete(new Settlement(quarantined));
    }
  }

  @Override
  public Signal<Result> done() {
    return done;
  }

  @Override
  public Signal<Settlement> settled() {
    return settled;
  }

  @Override
  public void cancel() {
    for (var part : parts) {
      part.cancel();
    }
  }

  @Override
  public long transferredBytes() {
    return bytes;
  }
}
