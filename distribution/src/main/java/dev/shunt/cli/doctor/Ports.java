package dev.shunt.cli.doctor;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whether what the configuration wants to listen on can be had. */
public final class Ports {
  private final Kernel kernel;

  Ports(Kernel kernel) {
    this.kernel = kernel;
  }

  /**
   * Something to listen on.
   *
   * @param key what configures it
   * @param address an IP address
   * @param port 0 for any
   */
  public record Place(String key, String address, int port) {}

  List<Finding> findings(List<Place> places) {
    var findings = new ArrayList<Finding>();
    for (var place : places) {
      findings.add(finding(place));
    }
    return findings;
  }

  private Finding finding(Place place) {
    var check = "port";
    var text = place.key() + " " + where(place);
    InetAddress address;
    try {
      address = InetAddress.ofLiteral(place.address());
    } catch (IllegalArgumentException _) {
      return Finding.fail(check, text + " is no IP address", "give " + place.key() + " one");
    }
    if (!isHere(address)) {
      return Finding.fail(
          check,
          text + ": the address is of no interface of this machine",
          "right is one of " + Addresses.here());
    }
    var refused = refused(address, place.port());
    if (refused.isPresent()) {
      return Finding.fail(check, text + ": " + refused.get(), remedy(place, refused.get()));
    }
    if (place.port() == 0) {
      return Finding.ok(check, text + " takes a free port at each start");
    }
    var range = kernel.numbers("net.ipv4.ip_local_port_range");
    if (range.size() == 2 && place.port() >= range.getFirst() && place.port() <= range.getLast()) {
      return Finding.warn(
          check,
          text
              + " is free, and among the ports that the kernel gives to outgoing connections ("
              + range.getFirst()
              + "-"
              + range.getLast()
              + "): one of them may have it at the next start",
          "take one outside, or sysctl -w net.ipv4.ip_local_reserved_ports=" + place.port());
    }
    return Finding.ok(check, text + " is free");
  }

  private static String where(Place place) {
    return place.address().contains(":")
        ? "[" + place.address() + "]:" + place.port()
        : place.address() + ":" + place.port();
  }

  private static boolean isHere(InetAddress address) {
    try {
      return address.isAnyLocalAddress()
          || address.isLoopbackAddress()
          || NetworkInterface.getByInetAddress(address) != null;
    } catch (IOException _) {
      // Binding tells.
      return true;
    }
  }

  private static Optional<String> refused(InetAddress address, int port) {
    try (var socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(address, port));
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private String remedy(Place place, String refused) {
    if (refused.contains("in use")) {
      return "another process listens there (ss -ltnp tells which); stop it, or take another port";
    }
    if (refused.contains("denied")) {
      return "ports below "
          + kernel.setting("net.ipv4.ip_unprivileged_port_start").orElse("1024")
          + " are for root; take a higher one";
    }
    return "give " + place.key() + " an address of this machine: " + Addresses.here();
  }
}
