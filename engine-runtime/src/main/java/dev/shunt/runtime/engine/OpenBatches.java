package dev.shunt.runtime.engine;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * How many batches have not settled. A number is all that closing needs: lanes know their parts.
 */
final class OpenBatches {
  private final AtomicLong open = new AtomicLong();
  private volatile Thread waiter;

  /** One more. Any thread. */
  void opened() {
    open.incrementAndGet();
  }

  /** One fewer. Any thread. */
  void settled() {
    if (open.decrementAndGet() == 0) {
      LockSupport.unpark(waiter);
    }
  }

  /** How many. Any thread. */
  int count() {
    return (int) open.get();
  }

  /**
   * Waits until there is none, the time has passed, or the thread is interrupted. For one thread.
   */
  void await(long nanos) {
    var until = System.nanoTime() + nanos;
    waiter = Thread.currentThread();
    long left = nanos;
    while (open.get() > 0 && left > 0 && !waiter.isInterrupted()) {
      LockSupport.parkNanos(this, left);
      left = until - System.nanoTime();
    }
  }
}
