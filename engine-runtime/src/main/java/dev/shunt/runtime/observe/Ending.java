package dev.shunt.runtime.observe;

import dev.shunt.api.Outcome;

/** How requests end, as metrics tell them apart. */
public enum Ending {
  /** {@link Outcome.Completed}. */
  COMPLETED,
  /** {@link Outcome.Error}. */
  FAILED,
  /** {@link Outcome.TimedOut}. */
  TIMED_OUT,
  /** {@link Outcome.Cancelled}. */
  CANCELLED;

  /** That of an outcome. */
  public static Ending of(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Completed _ -> COMPLETED;
      case Outcome.Error _ -> FAILED;
      case Outcome.TimedOut _ -> TIMED_OUT;
      case Outcome.Cancelled _ -> CANCELLED;
    };
  }
}
