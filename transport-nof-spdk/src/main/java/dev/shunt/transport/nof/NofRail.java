package dev.shunt.transport.nof;

import dev.shunt.api.spi.Rail;
import java.net.InetSocketAddress;
import java.util.Map;

/**
 * A local address that connections to targets begin at.
 *
 * @param name the address, or {@code any}
 * @param address with port 0
 */
record NofRail(String name, int index, InetSocketAddress address) implements Rail {
  /** Nobody connects to it. */
  @Override
  public Map<String, String> attributes() {
    return Map.of();
  }
}
