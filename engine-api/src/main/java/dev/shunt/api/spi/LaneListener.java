package dev.shunt.api.spi;

/** Where a lane's driver and channels report. Called on the lane's thread only. */
public interface LaneListener {
  /** The answer to a {@link ConnectRequest}: here is the channel. */
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

  /** The channel is over: it holds no slice, and takes none. Once, with what ended it. */
  void channelDown(Channel channel, Fault fault);
}
