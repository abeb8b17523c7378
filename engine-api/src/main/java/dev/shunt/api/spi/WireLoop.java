package dev.shunt.api.spi;

import java.net.InetSocketAddress;

/**
 * A set of byte streams owned by one thread: only {@link #wake()} may be called from another.
 * Handlers are called from {@link #poll}, never from the call that causes the event.
 */
public interface WireLoop {
  /**
   * Begins to connect. {@link WireHandler#connected} or {@link WireHandler#failed} follows; the
   * caller keeps the deadline, and closes the wire when it passes.
   *
   * @param local where to connect from; port 0 for any
   * @throws TransportException if the local address is not to be had: a fault of this side, for
   *     which a transport's {@link Fault} blames LOCAL
   */
  Wire connect(InetSocketAddress local, InetSocketAddress remote, WireHandler handler);

  /**
   * Listens.
   *
   * @param address port 0 for a free one
   * @throws TransportException if it cannot be had (taken, not ours, not permitted)
   */
  WireServer listen(InetSocketAddress address, WireServer.Handler handler);

  /**
   * Calls the handlers of all that is ready, once for each event at most; see {@link
   * Wire#interest}.
   *
   * @return how many were called
   */
  int poll(long now);

  /** Blocks until something is ready, {@link #wake()} is called, or the time has come. */
  void park(long deadline);

  /** Ends {@link #park}, or the next one. */
  void wake();

  /**
   * Closes all its wires and servers, without a call to their handlers. Called by who opened it:
   * see {@link Wires}.
   */
  void close();
}
