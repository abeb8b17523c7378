package dev.shunt.api.spi;

/**
 * The fast part of a link, owned by one lane: all methods are called in that lane's turns, and so
 * by one thread at a time. That is the lane's own thread, unless {@link
 * LaneDriver#postsWhileParked()} is promised: then it may be a caller's as well, for each of these
 * methods, while the lane's thread is at rest. {@link LaneDriver} tells what a turn is, and what it
 * sees of the one before. No method blocks, and {@link #post} allocates nothing.
 *
 * <p>Every slice that was posted is reported to the {@link LaneListener} exactly once, whatever
 * happens: completed, or failed. Until then the transport may read and write its local memory; from
 * then on it does not.
 */
public interface Channel {
  /** The link that it belongs to. */
  Link link();

  /** How many slices it would take now; 0 once it is down, or ends. */
  int room();

  /**
   * Takes a slice. Only while {@link #room()} is above 0 and the channel is not down. May report
   * it, and other slices, before it returns.
   */
  void post(Slice slice, long now);

  /**
   * Sends what was posted. Called after a run of posts or fences. May report slices before it
   * returns.
   */
  void flush(long now);

  /**
   * Where {@link Limits#fencing()} is ORDERED: asks the remote to refuse all that still comes by a
   * link to the same remote, before it applies anything that is posted here afterwards. It need not
   * have seen that link. Called just ahead of the slice that redoes a write of the old link; {@link
   * #flush} follows.
   *
   * <p>A fence has no report of its own. That the slice posted behind it completed is the proof; so
   * none may complete past a fence that the remote did not carry out. One that it refuses, or that
   * is lost, takes the channel down with all that is posted: that is how its failure is noticed,
   * and the runtime asks again on the channel that the redo goes to next.
   *
   * @param stale the link whose writes must not land any more
   * @return false if this channel cannot (it is full, or down): ask another, or later
   */
  boolean fence(LinkId stale, long now);

  /**
   * Ends the channel: it takes no slice from here on. Slices that are still posted are reported, as
   * completed or failed, as soon as the fabric lets go of their memory; then {@link
   * LaneListener#channelDown} comes, once, and without waiting for anything else: with nothing
   * posted in this call, or in the next {@link LaneDriver#work}. One that ends already goes on
   * ending with its first cause.
   *
   * <p>The runtime waits for {@code shunt.transfer.drain-limit}. Then the requests of what is still
   * posted fail (a write's with UNKNOWN_EFFECT), and their memory stays quarantined, and the path
   * without a channel, until the reports and {@code channelDown} come after all.
   */
  void retire(RetireReason reason, long now);
}
