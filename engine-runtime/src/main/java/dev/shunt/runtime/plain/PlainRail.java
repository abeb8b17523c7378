package dev.shunt.runtime.plain;

import dev.shunt.api.spi.Rail;
import java.net.InetSocketAddress;
import java.util.Map;

/**
 * A local address to connect from.
 *
 * @param name unique
 * @param index its place
 * @param bind where connections begin; the port is 0
 */
record PlainRail(String name, int index, InetSocketAddress bind) implements Rail {
  /** Nobody connects to it: peers come to the control plane. */
  @Override
  public Map<String, String> attributes() {
    return Map.of();
  }
}
