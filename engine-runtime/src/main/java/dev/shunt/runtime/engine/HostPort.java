package dev.shunt.runtime.engine;

import java.net.Inet6Address;
import java.net.InetSocketAddress;

/** Addresses as peers write them: {@code host:port}, IPv6 in brackets. */
final class HostPort {
  private HostPort() {}

  static String text(InetSocketAddress address) {
    var ip = address.getAddress();
    var host = ip == null ? address.getHostString() : ip.getHostAddress();
    return (ip instanceof Inet6Address ? "[" + host + "]" : host) + ":" + address.getPort();
  }

  /** Adds a port to what has none. */
  static String withPort(String host, int port) {
    if (host.startsWith("[")) {
      return host.endsWith("]") ? host + ":" + port : host;
    }
    var colons = host.chars().filter(c -> c == ':').count();
    return switch ((int) colons) {
      case 0 -> host + ":" + port;
      case 1 -> host;
      default -> "[" + host + "]:" + port;
    };
  }
}
