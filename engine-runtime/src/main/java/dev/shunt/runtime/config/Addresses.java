package dev.shunt.runtime.config;

import java.net.InetAddress;
import java.util.regex.Pattern;

/** Tells addresses by their look; asks no name service. */
final class Addresses {
  private static final Pattern NAME =
      Pattern.compile("[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?(\\.[A-Za-z0-9_-]+)*\\.?");

  private static final Pattern FOUR_NUMBERS = Pattern.compile("[0-9]+(\\.[0-9]+){3}");

  private Addresses() {}

  static boolean isIp(String text) {
    try {
      InetAddress.ofLiteral(text);
      // The JDK takes 10.1 for an address as well; whoever wrote that meant something else.
      return text.contains(":") || FOUR_NUMBERS.matcher(text).matches();
    } catch (IllegalArgumentException notAnAddress) {
      return false;
    }
  }

  static boolean isHost(String text) {
    return isIp(text) || (NAME.matcher(text).matches() && text.length() <= 253);
  }

  static boolean isHostWithPort(String text) {
    int colon = text.lastIndexOf(':');
    if (colon < 1 || !text.substring(colon + 1).matches("\\d{1,5}")) {
      return false;
    }
    int port = Integer.parseInt(text.substring(colon + 1));
    var host = text.substring(0, colon);
    boolean bracketed = host.startsWith("[") && host.endsWith("]");
    return port > 0
        && port <= 65_535
        && (bracketed
            ? host.contains(":") && isIp(host.substring(1, host.length() - 1))
            : !host.contains(":") && isHost(host));
  }
}
