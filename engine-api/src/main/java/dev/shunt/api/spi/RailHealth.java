package dev.shunt.api.spi;

import java.util.List;

/**
 * Whether our own rails of one transport are used: a machine for the steward's thread. It is told
 * what happens, and answers with what is to be done, in that order. A rail that it was never told
 * of is active.
 */
public interface RailHealth {
  /** What a rail is at. */
  enum State {
    /** It carries slices, and is published. */
    ACTIVE,
    /** It is out of use, and waits for its link, or for an operator. */
    INACTIVE,
    /** It waits for the recovery delay, or is being checked. */
    RECOVERING,
    /** An operator took it out of use; only an operator brings it back. */
    DRAINED
  }

  /** What is to be done. */
  sealed interface Action {
    /** The rail's index. */
    int rail();

    /** Take it out of use: hand off what it carries, publish the descriptor without it. */
    record Deactivate(int rail, String reason) implements Action {}

    /**
     * Check it ({@link Transport#check}, then echoes with a peer), and tell by {@link #checked}.
     *
     * @param number of the check; one with another number that is still under way is void
     * @param anew whether its context is to be made anew first
     */
    record Check(int rail, long number, boolean anew) implements Action {}

    /** Use it again, and publish it. */
    record Activate(int rail) implements Action {}
  }

  /** The transport said that a rail is out of use. */
  List<Action> inactive(int rail, RailLoss loss, String reason, long now);

  /** The transport said that a rail's link is back. A second time it changes nothing. */
  List<Action> returned(int rail, long now);

  /** Something failed on a rail that is to blame for it ({@link Fault.Blame#LOCAL}). */
  List<Action> failed(int rail, Fault fault, long now);

  /** A rail carried something well. */
  void succeeded(int rail, long now);

  /**
   * A check ended.
   *
   * @param number the check's
   * @param problem what it found; empty if all is well
   */
  List<Action> checked(int rail, long number, String problem, long now);

  /** An operator takes a rail out of use. */
  List<Action> drain(int rail, long now);

  /**
   * An operator brings a rail back, whatever it was out of use for: it is checked at once, without
   * the delay.
   */
  List<Action> restore(int rail, long now);

  /** The time of {@link #nextDeadline} has come. */
  List<Action> tick(long now);

  /** When {@link #tick} is wanted, in nanoseconds; {@link Long#MAX_VALUE} for never. */
  long nextDeadline();

  /** What is known of a rail. */
  RailRecord record(int rail, long now);

  /**
   * What is known of a rail.
   *
   * @param state what it is at
   * @param since of that state, in nanoseconds; meaningless if it never changed
   * @param changed whether it ever did
   * @param reason why it is not active, or was not last; empty if it never changed
   * @param failuresInARow local failures since the last success
   * @param recoverAt when its delay is over, in nanoseconds; only while it is recovering
   * @param checking whether a check is under way
   * @param verifiedAt when a check succeeded last, in nanoseconds; {@link Long#MIN_VALUE} if none
   *     did
   * @param nextDelay what the delay would be if it fell now, in nanoseconds
   */
  record RailRecord(
      State state,
      long since,
      boolean changed,
      String reason,
      int failuresInARow,
      long recoverAt,
      boolean checking,
      long verifiedAt,
      long nextDelay) {}
}
