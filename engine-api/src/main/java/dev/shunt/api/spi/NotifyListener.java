package dev.shunt.api.spi;

import java.lang.foreign.MemorySegment;

/**
 * Where a lane's ports report, and where it hands up what arrives. Called as {@link LaneListener}
 * is: from within a call of the runtime's for that lane, on its thread; from within a report the
 * runtime retires at most the port that {@link #portUp} brings.
 */
public interface NotifyListener {
  /** The answer to {@link Transport#openPort}: here is the port. */
  void portUp(ConnectRequest request, NotifyPort port);

  /** The answer to {@link Transport#openPort}: it cannot be had. */
  void portFailed(ConnectRequest request, Fault fault);

  /** The remote's side of the fabric has taken the frame, and hands it up. */
  void delivered(NotifyPort port, NotifyFrame frame);

  /** The frame ended otherwise; {@link Fault#effect()} says whether it may have arrived. */
  void failed(NotifyPort port, NotifyFrame frame, Fault fault);

  /**
   * The port is over: nothing is pending on it any more, and nothing of it is reported from here
   * on. Once for each that was up, with what ended it.
   */
  void portDown(NotifyPort port, Fault fault);

  /**
   * A frame arrived. It may come from a link whose end has begun: what its sender saw taken is
   * handed up before the link is forgotten.
   *
   * @param origin from where
   * @param frame its bytes, as they came: unchecked input, but that a frame of a link of protocol 0
   *     is a well-formed {@link RawFrame}. Valid during the call only
   * @return whether it was taken. If not (the inbox is full), it stays with the transport, which
   *     offers it again a little later, and those of its link behind it, in order; the sender's
   *     frames wait meanwhile
   */
  boolean received(NotifyOrigin origin, MemorySegment frame);
}
