package dev.shunt.metadata.p2p;

import java.net.InetAddress;
import java.util.regex.Pattern;

/** Tells the address of a control plane by its look; asks no name service. */
final class NodeAddress {
  private static final int LONGEST_HOST = 253;
  private static final Pattern HOST =
      Pattern.compile(
          "[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?(\\.[A-Za-z0-9_-]{1,63})*\\.?");
  private static final Pattern NUMBERS = Pattern.compile("[0-9.]+");
  private static final Pattern FOUR_NUMBERS = Pattern.compile("[0-9]+(\\.[0-9]+){3}");
  private static final Pattern PORT = Pattern.compile("[1-9][0-9]{0,4}");

  private NodeAddress() {}

  /** Whether a name is {@code host:port} or {@code [IPv6]:port}, with a port from 1 to 65535. */
  static boolean isOne(String name) {
    int colon = name.lastIndexOf(':');
    return colon > 0 && isPort(name.substring(colon + 1)) && isHost(name.substring(0, colon));
  }

  /** A name as it may be shown: one line, not too long. */
  static String shown(String name) {
    var line = name.replaceAll("[\\p{Cntrl}]", "?");
    return line.length() <= LONGEST_HOST ? line : line.substring(0, LONGEST_HOST) + "...";
  }

  private static boolean isPort(String text) {
    return PORT.matcher(text).matches() && Integer.parseInt(text) <= 65_535;
  }

  private static boolean isHost(String text) {
    if (text.startsWith("[")) {
      return text.endsWith("]") && text.contains(":") && isIp(text.substring(1, text.length() - 1));
    }
    return NUMBERS.matcher(text).matches()
        ? FOUR_NUMBERS.matcher(text).matches() && isIp(text)
        : text.length() <= LONGEST_HOST && HOST.matcher(text).matches();
  }

  private static boolean isIp(String text) {
    try {
      InetAddress.ofLiteral(text);
      return true;
    } catch (IllegalArgumentException notAnAddress) {
      return false;
    }
  }
}
