package dev.shunt.cli.doctor;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whether packets of a rail leave by that rail. A socket that is bound to an address still leaves
 * by the interface that the kernel's table of routes names for the target, so two rails may share
 * one link without anybody's noticing.
 */
final class Routes {
  private final RouteTable table;

  Routes(RouteTable table) {
    this.table = table;
  }

  /** For each rail and each peer. */
  List<Finding> findings(List<String> rails, List<String> peers) {
    if (peers.isEmpty()) {
      return List.of(
          Finding.ok(
              "routing",
              "not looked at: --peer ADDRESS tells whether each rail's packets leave by it"));
    }
    var findings = new ArrayList<Finding>();
    for (var peer : peers) {
      for (var rail : rails) {
        findings.add(finding(rail, peer));
      }
    }
    return findings;
  }

  private Finding finding(String rail, String peer) {
    var text = "from " + rail + " to " + peer;
    InetAddress from;
    InetAddress to;
    try {
      from = InetAddress.ofLiteral(rail);
      to = InetAddress.getByName(peer);
    } catch (IllegalArgumentException | IOException e) {
      return Finding.fail("routing", text + ": no such address", "give addresses, or known names");
    }
    if (from.isAnyLocalAddress()) {
      return Finding.warn(
          "routing",
          text + ": a wildcard is no rail",
          "name the addresses of the rails one by one");
    }
    if (from.getClass() != to.getClass()) {
      return Finding.ok("routing", text + " goes nothing: one is IPv4, the other IPv6");
    }
    if (from.isLoopbackAddress() && !to.isLoopbackAddress()) {
      return Finding.fail(
          "routing",
          text + ": a loopback rail reaches this machine only",
          "name an address of " + Addresses.here() + " as a rail");
    }
    var refused = unreachable(from, to);
    if (refused.isPresent()) {
      return Finding.fail(
          "routing",
          text + ": " + refused.get(),
          "ip route get " + to.getHostAddress() + " from " + rail + " tells more");
    }
    return leaves(from, to, text);
  }

  private Finding leaves(InetAddress from, InetAddress to, String text) {
    var owner = Addresses.interfaceOf(from);
    var leaving = table.leaving(from, to);
    if (leaving.isEmpty() || owner.isEmpty()) {
      return Finding.ok("routing", text + " there is a way; by which interface is not known");
    }
    // To an address of this machine the way is short, whatever interface has it.
    if (leaving.get().equals(owner.get()) || leaving.get().equals("lo")) {
      return Finding.ok("routing", text + " leaves by " + leaving.get());
    }
    return Finding.warn(
        "routing",
        text + " leaves by " + leaving.get() + ", and the rail's own interface is " + owner.get(),
        "route by source: ip route add default dev "
            + owner.get()
            + " table 100 (with the gateway there), ip rule add from "
            + from.getHostAddress()
            + " table 100");
  }

  /** Connecting a datagram socket sends nothing; it only asks for a route. */
  private static Optional<String> unreachable(InetAddress from, InetAddress to) {
    try (var channel = DatagramChannel.open()) {
      channel.bind(new InetSocketAddress(from, 0));
      channel.connect(new InetSocketAddress(to, 9));
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }
}
