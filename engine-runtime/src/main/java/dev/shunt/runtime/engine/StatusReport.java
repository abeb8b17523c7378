package dev.shunt.runtime.engine;

import dev.shunt.api.Status;
import dev.shunt.api.spi.Remote;
import dev.shunt.runtime.discovery.Plugin;
import dev.shunt.runtime.memory.RegisteredBuffer;
import dev.shunt.runtime.peer.RemoteState;
import dev.shunt.runtime.transfer.core.Counter;
import dev.shunt.runtime.transfer.core.PathSlot;
import dev.shunt.runtime.transport.TransportHost;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Gathers a snapshot: each part as of a moment, the whole as of about one. */
final class StatusReport {
  private final Node node;

  StatusReport(Node node) {
    this.node = node;
  }

  Status report() {
    var buffers = node.buffers.buffers();
    return new Status(
        node.name,
        node.generation,
        node.controlAddresses,
        node.discovered.plugins().stream().map(Plugin::status).toList(),
        node.transports.stream().map(StatusReport::transport).toList(),
        node.peers.known().stream().map(StatusReport::peer).toList(),
        new Status.Memory(
            buffers.size(),
            buffers.stream().mapToLong(RegisteredBuffer::length).sum(),
            sum(Counter.DRAINING_BYTES),
            sum(Counter.QUARANTINED_BYTES)),
        counters());
  }

  private long sum(Counter counter) {
    long sum = 0;
    for (var host : node.transports) {
      for (var lane : host.laneAgents()) {
        sum += lane.counters().value(counter);
      }
    }
    return sum;
  }

  private Map<String, Long> counters() {
    var counters = new TreeMap<String, Long>();
    for (var counter : Counter.values()) {
      counters.put(counter.name().toLowerCase(Locale.ROOT).replace('_', '-'), sum(counter));
    }
    counters.put("inbox-waiting", (long) node.inbox.size());
    return counters;
  }

  private static Status.TransportStatus transport(TransportHost host) {
    var rails = new ArrayList<Status.RailStatus>();
    var routes = host.routes();
    for (var rail : host.rails()) {
      var inactive = routes.inactive().contains(rail.index());
      rails.add(new Status.RailStatus(rail.name(), inactive ? "INACTIVE" : "ACTIVE", ""));
    }
    return new Status.TransportStatus(host.id(), rails, host.laneAgents().size());
  }

  private static Status.Peer peer(RemoteState state) {
    Map<String, Integer> capabilities =
        state.remote() instanceof Remote.Node met ? met.verdict().versions() : Map.of();
    return new Status.Peer(
        state.remote().name(),
        state.generation(),
        capabilities,
        state.home().map(home -> home.route().queuedRequests().get()).orElse(0L),
        state.home().map(home -> home.route().inFlightBytes().get()).orElse(0L),
        state.home().map(StatusReport::paths).orElse(List.of()));
  }

  private static List<Status.PathStatus> paths(TransportHost.Home home) {
    var answer = new CompletableFuture<List<Status.PathStatus>>();
    home.lane().paths(home.route(), slots -> answer.complete(describe(home, slots)));
    return answer.completeOnTimeout(List.of(), 1, TimeUnit.SECONDS).join();
  }

  private static List<Status.PathStatus> describe(TransportHost.Home home, List<PathSlot> slots) {
    var now = home.host().now();
    return slots.stream()
        .map(
            slot ->
                new Status.PathStatus(
                    home.host().id(),
                    home.host().rails().get(slot.localRail()).name(),
                    home.route().rails().get(slot.remoteRail()).name(),
                    slot.restsAt(now) ? "PAUSED" : slot.state().name(),
                    slot.lastFaultText()))
        .toList();
  }
}
