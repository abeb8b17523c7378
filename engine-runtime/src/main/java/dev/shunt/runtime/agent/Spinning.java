package dev.shunt.runtime.agent;

import java.time.Duration;

/**
 * Looking again and again, for a bounded time after the last work, instead of parking at once: it
 * spares the next one who sends something the waking of a thread. Where there is no work it ends,
 * so an idle thread costs nothing.
 */
public final class Spinning {
  private final long most;

  /**
   * So much of it.
   *
   * @param most nanoseconds; 0 for none
   */
  public Spinning(long most) {
    this.most = most;
  }

  /**
   * The nanoseconds that were asked for; none where the one to wait for needs the one processor.
   */
  public static long affordable(Duration wanted) {
    return Runtime.getRuntime().availableProcessors() > 1 ? wanted.toNanos() : 0;
  }

  /** Whether to look once more; lets others have the processor first. */
  public boolean goesOn(long lastWork) {
    if (most <= 0 || System.nanoTime() - lastWork >= most) {
      return false;
    }
    Thread.yield();
    return true;
  }
}
