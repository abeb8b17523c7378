package dev.shunt.runtime.transport;

import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.RemoteRail;
import dev.shunt.runtime.transport.core.EchoRails;
import java.util.List;

/**
 * A node that was met and lends memory to be read by a check.
 *
 * @param remote who it is
 * @param rails its rails for the transport
 * @param address of the memory
 * @param keys of it, by rail
 * @param control where its control plane listens
 * @param out the rails that it tells to be out of use, by their index
 * @param silent whether its control plane is known not to answer
 */
public record EchoPartner(
    Remote.Node remote,
    List<RemoteRail> rails,
    long address,
    List<Long> keys,
    List<String> control,
    List<Integer> out,
    boolean silent) {
  /** What a check needs to choose among nodes. */
  EchoRails choice() {
    return new EchoRails(rails, out, silent);
  }
}
