package dev.shunt.transport.rdma;

import static java.util.stream.Collectors.joining;

import dev.shunt.api.spi.Insight;
import dev.shunt.transport.rdma.core.PathMtu;
import dev.shunt.transport.rdma.verbs.AsyncEvents;
import dev.shunt.transport.rdma.verbs.PortInfo;
import dev.shunt.transport.rdma.verbs.VerbsException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What operators see of devices, ports, GIDs and QPs. The supervisor's. */
final class RdmaInsights {
  private static final String[] PORT_STATES = {
    "NOP", "DOWN", "INIT", "ARMED", "ACTIVE", "ACTIVE_DEFER"
  };

  private final RdmaSettings settings;
  private final RailFinder found;
  private final Registrations registrations;
  private final RailWatch watch;

  RdmaInsights(
      RdmaSettings settings, RailFinder found, Registrations registrations, RailWatch watch) {
    this.settings = settings;
    this.found = found;
    this.registrations = registrations;
    this.watch = watch;
  }

  List<Insight> list() {
    var all = new ArrayList<Insight>();
    for (var device : found.devices()) {
      all.add(device(device));
      for (var rail : device.rails()) {
        all.add(port(rail));
      }
    }
    for (var rail : found.rails()) {
      if (!rail.hasDevice()) {
        var facts = Map.of("state", "without a context, which is made anew");
        all.add(new Insight("port", rail.name(), facts, Map.of("active", 0L)));
      }
    }
    found
        .leftOut()
        .forEach(
            (name, why) ->
                all.add(new Insight("left-out", name, Map.of("because", why), Map.of())));
    var events = new LinkedHashMap<String, Long>();
    watch.counts().forEach((type, count) -> events.put(AsyncEvents.name(type), count));
    if (!events.isEmpty()) {
      all.add(new Insight("events", "asynchronous", Map.of(), events));
    }
    return all;
  }

  private Insight device(RdmaDevice device) {
    var facts = new LinkedHashMap<String, String>();
    var origin = device.origin();
    known(facts, "board", origin.board());
    known(facts, "firmware", origin.firmware());
    known(facts, "bus", origin.bus());
    facts.put("numa-node", origin.numaNode() < 0 ? "not known" : "" + origin.numaNode());
    if (settings.relaxedOrdering()) {
      var refused = device.refusedOrdering();
      facts.put("relaxed-ordering", refused.isEmpty() ? "on" : "refused: " + refused);
    }
    var counts = new LinkedHashMap<String, Long>();
    counts.put("qps", (long) device.owners().size());
    for (var state : List.of("INIT", "RTS", "ERR")) {
      counts.put("qps-" + state.toLowerCase(java.util.Locale.ROOT), qps(device, state));
    }
    var keys = device.rails().stream().flatMap(rail -> registrations.of(rail).stream()).toList();
    counts.put("regions", (long) keys.size());
    counts.put("registered-bytes", keys.stream().mapToLong(key -> key.memory().byteSize()).sum());
    return new Insight("device", name(device), facts, counts);
  }

  /** A rail whose context was made anew has one of its own, and its device another rail's. */
  private String name(RdmaDevice device) {
    var name = device.verbs().name();
    boolean shared =
        found.devices().stream()
            .anyMatch(other -> other != device && other.verbs().name().equals(name));
    return shared
        ? name + " of " + device.rails().stream().map(RdmaRail::name).collect(joining(", "))
        : name;
  }

  private static long qps(RdmaDevice device, String state) {
    return device.owners().values().stream().filter(owner -> owner.qpState().equals(state)).count();
  }

  private Insight port(RdmaRail rail) {
    var facts = new LinkedHashMap<String, String>();
    var device = rail.device();
    var port = rail.info();
    try {
      // As it is now: what the rail has is of its last change.
      port = device.verbs().port(rail.port());
      facts.put("state", state(port));
    } catch (VerbsException e) {
      facts.put("state", "cannot be read: " + e.getMessage());
    }
    facts.put("link", port.ethernet() ? "Ethernet" : "InfiniBand");
    known(facts, "rate", device.verbs().rate(rail.port()));
    facts.put("mtu", Integer.toString(PathMtu.bytes(port.activeMtu())));
    if (!port.ethernet()) {
      facts.put("lid", Integer.toString(port.lid()));
    }
    var gid = rail.gid();
    facts.put("gid-index", Integer.toString(gid.index()));
    facts.put("gid", gid.gid().toString());
    facts.put("gid-type", gid.type().name());
    var counts = new LinkedHashMap<String, Long>();
    counts.put("active", port.active() ? 1L : 0L);
    counts.put("quarantined", (long) rail.life().quarantined());
    return new Insight("port", rail.name(), facts, counts);
  }

  private static String state(PortInfo port) {
    int state = port.state();
    return state >= 0 && state < PORT_STATES.length ? PORT_STATES[state] : "state " + state;
  }

  private static void known(Map<String, String> facts, String what, String value) {
    if (!value.isEmpty()) {
      facts.put(what, value);
    }
  }
}
