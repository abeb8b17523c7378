package dev.shunt.runtime.agent;

/**
 * A duty that one thread performs in turns. Only {@link #wake()} may be called from other threads.
 * A simulator calls {@link #work} and never {@link #park}; so no decision may hang on having
 * parked.
 */
public interface Agent {
  /** For the thread's name and for logs. */
  String name();

  /**
   * Does what there is to do, and never blocks.
   *
   * @param now monotonic nanoseconds
   * @return how much was done; 0 lets the thread park
   */
  int work(long now);

  /** When it wants a turn even if nobody wakes it; {@link Long#MAX_VALUE} for never. */
  long nextDeadline();

  /** Blocks until it is woken or the time has come. */
  void park(long deadline);

  /** Gives it a turn soon. Any thread. */
  void wake();

  /** A platform that gives turns without threads is told of every wake by this. */
  void onWake(Runnable hook);

  /** The last turn, on its own thread: frees what the thread owns. */
  void close(long now);
}
