package dev.shunt.runtime.transfer;

import dev.shunt.runtime.transfer.core.Counter;
import dev.shunt.runtime.transfer.core.Tally;
import java.util.concurrent.atomic.AtomicLongArray;

/** A lane's counters: written in the lane's turns alone, read by anybody. */
public final class LaneCounters implements Tally {
  private final AtomicLongArray values = new AtomicLongArray(Counter.values().length);

  @Override
  public void add(Counter counter, long amount) {
    var i = counter.ordinal();
    // One writer: a plain read and an ordered write are enough, and cheaper than an atomic
    // addition.
    values.setRelease(i, values.getPlain(i) + amount);
  }

  /** The value now. */
  public long value(Counter counter) {
    return values.getAcquire(counter.ordinal());
  }
}
