package dev.shunt.api.spi;

/**
 * The transport's part of a lane. All methods but {@link #wake()} are called on the lane's thread.
 * That is one thread at a time, though not always the same: {@link #close} may come from the one
 * that assembles the engine. Memory of a confined arena does not fit here.
 *
 * <p>A turn of the lane runs its mailbox, then {@link #work}, then retires, fences, posts and
 * flushes on channels, in that order.
 */
public interface LaneDriver {
  /**
   * Moves on whatever can be moved on: completes, sends, receives, keeps the deadlines of inbound
   * work. Never blocks; bounded in what it does at a time.
   *
   * @return how much was done; 0 lets the lane park
   */
  int work(long now);

  /** When it wants {@link #work} even if nothing arrives; {@link Long#MAX_VALUE} for never. */
  long nextDeadline();

  /** Blocks until the fabric has something, {@link #wake()} is called, or the time has come. */
  void park(long deadline);

  /**
   * Whether channels of this lane may be posted on and flushed while the lane's thread is in {@link
   * #park}. Then a caller that finds the lane at rest does that itself, on its own thread, and the
   * lane is not woken for it: still one thread at a time but for {@code park}. Both are no {@link
   * #work}, and come without one. Where they leave something for {@code work}, or want other events
   * than {@code park} waits for, they call {@link #wake()}; reports from within them are taken.
   * Asked before each such post.
   */
  default boolean postsWhileParked() {
    return false;
  }

  /** Ends {@link #park}, or the next one if none is under way. Any thread. */
  void wake();

  /**
   * Ends all channels of the lane, and what it serves to remotes; closes the loops that it had from
   * {@link Wires#open}. Called once, as the last call but for {@link #wake()}. Whether the channels
   * were retired before is not to be relied on.
   *
   * <p>Owed before it returns: a report of each slice that is posted, with memory that the fabric
   * does not touch any more. Not owed, but taken: {@link LaneListener#channelDown}, and answers to
   * requests for channels that are open. Nothing is reported after it has returned; the lane's
   * mailbox answers false by then.
   */
  void close(long now);
}
