package dev.shunt.api;

import java.time.Duration;
import java.util.List;

/**
 * A submitted batch. It has two ends. {@link #done()} comes once, at the latest at the deadline,
 * and never changes. {@link #settled()} may come later: until then local buffers must not be
 * reused, and the remote range of a write that did not complete may still change. Any thread.
 */
public interface Transfer {
  /** The first end: the outcome is known. */
  Signal<Result> done();

  /**
   * The second end: nothing that belongs to this batch touches memory on this node any more, and
   * nothing of its writes lands at the remote any more, as far as that can be made sure of.
   */
  Signal<Settlement> settled();

  /** Gives up what has not ended. Slices on the wire drain; requests end CANCELLED. */
  void cancel();

  /** Bytes whose slices have completed so far, for a progress bar. */
  long transferredBytes();

  /** Waits for {@link #done()}; the same as {@code done().await(timeout)}. */
  default Result await(Duration timeout) throws InterruptedException {
    return done().await(timeout);
  }

  /**
   * How a batch ended.
   *
   * @param outcomes of each request, in the batch's order
   * @param bytes that completed requests moved
   */
  record Result(List<Outcome> outcomes, long bytes) {
    /** Whether all requests are COMPLETED. */
    public boolean completed() {
      for (var outcome : outcomes) {
        if (!(outcome instanceof Outcome.Completed)) {
          return false;
        }
      }
      return true;
    }

    /**
     * Throws the first failure as an exception, if there is one.
     *
     * @throws ShuntException with the failure's code and history
     */
    public Result orThrow() {
      for (int i = 0; i < outcomes.size(); i++) {
        if (outcomes.get(i) instanceof Outcome.Failed failed) {
          var failure = failed.failure();
          throw new ShuntException(failure.code(), "request " + i + ": " + failure.describe());
        }
      }
      return this;
    }
  }

  /**
   * How a batch settled.
   *
   * @param quarantined whether slices were given up on: those that never drained, whose local
   *     memory stays unusable, and writes that nobody could fence, whose remote range may still
   *     change. Both are counted and shown in the status
   */
  record Settlement(boolean quarantined) {}
}
