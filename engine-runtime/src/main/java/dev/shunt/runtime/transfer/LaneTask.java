package dev.shunt.runtime.transfer;

/** Something for a lane to run, and its own place in the lane's inbox. */
abstract class LaneTask {
  LaneTask next;

  /** On the lane. */
  abstract void run();

  /** What others than callers of transfers send. */
  static final class Of extends LaneTask {
    private final Runnable task;

    Of(Runnable task) {
      this.task = task;
    }

    @Override
    void run() {
      task.run();
    }
  }
}
