package dev.shunt.runtime.admin;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;

/**
 * Runs requests, each on a thread of its own: so many at a time, and each for so long. One that
 * takes longer, since its sender is slow or silent, loses its connection: an interrupt closes the
 * channel that a thread blocks in.
 */
final class Visitors implements Executor {
  private final int most;
  private final long patience;
  private final Semaphore room;
  private final Map<Thread, Long> until = new ConcurrentHashMap<>();

  /**
   * Nobody is there.
   *
   * @param most requests at a time; the connection of one more is closed
   * @param patience nanoseconds
   */
  Visitors(int most, long patience) {
    this.most = most;
    this.patience = patience;
    this.room = new Semaphore(most);
  }

  @Override
  public void execute(Runnable request) {
    if (!room.tryAcquire()) {
      throw new RejectedExecutionException(most + " requests are under way");
    }
    Thread.ofVirtual()
        .name("shunt-admin")
        .start(
            () -> {
              until.put(Thread.currentThread(), System.nanoTime() + patience);
              try {
                request.run();
              } finally {
                until.remove(Thread.currentThread());
                room.release();
              }
            });
  }

  /** The request of this thread may take longer than others. */
  void stay(long nanos) {
    until.computeIfPresent(Thread.currentThread(), (_, _) -> System.nanoTime() + nanos);
  }

  /** Sends those away whose time is over. Called every now and then. */
  void sweep() {
    var now = System.nanoTime();
    until.forEach(
        (thread, time) -> {
          if (time - now < 0) {
            thread.interrupt();
          }
        });
  }

  /** How many are there. */
  int present() {
    return until.size();
  }
}
