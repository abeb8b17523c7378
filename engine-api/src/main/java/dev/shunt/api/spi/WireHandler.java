package dev.shunt.api.spi;

/**
 * What happens to a wire. Called from {@link WireLoop#poll}. What is called may close this wire and
 * others, and change interests.
 */
public interface WireHandler {
  /** It is connected. Not called for accepted ones. */
  void connected(Wire wire, long now);

  /** There is something to read, or the other side ended the stream, or it broke: read tells. */
  void readable(Wire wire, long now);

  /** There is room to write, or it broke: write tells. */
  void writable(Wire wire, long now);

  /**
   * It could not be connected, or {@link #readable} or {@link #writable} let a {@link
   * WireException} out; it is closed. A stream that breaks later shows by that exception from
   * {@link Wire#read} or {@link Wire#write}, and not by this call, where the handler catches it.
   */
  void failed(Wire wire, WireException cause, long now);
}
