package dev.shunt.runtime.control;

import dev.shunt.runtime.agent.Platform;
import dev.shunt.runtime.agent.WireAgent;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * The control plane of a node: listens, serves functions, calls functions of peers. One thread does
 * it all; {@link #serve} and the calls may come from any.
 */
public final class ControlService extends WireAgent {
  /** A control plane that listens nowhere yet. */
  public ControlService(String name, ControlOptions options, Platform platform) {
    super(name, options.maxOutstanding(), platform.wires());
  }

  /**
   * Listens. Called before the agent has its turns, by the thread that starts it.
   *
   * @param addresses port 0 for a free one; the first has to be had, of the others those that
   *     cannot be are left out with a warning
   * @return where it listens, in the order given
   * @throws dev.shunt.api.spi.TransportException if the first cannot be had
   */
  public List<InetSocketAddress> listen(List<InetSocketAddress> addresses) {
    throw new UnsupportedOperationException();
  }

  /** Serves a function from now on, in place of who served it before. Any thread. */
  public void serve(int function, ControlHandler handler) {
    throw new UnsupportedOperationException();
  }

  /** Calls a function at one address: see the longer form. */
  public void call(
      String address, int function, byte[] request, long deadline, CallHandler handler) {
    call(List.of(address), function, request, deadline, handler);
  }

  /**
   * Calls a function of a peer. Any thread; never blocks.
   *
   * @param addresses {@code host:port} of the peer; the next one is tried where connecting failed,
   *     and only then: a request of which a byte went out is never sent again
   * @param deadline in nanoseconds of {@link Platform#now()}
   */
  public void call(
      List<String> addresses, int function, byte[] request, long deadline, CallHandler handler) {
    throw new UnsupportedOperationException();
  }

  /** Calls by way of a local address (port 0): by one rail of ours, that is. */
  public void callFrom(
      InetSocketAddress local,
      List<String> addresses,
      int function,
      byte[] request,
      long deadline,
      CallHandler handler) {
    throw new UnsupportedOperationException();
  }
}
