package dev.shunt.policy.failover.core;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Decision;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Fault.Effect;
import dev.shunt.api.spi.Limits.Fencing;
import dev.shunt.api.spi.SliceFailure;

/**
 * What becomes of a slice that failed. Depends on its argument alone.
 *
 * <p>A fault that no path cures ends it; so does a write that may be applied where nothing can
 * fence it. Otherwise the blame says which side to change: another local rail for a fault of ours,
 * another remote rail for one of theirs. After every path there is has been tried once, the slice
 * pauses, longer each time: with a single path, that path is never taken away from it. Where
 * another transport reaches the remote it has its turn at once when no rail is left here, and else
 * when the paths here have had their attempts.
 */
public final class Decisions {
  /** Attempts by one transport, at least, before another one has its turn. */
  static final int BEFORE_NEXT_TRANSPORT = 3;

  private final RetryLimits limits;
  private final boolean unfenced;

  /**
   * With these limits.
   *
   * @param unfenced whether a write is redone where only patience keeps its old attempt from being
   *     applied late
   */
  public Decisions(RetryLimits limits, boolean unfenced) {
    this.limits = limits;
    this.unfenced = unfenced;
  }

  /** Decides. */
  public Decision decide(SliceFailure failure) {
    var fault = failure.fault();
    if (fault.blame() == Blame.REQUEST || !curable(fault.code())) {
      return new Decision.GiveUp(fault.code(), fault.text());
    }
    if (failure.write() && fault.effect() == Effect.POSSIBLE && !redoable(failure.fencing())) {
      return new Decision.GiveUp(
          FailureCode.UNKNOWN_EFFECT,
          "the write was sent, and nothing can keep it from being applied late: " + fault.text());
    }
    if (rest(failure) <= 0) {
      return new Decision.GiveUp(FailureCode.DEADLINE, "its deadline passed: " + fault.text());
    }
    if (failure.attempts() >= limits.maxAttempts()) {
      return new Decision.GiveUp(
          fault.code(),
          "attempt "
              + failure.attempts()
              + " of "
              + limits.maxAttempts()
              + " (shunt.failover.max-attempts) failed: "
              + fault.text());
    }
    return onwards(failure);
  }

  private boolean redoable(Fencing fencing) {
    return switch (fencing) {
      case ORDERED, BY_WORD -> true;
      case GRACE -> unfenced;
      case NONE -> false;
    };
  }

  private Decision onwards(SliceFailure failure) {
    int paths = 1 + failure.localAlternatives() + failure.remoteAlternatives();
    if (failure.otherTransports() > 0 && doneWithThisTransport(failure, paths)) {
      return new Decision.NextTransport();
    }
    if (failure.attempts() % paths == 0) {
      return new Decision.Retry(pause(failure, failure.attempts() / paths));
    }
    boolean remoteFirst = failure.fault().blame() == Blame.REMOTE;
    boolean toRemote =
        remoteFirst ? failure.remoteAlternatives() > 0 : failure.localAlternatives() == 0;
    return toRemote ? new Decision.Redispatch() : new Decision.HandOff();
  }

  /**
   * Each path had two attempts, and a single one three; the last attempt is another's in any case.
   */
  private boolean doneWithThisTransport(SliceFailure failure, int paths) {
    int enough = Math.max(BEFORE_NEXT_TRANSPORT, 2 * paths);
    return failure.fault().code() == FailureCode.NO_RAIL
        || failure.attempts() >= Math.min(enough, limits.maxAttempts() - 1);
  }

  /** Never past the deadline: what is left is halved instead. */
  private long pause(SliceFailure failure, int rounds) {
    return Math.min(limits.delay(rounds), rest(failure) / 2);
  }

  private static long rest(SliceFailure failure) {
    return failure.deadline() == Long.MAX_VALUE
        ? Long.MAX_VALUE
        : failure.deadline() - failure.now();
  }

  /** Whether another attempt could end otherwise. Codes that are yet to come are worth one. */
  private static boolean curable(FailureCode code) {
    return switch (code) {
      case STALE_GENERATION,
          CAPABILITY,
          CANCELLED,
          CLOSED,
          REJECTED,
          UNKNOWN_SEGMENT,
          UNSUPPORTED ->
          false;
      default -> true;
    };
  }

  /**
   * Whether a fault says something of the path that it came by, and not of what lies at its end.
   */
  static boolean charges(Fault fault) {
    return fault.blame() == Blame.REMOTE
        && switch (fault.code()) {
          case UNREACHABLE,
              CONNECTION,
              HANDSHAKE,
              DEADLINE,
              DEVICE,
              PROTOCOL,
              CHECKSUM,
              RESOURCE,
              INTERNAL ->
              true;
          default -> false;
        };
  }
}
