package dev.shunt.transport.tcp;

import dev.shunt.api.spi.Rail;
import java.net.InetSocketAddress;
import java.util.Map;

/**
 * A local address.
 *
 * @param name unique
 * @param index its place
 * @param bind where streams are connected from; the port is 0
 * @param attributes what peers need: {@code address} (or a name) and {@code port}
 */
record TcpRail(String name, int index, InetSocketAddress bind, Map<String, String> attributes)
    implements Rail {

  static TcpRail of(TcpSettings.RailSettings settings, int index, int port) {
    return new TcpRail(
        settings.name(),
        index,
        new InetSocketAddress(settings.bind().getAddress(), 0),
        Map.of("address", settings.advertise(), "port", Integer.toString(port)));
  }
}
