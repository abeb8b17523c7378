package dev.shunt.api.spi;

/**
 * The transport's part of a lane. All methods but {@link #wake()} and {@link #postsWhileParked()}
 * are called on the lane's thread; only {@link #close} may come from the one that assembles the
 * engine, if the lane never had a turn. Memory of a confined arena does not fit here.
 *
 * <p>A turn of the lane runs its mailbox, then {@link #work}, then retires, fences, posts and
 * flushes on channels, in that order, and asks {@link #nextDeadline}. A caller's turn (see {@link
 * #postsWhileParked()}) is the part on channels alone. Turns never overlap, {@code close} is the
 * last, and each sees all that was written in those before it, on whatever thread they were: what
 * only turns touch needs no lock, and need not be volatile. {@code park} is no part of a turn.
 */
public interface LaneDriver {
  /**
   * Moves on whatever can be moved on: completes, sends, receives, keeps the deadlines of inbound
   * work. Never blocks; bounded in what it does at a time.
   *
   * @return how much was done; 0 lets the lane park
   */
  int work(long now);

  /**
   * When it wants {@link #work} even if nothing arrives; {@link Long#MAX_VALUE} for never. Asked at
   * the end of each turn of the lane's own thread.
   */
  long nextDeadline();

  /**
   * Blocks until the fabric has something, {@link #wake()} is called, or the time has come. On the
   * lane's thread, between two turns of its own; a caller's turn may run at the same time, if
   * {@link #postsWhileParked()} is promised.
   */
  void park(long deadline);

  /**
   * Whether the channels of this lane may be called while the lane's thread is at rest: in {@link
   * #park}, on the way there, or back from it. If so, a caller that finds nobody in a turn, and
   * nothing waiting for one, posts its requests itself, on its own thread, and the lane is not
   * woken for it.
   *
   * <p>Such a turn posts and flushes. Where time shows that a channel stalls it also retires, and
   * may fence and post again what failed by that; so the promise is for all methods of {@link
   * Channel}. Mailbox, {@link #work} and {@link #nextDeadline} are left to the lane's thread. Where
   * a call leaves something for {@code work}, or wants other events than {@code park} waits for, it
   * calls {@link #wake()}; reports from within it are taken, on that thread.
   *
   * <p>Turns see one another's writes, but {@code park} is in none: what it reads of a caller's
   * turn, and what both change, the transport shares safely itself. The caller's thread may be any:
   * virtual, interrupted, another one each time. Nothing may hang on which it is, such as a thread
   * local, nor on its being left alone by interrupts.
   *
   * <p>Asked before each such post by any thread, also while another has its turn, or after {@link
   * #close}.
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
