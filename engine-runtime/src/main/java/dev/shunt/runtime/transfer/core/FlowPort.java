package dev.shunt.runtime.transfer.core;

import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Slice;

/**
 * What a flow has done for it. Called in the lane's turn; nothing here calls back before it
 * returns.
 */
public interface FlowPort {
  /** Asks for a channel on a path; the answer comes to the flow by the attempt's id. */
  LinkId connect(int localRail, int remoteRail, long deadline);

  /** A channel that was asked for is not waited for any more. */
  void forget(LinkId attempt);

  /** Asks the remote's word that a link is refused; the answer is {@link Flow#fenced}. */
  void fence(StaleLink stale, long deadline);

  /**
   * A channel is up.
   *
   * @param link the number of its link, which later ones exceed
   */
  default void pathUp(int localRail, int remoteRail, long link, long now) {}

  /**
   * A channel failed, or could not be had.
   *
   * @param link the number of its link
   */
  void pathFailed(int localRail, int remoteRail, long link, Fault fault, long now);

  /**
   * A try of a slice failed; only to be told, what becomes of it is decided elsewhere.
   *
   * @param attempt counted from 1 for the slice
   */
  default void attemptFailed(
      int localRail, int remoteRail, Slice slice, int attempt, Fault fault) {}

  /** A channel carried its first slice. */
  void pathSucceeded(int localRail, int remoteRail, long now);

  /** The remote is of another generation by now. */
  void remoteIsStale(String text);

  /** The remote has no memory of what a request was for, by what it is described with. */
  void refused();

  /** Tells a path in words, for the history of attempts. */
  String describe(int localRail, int remoteRail);
}
