package dev.shunt.transport.rdma.verbs;

import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;

/** Tells the network interfaces that container networks make from those of the fabric. */
final class Overlays {
  private static final List<String> PREFIXES =
      List.of("flannel", "cni", "cali", "vxlan", "docker", "tunl");

  private Overlays() {}

  /** Whether the interface at a system's index is one; what cannot be looked up is none. */
  static boolean isOne(int index) {
    if (index <= 0) {
      return false;
    }
    try {
      var found = NetworkInterface.getByIndex(index);
      return found != null && isOne(found.getName());
    } catch (SocketException e) {
      return false;
    }
  }

  static boolean isOne(String name) {
    return PREFIXES.stream().anyMatch(name::startsWith);
  }
}
