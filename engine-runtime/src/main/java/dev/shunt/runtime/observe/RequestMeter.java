package dev.shunt.runtime.observe;

import dev.shunt.api.Operation;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What a lane counts of requests that ended there: written by the lane alone, read by anybody.
 * Allocates nothing.
 */
public final class RequestMeter {
  private static final int ENDINGS = Ending.values().length;
  private static final int BYTES = ENDINGS;
  private static final int NANOS = ENDINGS + 1;
  private static final int BUCKETS = ENDINGS + 2;
  private static final int STRIDE = BUCKETS + Buckets.COUNT;

  private final AtomicLongArray values = new AtomicLongArray(Operation.values().length * STRIDE);

  /** Nothing counted yet. */
  public RequestMeter() {}

  /**
   * A request ended.
   *
   * @param bytes its length
   * @param nanos since it was submitted
   */
  public void ended(Operation operation, Ending ending, long bytes, long nanos) {
    int base = operation.ordinal() * STRIDE;
    add(base + ending.ordinal(), 1);
    if (ending == Ending.COMPLETED) {
      add(base + BYTES, bytes);
    }
    add(base + NANOS, nanos);
    add(base + BUCKETS + Buckets.of(nanos), 1);
  }

  /** One writer: a plain read and an ordered write are enough. */
  private void add(int at, long amount) {
    values.setRelease(at, values.getPlain(at) + amount);
  }

  private long value(Operation operation, int at) {
    return values.getAcquire(operation.ordinal() * STRIDE + at);
  }

  /** How many requests ended that way. */
  public long count(Operation operation, Ending ending) {
    return value(operation, ending.ordinal());
  }

  /** Bytes of those that completed. */
  public long bytes(Operation operation) {
    return value(operation, BYTES);
  }

  /** The sum of their times. */
  public long nanos(Operation operation) {
    return value(operation, NANOS);
  }

  /** How many took as long as a bucket says; not cumulative. */
  public long bucket(Operation operation, int bucket) {
    return value(operation, BUCKETS + bucket);
  }
}
