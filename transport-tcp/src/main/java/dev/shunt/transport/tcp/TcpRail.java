package dev.shunt.transport.tcp;

import dev.shunt.api.spi.Rail;
import dev.shunt.api.spi.RemoteRail;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;

/**
 * A local address.
 *
 * @param name unique
 * @param index its place
 * @param bind where streams are connected from; the port is 0
 * @param attributes what peers need: {@code address} and {@code port}
 */
record TcpRail(String name, int index, InetSocketAddress bind, Map<String, String> attributes)
    implements Rail {

  static TcpRail of(TcpSettings.RailSettings settings, int index, int port) {
    return new TcpRail(
        settings.name(),
        index,
        new InetSocketAddress(settings.bind().getAddress(), 0),
        Map.of("address", settings.advertise().getHostAddress(), "port", Integer.toString(port)));
  }

  /** Where a remote's rail listens; empty if what it published makes no sense. */
  static Optional<InetSocketAddress> addressOf(RemoteRail rail) {
    var address = rail.attributes().get("address");
    var port = rail.attributes().get("port");
    if (address == null || port == null) {
      return Optional.empty();
    }
    try {
      int number = Integer.parseInt(port);
      return number < 1 || number > 65535
          ? Optional.empty()
          : Optional.of(new InetSocketAddress(InetAddress.ofLiteral(address), number));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
