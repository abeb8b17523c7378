package dev.shunt.api.spi;

/**
 * Where a lane's driver and channels report. Called only from within a call of the runtime's, on
 * the thread that it came on: {@link LaneDriver#work}, {@link LaneDriver#close}, a task of the
 * lane's mailbox, or {@link Channel#post}, {@link Channel#flush} and {@link Channel#retire}. That
 * is the lane's own thread, but where {@link LaneDriver#postsWhileParked()} is promised the three
 * of the channel may come on a caller's; reports from within those are made there, and never by a
 * third thread. A transport may report at once, or put it off to the next {@code work}; then it
 * sees to it that the lane does not park meanwhile: by {@link LaneDriver#wake()}, or by {@link
 * LaneDriver#nextDeadline}, which is not asked after a caller's turn.
 *
 * <p>From within a report the runtime calls back in one way only: {@link #channelUp} may retire the
 * channel that it brings, if it is not wanted any more. It posts, flushes and fences in a part of
 * its turn of its own, after {@code work}, or in a caller's turn, which is no more than that part;
 * it retires there, or in a task of the mailbox; it asks for channels through the supervisor. So a
 * transport needs no guard against being entered again, except that after {@code channelUp} its
 * channel may be ending, or down.
 */
public interface LaneListener {
  /**
   * The answer to a {@link ConnectRequest}: here is the channel. Its {@link Channel#link} has the
   * request's id. One that comes after the runtime gave the request up is retired.
   */
  void channelUp(ConnectRequest request, Channel channel);

  /** The answer to a {@link ConnectRequest}: it cannot be had. */
  void connectFailed(ConnectRequest request, Fault fault);

  /**
   * The slice is done: for a write, the destination has applied every byte; for a read, every byte
   * is in local memory.
   */
  void completed(Slice slice);

  /**
   * The slice ended otherwise; local memory is not touched any more. When a channel fails, all its
   * slices are reported, then {@link #channelDown}.
   *
   * @param fault with {@link Fault#effect()} saying whether a write may still be applied
   */
  void failed(Slice slice, Fault fault);

  /**
   * The channel is over: it holds no slice, and takes none. Once for each that was up, with what
   * ended it; nothing of the channel is reported afterwards, nor is it called.
   */
  void channelDown(Channel channel, Fault fault);
}
