package dev.shunt.api;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What is submitted: requests with one deadline. Immutable, and may be submitted again.
 *
 * @param requests in no particular order; they may overlap only if the caller does not care which
 *     comes last
 * @param deadline from submission until {@link Transfer#done()} at the latest; empty for the
 *     configured {@code shunt.transfer.deadline}
 * @param whenFull what to do when there is no room
 * @param notification sent to each target of the batch once all of it is COMPLETED
 */
public record Batch(
    List<Request> requests,
    Optional<Duration> deadline,
    WhenFull whenFull,
    Optional<Notification> notification) {
  /** Copies the list. */
  public Batch {
    requests = List.copyOf(requests);
    Objects.requireNonNull(whenFull, "whenFull");
    if (deadline.isPresent() && (deadline.get().isNegative() || deadline.get().isZero())) {
      throw new ShuntException(
          FailureCode.REJECTED, "a deadline of " + deadline.get() + "; it must be positive");
    }
  }

  /** These requests, with the configured deadline, waiting when there is no room. */
  public static Batch of(Request... requests) {
    return of(List.of(requests));
  }

  /** These requests, with the configured deadline, waiting when there is no room. */
  public static Batch of(List<Request> requests) {
    return new Batch(requests, Optional.empty(), WhenFull.WAIT, Optional.empty());
  }

  /** The same with a deadline. */
  public Batch within(Duration deadline) {
    return new Batch(requests, Optional.of(deadline), whenFull, notification);
  }

  /** The same, refused at once where it would have to wait for room. */
  public Batch orBusy() {
    return new Batch(requests, deadline, WhenFull.BUSY, notification);
  }

  /** The same, with a notification to each target once all is COMPLETED. */
  public Batch thenNotify(Notification notification) {
    return new Batch(requests, deadline, whenFull, Optional.of(notification));
  }

  /** What to do when a window or queue has no room. */
  public enum WhenFull {
    /** Wait, up to the batch's deadline. */
    WAIT,
    /** Throw a {@link ShuntException} with code BUSY; nothing of the batch was begun. */
    BUSY
  }
}
