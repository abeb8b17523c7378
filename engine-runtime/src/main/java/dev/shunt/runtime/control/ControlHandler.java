package dev.shunt.runtime.control;

import java.net.InetSocketAddress;

/** Serves a function of the control plane. */
@FunctionalInterface
public interface ControlHandler {
  /**
   * Answers a request, now or later. Called on the control thread: short, and never blocking. What
   * it throws ends the request with an error; the connection lives on.
   *
   * @param request the attachment: unchecked input, of at most {@code rpc.max-frame} bytes
   * @param peer where the connection comes from
   * @param reply takes the answer, once, on any thread, within {@code rpc.request-timeout}
   */
  void handle(byte[] request, InetSocketAddress peer, ControlReply reply);
}
