package dev.shunt.runtime.engine;

import dev.shunt.api.Operation;
import dev.shunt.api.Status;
import dev.shunt.api.spi.Insight;
import dev.shunt.api.spi.PathHealth.PathRecord;
import dev.shunt.api.spi.PathId;
import dev.shunt.api.spi.PeerHealth;
import dev.shunt.api.spi.Remote;
import dev.shunt.runtime.discovery.Plugin;
import dev.shunt.runtime.memory.RegisteredBuffer;
import dev.shunt.runtime.observe.Change;
import dev.shunt.runtime.observe.Ending;
import dev.shunt.runtime.observe.Journal;
import dev.shunt.runtime.peer.RemoteState;
import dev.shunt.runtime.transfer.core.Counter;
import dev.shunt.runtime.transfer.core.PathSlot;
import dev.shunt.runtime.transport.TransportHost;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Gathers a snapshot: each part as of a moment, the whole as of about one. Any thread. */
final class StatusReport {
  /** For all peers together: a lane that stands still must not hold up who asks why. */
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(1);

  private final Node node;
  private final NodeLife life;

  StatusReport(Node node, NodeLife life) {
    this.node = node;
    this.life = life;
  }

  Status report() {
    var buffers = node.buffers.buffers();
    return new Status(
        node.name,
        node.generation,
        life.state(),
        life.started(),
        node.controlAddresses,
        node.discovered.plugins().stream().map(Plugin::status).toList(),
        transports(),
        peers(),
        new Status.Memory(
            buffers.size(),
            buffers.stream().mapToLong(RegisteredBuffer::length).sum(),
            sum(Counter.DRAINING_BYTES),
            sum(Counter.QUARANTINED_BYTES),
            sum(Counter.QUARANTINED_REMOTE_BYTES)),
        new Status.Queues(
            node.inbox.size(),
            node.control.outstanding(),
            node.control.inboundConnections(),
            node.control.outboundConnections()),
        life.stuck(),
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
    counters.put("stood-still", node.journal.count(Change.NODE_STOOD_STILL));
    counters.put("inbox-waiting", (long) node.inbox.size());
    return counters;
  }

  // ---- transports

  /** All are asked for their inside before any is waited for. */
  private List<Status.TransportStatus> transports() {
    var insights = Insights.of(node.transports);
    return node.transports.stream().map(host -> transport(host, insights.of(host))).toList();
  }

  private Status.TransportStatus transport(TransportHost host, List<Insight> insights) {
    return new Status.TransportStatus(
        host.id(),
        host.rails().stream().map(r -> rail(host, r.index())).toList(),
        host.laneAgents().size(),
        traffic(host),
        insights.stream()
            .map(it -> new Status.Detail(it.kind(), it.name(), it.facts(), it.counts()))
            .toList());
  }

  private Status.RailStatus rail(TransportHost host, int rail) {
    return RailReport.of(host, rail, host.railBook().records().get(rail));
  }

  private static Status.Traffic traffic(TransportHost host) {
    long bytes = 0;
    long completed = 0;
    long failed = 0;
    for (var lane : host.laneAgents()) {
      for (var operation : Operation.values()) {
        bytes += lane.meter().bytes(operation);
        for (var ending : Ending.values()) {
          var count = lane.meter().count(operation, ending);
          if (ending == Ending.COMPLETED) {
            completed += count;
          } else {
            failed += count;
          }
        }
      }
    }
    var inbound = host.inbound();
    return new Status.Traffic(
        bytes,
        completed,
        failed,
        inbound.bytes(Operation.WRITE) + inbound.bytes(Operation.READ),
        inbound.requests(Operation.WRITE) + inbound.requests(Operation.READ));
  }

  // ---- peers

  /** All are asked before any answer is waited for. */
  private List<Status.Peer> peers() {
    var known = node.peers.known();
    var asked = new ArrayList<List<CompletableFuture<List<Status.PathStatus>>>>();
    for (var state : known) {
      asked.add(state.ways().stream().map(way -> askPaths(state, way)).toList());
    }
    var until = System.nanoTime() + PATIENCE;
    var peers = new ArrayList<Status.Peer>();
    for (int i = 0; i < known.size(); i++) {
      var paths = new ArrayList<Status.PathStatus>();
      for (var one : asked.get(i)) {
        var left = Math.max(0, until - System.nanoTime());
        paths.addAll(one.completeOnTimeout(List.of(), left, TimeUnit.NANOSECONDS).join());
      }
      peers.add(peer(known.get(i), paths));
    }
    return peers;
  }

  private Status.Peer peer(RemoteState state, List<Status.PathStatus> paths) {
    Map<String, Integer> capabilities =
        state.remote() instanceof Remote.Node met
            ? new TreeMap<>(met.verdict().versions())
            : Map.of();
    return new Status.Peer(
        state.remote().name(),
        state.generation(),
        state.home().map(home -> home.host().id()).orElse(""),
        node.journal.peer(state.remote().name()).map(Journal.Since::since),
        capabilities,
        state.ways().stream().mapToLong(way -> way.route().queuedRequests().get()).sum(),
        state.ways().stream().mapToLong(way -> way.route().inFlightBytes().get()).sum(),
        node.peers.silence().unreachable(state).map(this::unreachable),
        paths);
  }

  private Status.Unreachable unreachable(PeerHealth.Unreachable mark) {
    var now = node.platform.now();
    var peer = "peer " + mark.address();
    return new Status.Unreachable(
        node.journal.at(peer + " since", mark.since(), now),
        mark.why(),
        node.journal.at(peer + " probe", mark.nextProbe(), now));
  }

  /** The steward first, for what it remembers; then the lane, which has the paths. */
  private CompletableFuture<List<Status.PathStatus>> askPaths(
      RemoteState state, TransportHost.Home home) {
    var answer = new CompletableFuture<List<Status.PathStatus>>();
    var ids = new ArrayList<PathId>();
    for (int local = 0; local < home.host().rails().size(); local++) {
      for (int remote = 0; remote < home.route().rails().size(); remote++) {
        ids.add(new PathId(state.remote().name(), state.generation(), local, remote));
      }
    }
    Consumer<Map<PathId, PathRecord>> then =
        records ->
            home.lane()
                .paths(
                    home.route(), slots -> answer.complete(describe(state, home, slots, records)));
    if (!home.host().paths().records(ids, then)) {
      then.accept(Map.of());
    }
    return answer;
  }

  private List<Status.PathStatus> describe(
      RemoteState state,
      TransportHost.Home home,
      List<PathSlot> slots,
      Map<PathId, PathRecord> records) {
    return slots.stream()
        .map(
            slot -> {
              var remote = state.remote().name();
              var id = new PathId(remote, state.generation(), slot.localRail(), slot.remoteRail());
              return path(home, slot, Optional.ofNullable(records.get(id)));
            })
        .toList();
  }

  /** By the generation, too: what is known of a path goes with it. */
  private static String moment(TransportHost.Home home, PathSlot slot) {
    return "path "
        + home.host().id()
        + " "
        + home.route().remote()
        + " "
        + slot.localRail()
        + " "
        + slot.remoteRail();
  }

  private Status.PathStatus path(
      TransportHost.Home home, PathSlot slot, Optional<PathRecord> record) {
    var now = home.host().now();
    var rests = slot.restsAt(now);
    return new Status.PathStatus(
        home.host().id(),
        home.host().rails().get(slot.localRail()).name(),
        home.route().rails().get(slot.remoteRail()).name(),
        rests ? "PAUSED" : slot.state().name(),
        rests
            ? Optional.of(home.host().journal().at(moment(home, slot), slot.pausedUntil(), now))
            : Optional.empty(),
        slot.lastFaultText(),
        slot.carried(),
        record.map(PathRecord::faults).orElse(0),
        Duration.ofNanos(record.map(PathRecord::nextPause).orElse(0L)));
  }
}
