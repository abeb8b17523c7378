package dev.shunt.api.spi;

/** What happens to a wire. Called from {@link WireLoop#poll}. */
public interface WireHandler {
  /** It is connected. Not called for accepted ones. */
  void connected(Wire wire, long now);

  /** There is something to read, or the other side ended the stream. */
  void readable(Wire wire, long now);

  /** There is room to write. */
  void writable(Wire wire, long now);

  /** It could not be connected, or broke; it is closed. */
  void failed(Wire wire, WireException cause, long now);
}
