package dev.shunt.runtime.control;

import dev.shunt.runtime.control.core.Functions;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/** Finds the ways by which a call can go, the likeliest first. On the control thread. */
final class Routes {
  private static final InetSocketAddress ANY = new InetSocketAddress(0);

  /** Addresses of which it is known from where they answer; the eldest makes room. */
  static final int MOST_KNOWN = 4096;

  private final LinkedHashMap<String, InetSocketAddress> answering = new LinkedHashMap<>();

  private List<InetAddress> rails = List.of();

  /**
   * Where we listen. With several addresses of ours a call goes from the first of them to the
   * peer's first, then from the second to the second, and so on: so the loss of one rail, on either
   * side, leaves a way. What answered from one of our rails alone is called from there.
   */
  void listening(List<InetSocketAddress> addresses) {
    var own = new ArrayList<InetAddress>();
    for (var address : addresses) {
      if (!address.getAddress().isAnyLocalAddress()) {
        own.add(address.getAddress());
      }
    }
    rails = own.size() > 1 ? List.copyOf(own) : List.of();
  }

  List<Route> order(Call call, Map<Route, Pool> pools, long now) {
    var traffic = Functions.traffic(call.function);
    var own = call.local.isPresent() ? List.<InetAddress>of() : rails;
    var all = new LinkedHashSet<Route>();
    for (int i = 0; i < Math.max(call.addresses.size(), own.size()); i++) {
      var address = call.addresses.get(i % call.addresses.size());
      var local = own.isEmpty() ? call.local.orElse(ANY) : from(own.get(i % own.size()), address);
      var known = own.isEmpty() ? null : answering.get(address);
      if (known != null) {
        all.add(new Route(known, address, traffic));
      }
      all.add(new Route(local, address, traffic));
    }
    return sorted(all, pools, now);
  }

  /** An address answered from here, while it was silent to a call, and not from everywhere yet. */
  void answers(String address, InetSocketAddress local) {
    answering.putLast(address, local);
    if (answering.size() > MOST_KNOWN) {
      answering.pollFirstEntry();
    }
  }

  /** An address answers from everywhere. */
  void answersAll(String address) {
    answering.remove(address);
  }

  /** From where one address can be called: from each of our rails that may reach it. */
  List<InetSocketAddress> locals(String address) {
    if (rails.isEmpty()) {
      return List.of(ANY);
    }
    var all = new LinkedHashSet<InetSocketAddress>();
    rails.forEach(rail -> all.add(from(rail, address)));
    return List.copyOf(all);
  }

  /** A local address can be bound only where it can reach the peer's at all. */
  private static InetSocketAddress from(InetAddress rail, String address) {
    return Places.parse(address)
        .map(InetSocketAddress::getAddress)
        .filter(remote -> remote.isLoopbackAddress() || !rail.isLoopbackAddress())
        .filter(remote -> remote instanceof Inet6Address == rail instanceof Inet6Address)
        .map(remote -> new InetSocketAddress(rail, 0))
        .orElse(ANY);
  }

  private List<Route> sorted(LinkedHashSet<Route> all, Map<Route, Pool> pools, long now) {
    var first = new ArrayList<Route>();
    var then = new ArrayList<Route>();
    var last = new ArrayList<Route>();
    for (var route : all) {
      var pool = pools.get(route);
      if (silent(route) || (pool != null && pool.suspect(now))) {
        last.add(route);
      } else if (pool != null && !pool.idle.isEmpty()) {
        first.add(route);
      } else {
        then.add(route);
      }
    }
    first.addAll(then);
    first.addAll(last);
    return first;
  }

  /** Whether its address is known to answer from elsewhere, and not by it. */
  private boolean silent(Route route) {
    var known = answering.get(route.address());
    return known != null && !known.equals(route.local());
  }
}
