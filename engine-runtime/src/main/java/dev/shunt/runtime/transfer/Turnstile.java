package dev.shunt.runtime.transfer;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets one thread at a time take a lane's turn: the lane's own, which waits for it, or a caller
 * that finds nobody at it and never waits. A caller is through in microseconds, so the lane looks a
 * few times before it sleeps.
 */
final class Turnstile {
  private static final int FREE = 0;
  private static final int TAKEN = 1;
  private static final int WANTED = 2;
  private static final int LOOKS = 200;

  private final AtomicInteger state = new AtomicInteger(FREE);
  private volatile Thread own;

  /** A caller's: true if it has the turn now. */
  boolean tryEnter() {
    return state.get() == FREE && state.compareAndSet(FREE, TAKEN);
  }

  /** The lane's own. */
  void enter() {
    for (int i = 0; i < LOOKS; i++) {
      if (state.compareAndSet(FREE, TAKEN)) {
        return;
      }
      Thread.onSpinWait();
    }
    own = Thread.currentThread();
    while (!state.compareAndSet(FREE, TAKEN)) {
      if (state.get() == WANTED || state.compareAndSet(TAKEN, WANTED)) {
        LockSupport.park(this);
      }
    }
  }

  /** Whoever entered. */
  void leave() {
    if (state.getAndSet(FREE) == WANTED) {
      LockSupport.unpark(own);
    }
  }
}
