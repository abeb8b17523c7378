package dev.shunt.runtime.transfer.core;

import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Slice;
import java.util.List;

/**
 * What a flow has done for it. Called in the lane's turn; nothing here calls back before it
 * returns.
 */
public interface FlowPort {
  /** Asks for a channel on a path; the answer comes to the flow by the attempt's id. */
  LinkId connect(int localRail, int remoteRail, long deadline);

  /** A channel that was asked for is not waited for any more. */
  void forget(LinkId attempt);

  /** Whether the remote can be asked to refuse a link: where it cannot, patience has to do. */
  default boolean canFence() {
    return true;
  }

  /**
   * By how many other transports a request could go that it has not gone by yet.
   *
   * @param request null for any
   */
  default int otherWays(RequestState request) {
    return 0;
  }

  /**
   * Takes requests of a part, of which nothing is left here, to another transport.
   *
   * @param requests each is either taken over as a whole, and {@link RequestState#moved} then, or
   *     left as it is
   */
  default void move(Part part, List<RequestState> requests) {}

  /** This transport does not reach the remote now; the next requests may spare themselves that. */
  default void unusable(long now) {}

  /** Why the remote is not reached at all, as far as that is known; empty if it is. */
  default String silence() {
    return "";
  }

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

  /**
   * A slice that failed is to go on by another rail; only to be told.
   *
   * @param local whether our rail is another one next, or else the remote's
   */
  default void handedOff(int localRail, int remoteRail, Slice slice, int attempt, boolean local) {}

  /** Writes that were redone count as done by patience alone; only to be told. */
  default void unfenced(long bytes) {}

  /** A channel carried its first slice. */
  void pathSucceeded(int localRail, int remoteRail, long now);

  /**
   * Something failed for which one of our rails is to blame: a slice on a channel that lives on, or
   * a channel, with all that it had.
   */
  default void railFailed(int localRail, Fault fault) {}

  /** One of our rails carried a slice well: comes for each. */
  default void railCarried(int localRail) {}

  /** The remote is of another generation by now. */
  void remoteIsStale(String text);

  /**
   * The remote is not as it is described: it has no memory of what a request was for, or uses none
   * of its rails. It is worth a look whether the description is an old one.
   */
  void refused();

  /**
   * The remote's keys for a request's memory, by remote rail, as its description tells them by now;
   * null if it tells of no such memory any more.
   */
  default long[] keys(RequestState request) {
    return null;
  }

  /** Tells a path in words, for the history of attempts. */
  String describe(int localRail, int remoteRail);
}
