package dev.shunt.api;

/** How a request ended. */
public sealed interface Outcome {
  /** A code for machines: COMPLETED, FAILED, TIMED_OUT or CANCELLED. */
  default String code() {
    return switch (this) {
      case Completed _ -> "COMPLETED";
      case Error _ -> "FAILED";
      case TimedOut _ -> "TIMED_OUT";
      case Cancelled _ -> "CANCELLED";
    };
  }

  /**
   * The destination has applied every byte.
   *
   * @param bytes the request's length
   */
  record Completed(long bytes) implements Outcome {}

  /** It did not complete. */
  sealed interface Failed extends Outcome {
    /** Why, with the history of attempts. */
    Failure failure();
  }

  /**
   * It failed; for a write, {@link Failure#code()} UNKNOWN_EFFECT says that the remote may change.
   */
  record Error(Failure failure) implements Failed {}

  /** Its deadline passed. A write may be applied until the batch has settled, and beyond. */
  record TimedOut(Failure failure) implements Failed {}

  /** The caller gave it up. A write may be applied until the batch has settled, and beyond. */
  record Cancelled(Failure failure) implements Failed {}
}
