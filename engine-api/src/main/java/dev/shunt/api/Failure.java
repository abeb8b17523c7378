package dev.shunt.api;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/**
 * Why a request failed.
 *
 * @param code for machines
 * @param message what, where, and what would be right
 * @param remoteEffect whether a write may have changed the remote range, or still may
 * @param rejection how the request itself was wrong, where code is REJECTED
 * @param attempts the attempts that failed of the request's slices, those of the slice by which it
 *     ended together and oldest first, and what was tried by another transport before all others;
 *     64 at most, the message tells how many more there were
 */
public record Failure(
    FailureCode code,
    String message,
    boolean remoteEffect,
    Optional<Rejection> rejection,
    List<Attempt> attempts) {
  /** Copies the list. */
  public Failure {
    attempts = List.copyOf(attempts);
  }

  /** Without history. */
  public static Failure of(FailureCode code, String message) {
    return new Failure(code, message, false, Optional.empty(), List.of());
  }

  /** A wrong request. */
  public static Failure rejected(Rejection rejection) {
    return new Failure(
        FailureCode.REJECTED, rejection.message(), false, Optional.of(rejection), List.of());
  }

  /**
   * The message, whether the remote may have changed, and the whole history, on one line. What
   * became of several slices alike is told once, with their number.
   */
  public String describe() {
    var text = new StringBuilder().append(code).append(": ").append(message);
    if (remoteEffect) {
      text.append("; the remote range may have changed");
    }
    var alike = new LinkedHashMap<Attempt, Integer>();
    attempts.forEach(attempt -> alike.merge(attempt, 1, Integer::sum));
    alike.forEach(
        (attempt, slices) -> {
          text.append("; attempt ").append(attempt.number()).append(" on ").append(attempt.path());
          text.append(": ").append(attempt.code()).append(' ').append(attempt.message());
          text.append(slices == 1 ? "" : " (" + slices + " slices)");
        });
    return text.toString();
  }

  /**
   * One try of a slice.
   *
   * @param number from 1
   * @param path by which rails, and to whom
   * @param code what came of it
   * @param message as the transport told it
   */
  public record Attempt(int number, String path, FailureCode code, String message) {}
}
