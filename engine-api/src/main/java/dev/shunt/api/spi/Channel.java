package dev.shunt.api.spi;

/**
 * The fast part of a link, owned by one lane: all methods are called on that lane's thread. No
 * method blocks, and {@link #post} allocates nothing.
 *
 * <p>Every slice that was posted is reported to the {@link LaneListener} exactly once, whatever
 * happens: completed, or failed. Until then the transport may read and write its local memory; from
 * then on it does not.
 */
public interface Channel {
  /** The link that it belongs to. */
  Link link();

  /** How many slices it would take now. */
  int room();

  /**
   * Takes a slice. Only while {@link #room()} is above 0 and the channel is not down. May report
   * it, and other slices, before it returns.
   */
  void post(Slice slice, long now);

  /** Sends what was posted. Called after a run of posts. */
  void flush(long now);

  /**
   * Where {@link Limits#fencing()} is ORDERED: asks the remote to refuse all that still comes by a
   * link to the same remote, before it applies anything that is posted here afterwards.
   *
   * @return false if this channel cannot (it is full, or down): ask another, or later
   */
  boolean fence(LinkId stale, long now);

  /**
   * Ends the channel. Slices that are still posted are reported as failed as they drain, then
   * {@link LaneListener#channelDown} comes, once.
   */
  void retire(RetireReason reason, long now);
}
