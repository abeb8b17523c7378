package dev.shunt.runtime.transfer;

import dev.shunt.api.Batch;
import dev.shunt.api.Outcome;
import dev.shunt.api.Signal;
import dev.shunt.api.Transfer;
import dev.shunt.runtime.transfer.core.BatchSink;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * A submitted batch, and the signal of its first end. Its parts are on lanes; they meet in two
 * counters. The batch holds one count itself while it is handed over, so that it can't end half
 * submitted. It is the one object of a batch that is never used again: the caller keeps it for as
 * long as it likes, and parts, which are used again, are known as its own by it.
 */
public final class BatchHandle extends Happening<Transfer.Result> implements Transfer, BatchSink {
  private static final AtomicIntegerFieldUpdater<BatchHandle> OPEN =
      AtomicIntegerFieldUpdater.newUpdater(BatchHandle.class, "partsOpen");
  private static final AtomicIntegerFieldUpdater<BatchHandle> UNSETTLED =
      AtomicIntegerFieldUpdater.newUpdater(BatchHandle.class, "partsUnsettled");
  private static final AtomicLongFieldUpdater<BatchHandle> BYTES =
      AtomicLongFieldUpdater.newUpdater(BatchHandle.class, "bytes");

  @SuppressWarnings("rawtypes")
  private static final AtomicReferenceFieldUpdater<BatchHandle, FutureSignal> SETTLED =
      AtomicReferenceFieldUpdater.newUpdater(BatchHandle.class, FutureSignal.class, "settled");

  private static final AtomicReferenceFieldUpdater<BatchHandle, Moved> MOVED =
      AtomicReferenceFieldUpdater.newUpdater(BatchHandle.class, Moved.class, "moved");

  private static final Settlement CLEAN = new Settlement(false);
  private static final Settlement QUARANTINED = new Settlement(true);

  private final Batch batch;
  private final Host host;
  private final Outcome[] several;
  private Outcome only;
  private volatile int partsOpen = 1;
  private volatile int partsUnsettled = 1;
  private volatile long bytes;
  private volatile boolean quarantined;
  private volatile LanePart part;
  private volatile LanePart[] moreParts;
  private volatile FutureSignal<Settlement> settled;
  private volatile Moved moved;

  /** The engine of a batch: what it does at the two ends, before its caller hears of them. */
  public interface Host {
    /** Runs callbacks; logs what they throw. */
    Executor delivery();

    /** For how many nanoseconds one who waits for a batch looks before it sleeps. */
    default long spin() {
      return 0;
    }

    /** Called on the thread that ended the last request. */
    void batchDone(Batch batch, Result result);

    /** Called on the thread that let go of the last buffer. */
    default void batchSettled() {}
  }

  /** A batch without parts. */
  public BatchHandle(Batch batch, Host host) {
    this.batch = batch;
    this.host = host;
    var count = batch.requests().size();
    this.several = count == 1 ? null : new Outcome[count];
  }

  /** Counts the parts that will be handed to lanes. */
  public void expect(int count) {
    OPEN.addAndGet(this, count);
    UNSETTLED.addAndGet(this, count);
  }

  /**
   * All parts were handed over, or refused.
   *
   * @param first one of them, or null if there is none
   * @param rest the others, or null if there is none
   */
  public void submitted(LanePart first, LanePart[] rest) {
    part = first;
    moreParts = rest;
    partDone();
    partSettled(false);
  }

  @Override
  public void requestEnded(int index, Outcome outcome) {
    if (several == null) {
      only = outcome;
    } else {
      several[index] = outcome;
    }
  }

  @Override
  public void progress(long more) {
    BYTES.getAndAdd(this, more);
  }

  @Override
  public void partDone() {
    if (OPEN.decrementAndGet(this) == 0) {
      var result =
          several == null
              ? new Result(List.of(only), completed(only))
              : new Result(new Outcomes(several), sum());
      host.batchDone(batch, result);
      complete(result);
    }
  }

  private long sum() {
    long sum = 0;
    for (var outcome : several) {
      sum += completed(outcome);
    }
    return sum;
  }

  private static long completed(Outcome outcome) {
    return outcome instanceof Outcome.Completed done ? done.bytes() : 0;
  }

  @Override
  public void partSettled(boolean quarantinedPart) {
    if (quarantinedPart) {
      quarantined = true;
    }
    if (UNSETTLED.decrementAndGet(this) == 0) {
      host.batchSettled();
      var asked = settled;
      if (asked != null) {
        asked.complete(settlement());
      }
    }
  }

  private Settlement settlement() {
    return quarantined ? QUARANTINED : CLEAN;
  }

  @Override
  public Signal<Result> done() {
    return this;
  }

  /** Made when it is asked for: most callers never do. */
  @Override
  public Signal<Settlement> settled() {
    var known = settled;
    if (known == null) {
      var made = new FutureSignal<Settlement>(host.delivery());
      known = SETTLED.compareAndSet(this, null, made) ? made : settled;
    }
    if (partsUnsettled == 0) {
      known.complete(settlement());
    }
    return known;
  }

  /** A part that went on by another transport, or, without one, a cancel that came after those. */
  private record Moved(LanePart part, Moved before) {}

  /**
   * A part of it goes on as another one, which is counted already. Called on a lane.
   *
   * @return false if the batch was cancelled before: whoever cancelled it did not know that part
   */
  boolean moved(LanePart onward) {
    return push(onward);
  }

  private boolean push(LanePart onward) {
    Moved before;
    do {
      before = moved;
    } while (!MOVED.compareAndSet(this, before, new Moved(onward, before)));
    for (var one = before; one != null; one = one.before) {
      if (one.part == null) {
        return false;
      }
    }
    return true;
  }

  private void cancelMoved() {
    var latest = moved;
    if (latest == null || latest.part != null) {
      push(null);
    }
    for (var one = moved; one != null; one = one.before) {
      if (one.part != null) {
        one.part.cancel(this);
      }
    }
  }

  @Override
  public void cancel() {
    var first = part;
    if (first != null) {
      first.cancel(this);
    }
    var rest = moreParts;
    if (rest != null) {
      for (var other : rest) {
        other.cancel(this);
      }
    }
    cancelMoved();
  }

  @Override
  public long transferredBytes() {
    return bytes;
  }

  @Override
  Executor delivery() {
    return host.delivery();
  }

  @Override
  long spin() {
    return host.spin();
  }
}
