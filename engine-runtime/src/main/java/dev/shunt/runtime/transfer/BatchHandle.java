package dev.shunt.runtime.transfer;

import dev.shunt.api.Outcome;
import dev.shunt.api.Signal;
import dev.shunt.api.Transfer;
import dev.shunt.runtime.transfer.core.BatchSink;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A submitted batch. Its parts are on lanes; they meet in two counters. The batch holds one count
 * itself while it is handed over, so that it can't end half submitted.
 */
public final class BatchHandle implements Transfer, BatchSink {
  private final Outcome[] outcomes;
  private final AtomicInteger partsOpen = new AtomicInteger(1);
  private final AtomicInteger partsUnsettled = new AtomicInteger(1);
  private final AtomicLong bytes = new AtomicLong();
  private final FutureSignal<Result> done;
  private final FutureSignal<Settlement> settled;
  private final Ended ended;
  private volatile boolean quarantined;
  private volatile List<Runnable> cancels = List.of();

  /** What the engine does when a batch is done, before its caller hears of it. */
  public interface Ended {
    /** Called on the thread that ended the last request. */
    void batchDone(Result result);
  }

  /** A batch without parts. */
  public BatchHandle(int requests, Executor delivery, Ended ended) {
    this.outcomes = new Outcome[requests];
    this.done = new FutureSignal<>(delivery);
    this.settled = new FutureSignal<>(delivery);
    this.ended = ended;
  }

  /** Counts the parts that will be handed to lanes. */
  public void expect(int parts) {
    partsOpen.addAndGet(parts);
    partsUnsettled.addAndGet(parts);
  }

  /** All parts were handed over. */
  public void submitted(List<Runnable> cancels) {
    this.cancels = cancels;
    partDone();
    partSettled(false);
  }

  @Override
  public void requestEnded(int index, Outcome outcome) {
    outcomes[index] = outcome;
  }

  @Override
  public void progress(long more) {
    bytes.getAndAdd(more);
  }

  @Override
  public void partDone() {
    if (partsOpen.decrementAndGet() == 0) {
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
    if (partsUnsettled.decrementAndGet() == 0) {
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
    cancels.forEach(Runnable::run);
  }

  @Override
  public long transferredBytes() {
    return bytes.get();
  }
}
