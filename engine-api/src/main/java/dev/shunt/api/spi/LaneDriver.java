package dev.shunt.api.spi;

/**
 * The transport's part of a lane. All methods but {@link #wake()} are called on the lane's thread.
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

  /** Ends {@link #park}, or the next one if none is under way. Any thread. */
  void wake();

  /** Ends all channels of the lane, and what they serve; reports what was posted. Called once. */
  void close(long now);
}
