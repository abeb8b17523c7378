package dev.shunt.runtime.transfer;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Whether new requests go by a way. One that turned out to be of no use is left alone for a while,
 * longer each time; then one request tries it, and it is used again once it carried something. Any
 * thread.
 */
public final class Standing {
  private static final long FIRST = 1_000_000_000L;
  private static final long LAST = 60_000_000_000L;
  private static final long GOOD = Long.MIN_VALUE;

  /** When it is tried again; {@link #GOOD} while nothing is wrong with it. */
  private final AtomicLong until = new AtomicLong(GOOD);

  private volatile int times;

  /** Whether nothing is known against it. */
  public boolean good() {
    return until.get() == GOOD;
  }

  /** Whether a request may go by it: of those that ask once its time has come, one may. */
  public boolean takes(long now) {
    long known = until.get();
    return known == GOOD || (known - now <= 0 && until.compareAndSet(known, now + pause()));
  }

  /** It was of no use. Called on its lane. */
  public void failed(long now) {
    long known = until.get();
    if (known == GOOD) {
      until.set(now + pause());
    } else {
      // A trial has failed: what it pushed back already counts from now.
      times = Math.min(times + 1, 6);
      until.set(now + pause());
    }
  }

  /** It carried something. Called on its lane. */
  public void worked() {
    if (until.get() != GOOD) {
      times = 0;
      until.set(GOOD);
    }
  }

  private long pause() {
    return Math.min(LAST, FIRST << times);
  }
}
