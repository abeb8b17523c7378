package dev.shunt.transport.tcp;

import dev.shunt.api.spi.RemoteRail;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Where a remote's rail listens, as it published it.
 *
 * @param host an IP address or a name
 * @param port 1 to 65535
 */
record RemoteAddress(String host, int port) {
  private static final int LONGEST = 253;
  private static final Pattern LABELS =
      Pattern.compile(
          "[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?(\\.[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?)*\\.?");

  /** Reads what a remote published; empty if it makes no sense. */
  static Optional<RemoteAddress> of(RemoteRail rail) {
    var host = rail.attributes().get("address");
    var port = rail.attributes().get("port");
    if (host == null || port == null || !(literal(host).isPresent() || isName(host))) {
      return Optional.empty();
    }
    try {
      int number = Integer.parseInt(port);
      return number < 1 || number > 65535
          ? Optional.empty()
          : Optional.of(new RemoteAddress(host, number));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** An IP address; empty if it is none. Asks nobody. */
  static Optional<InetAddress> literal(String text) {
    try {
      return Optional.of(InetAddress.ofLiteral(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Whether it could be the name of a host. */
  static boolean isName(String text) {
    boolean digits = text.chars().allMatch(c -> c == '.' || c >= '0' && c <= '9');
    return !digits && text.length() <= LONGEST && LABELS.matcher(text).matches();
  }

  /** An address as others may use it: a zone means something on one machine only. */
  static String withoutZone(InetAddress address) {
    var text = address.getHostAddress();
    int zone = text.indexOf('%');
    return zone < 0 ? text : text.substring(0, zone);
  }

  /** Asks the system for a name, which may take a while. */
  static InetAddress[] lookUp(String name) throws UnknownHostException {
    return InetAddress.getAllByName(name);
  }

  /**
   * The first of some addresses that a local one can connect to. A link-local one is meant on the
   * link of the local address.
   */
  Optional<InetSocketAddress> from(InetAddress local, InetAddress... addresses) {
    return Arrays.stream(addresses)
        .filter(it -> reaches(local, it))
        .findFirst()
        .map(it -> new InetSocketAddress(onLink(local, it), port));
  }

  private static boolean reaches(InetAddress local, InetAddress remote) {
    boolean any = local.isAnyLocalAddress() && local instanceof Inet6Address;
    return any || local instanceof Inet4Address == remote instanceof Inet4Address;
  }

  private static InetAddress onLink(InetAddress local, InetAddress remote) {
    if (remote instanceof Inet6Address there
        && there.isLinkLocalAddress()
        && there.getScopeId() == 0
        && local instanceof Inet6Address here
        && here.getScopeId() != 0) {
      try {
        return Inet6Address.getByAddress(null, there.getAddress(), here.getScopeId());
      } catch (UnknownHostException e) {
        throw new IllegalStateException("an address of 16 bytes that is none: " + there, e);
      }
    }
    return remote;
  }
}
