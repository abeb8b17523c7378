package dev.shunt.runtime.control;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;

/** {@code host:port}, with IPv6 addresses in brackets. */
public final class Places {
  private Places() {}

  /** The text of an address. */
  public static String text(InetSocketAddress address) {
    var ip = address.getAddress();
    var host = ip == null ? address.getHostString() : ip.getHostAddress();
    // A scope ("%eth0") means something on one machine only.
    var scope = host.indexOf('%');
    var bare = scope < 0 ? host : host.substring(0, scope);
    return (bare.indexOf(':') < 0 ? bare : "[" + bare + "]") + ":" + address.getPort();
  }

  /**
   * What a text names; unresolved where it is a name. Asks no name server.
   *
   * @return empty if it is not {@code host:port} with a port from 1 to 65535
   */
  public static Optional<InetSocketAddress> parse(String text) {
    var colon = text.lastIndexOf(':');
    if (colon < 1 || text.length() > 300) {
      return Optional.empty();
    }
    var host = text.substring(0, colon);
    var digits = text.substring(colon + 1);
    if (digits.isEmpty()
        || digits.length() > 5
        || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return Optional.empty();
    }
    var port = Integer.parseInt(digits);
    var bracketed = host.startsWith("[") && host.endsWith("]");
    var bare = bracketed ? host.substring(1, host.length() - 1) : host;
    if (port < 1 || port > 65535 || bare.isEmpty() || bare.indexOf(':') >= 0 != bracketed) {
      return Optional.empty();
    }
    try {
      return Optional.of(new InetSocketAddress(InetAddress.ofLiteral(bare), port));
    } catch (IllegalArgumentException name) {
      return bracketed || !plausible(bare)
          ? Optional.empty()
          : Optional.of(InetSocketAddress.createUnresolved(bare, port));
    }
  }

  private static boolean plausible(String name) {
    return name.chars()
        .allMatch(c -> Character.isLetterOrDigit(c) || c == '-' || c == '.' || c == '_');
  }
}
