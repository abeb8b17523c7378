package dev.shunt.cli.doctor;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Optional;
import java.util.stream.Collectors;

/** The addresses of this machine. */
final class Addresses {
  private Addresses() {}

  /** Those that others reach, and loopback. */
  static String here() {
    try {
      return NetworkInterface.networkInterfaces()
          .flatMap(NetworkInterface::inetAddresses)
          .filter(address -> !address.isLinkLocalAddress())
          .map(address -> address.getHostAddress().replaceFirst("%.*", ""))
          .distinct()
          .sorted()
          .collect(Collectors.joining(", "));
    } catch (SocketException e) {
      return "those that ip address shows";
    }
  }

  /** The name of the interface that has an address; any of 127.0.0.0/8 belongs to loopback. */
  static Optional<String> interfaceOf(InetAddress address) {
    try {
      var found = NetworkInterface.getByInetAddress(address);
      if (found == null && address.isLoopbackAddress()) {
        found = NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress());
      }
      return Optional.ofNullable(found).map(NetworkInterface::getName);
    } catch (SocketException e) {
      return Optional.empty();
    }
  }
}
