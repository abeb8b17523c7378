package dev.shunt.api.spi;

/** A transport's slow thread: connects, registers, keeps links alive. */
public interface Supervisor extends Mailbox {
  /**
   * Runs a task on the supervisor thread at a time, or soon after.
   *
   * @param time in nanoseconds of {@link TransportContext#now()}
   * @return cancels it when closed; closing it later does nothing
   */
  Timer at(long time, Runnable task);

  /**
   * The supervisor's own loop of streams, for admin queues and the like: polled by the runtime on
   * the supervisor thread. The same object each time.
   */
  WireLoop wires();

  /** A task that waits for its time. */
  interface Timer {
    /** Forgets the task, if it did not run yet. On the supervisor thread only. */
    void cancel();
  }
}
