package dev.shunt.runtime.engine;

import dev.shunt.api.Operation;
import dev.shunt.api.spi.RailHealth;
import dev.shunt.api.spi.Regions.Refusal;
import dev.shunt.runtime.memory.RegisteredBuffer;
import dev.shunt.runtime.observe.Buckets;
import dev.shunt.runtime.observe.Change;
import dev.shunt.runtime.observe.Ending;
import dev.shunt.runtime.observe.Exposition;
import dev.shunt.runtime.observe.Metric;
import dev.shunt.runtime.observe.RequestMeter;
import dev.shunt.runtime.transfer.Lane;
import dev.shunt.runtime.transfer.LaneRoute;
import dev.shunt.runtime.transfer.core.Counter;
import dev.shunt.runtime.transport.TransportHost;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** Reads all that a node counts, when somebody asks. Any thread. */
final class NodeMetrics {
  private final Node node;
  private final NodeLife life;

  NodeMetrics(Node node, NodeLife life) {
    this.node = node;
    this.life = life;
  }

  /** In the text format of Prometheus. */
  String text() {
    var out = new Exposition();
    for (var metric : Metric.values()) {
      out.family(metric);
      samples(metric, out);
    }
    return out.text();
  }

  private void samples(Metric metric, Exposition out) {
    switch (metric) {
      case NODE_INFO -> out.sample(1, node.name, Long.toUnsignedString(node.generation));
      case START_TIME -> out.sample(life.started().toEpochMilli() / 1e3);
      case READY -> out.sample(life.ready() ? 1 : 0);
      case AGENTS_STUCK -> out.sample(life.stuck().size());
      case STATE_CHANGES -> {
        for (var change : Change.values()) {
          out.sample(node.journal.count(change), change.subject(), change.state());
        }
      }
      case REQUESTS -> requests(out);
      case DURATION -> durations(out);
      case BYTES -> bytes(out);
      case REJECTED -> out.sample(node.rejected.sum());
      case SLICES -> count(Counter.SLICES_COMPLETED, out);
      case SLICE_BYTES -> count(Counter.BYTES_COMPLETED, out);
      case ATTEMPTS_FAILED -> count(Counter.ATTEMPTS_FAILED, out);
      case SLICES_REDONE -> count(Counter.SLICES_REDONE, out);
      case SLICES_HANDED_OFF -> {
        for (var host : node.transports) {
          out.sample(sum(host, Counter.HANDED_OFF), host.id(), "local");
          out.sample(sum(host, Counter.REDISPATCHED), host.id(), "remote");
        }
      }
      case STOOD_STILL -> out.sample(node.journal.count(Change.NODE_STOOD_STILL));
      case PEERS_UNREACHABLE ->
          out.sample(
              node.peers.known().stream()
                  .filter(peer -> node.peers.silence().unreachable(peer).isPresent())
                  .count());
      case REQUESTS_MOVED -> count(Counter.REQUESTS_MOVED, out);
      case UNFENCED -> count(Counter.UNFENCED, out);
      case LATE_REPORTS -> count(Counter.LATE_REPORTS, out);
      case DRAINING_BYTES -> count(Counter.DRAINING_BYTES, out);
      case QUARANTINED_BYTES -> count(Counter.QUARANTINED_BYTES, out);
      case QUARANTINED_REMOTE_BYTES -> count(Counter.QUARANTINED_REMOTE_BYTES, out);
      case CHANNELS_UP -> count(Counter.CHANNELS_UP, out);
      case CHANNELS_DOWN -> count(Counter.CHANNELS_DOWN, out);
      case CONNECTS_FAILED -> count(Counter.CONNECTS_FAILED, out);
      case CHANNELS_STALLED -> count(Counter.CHANNELS_STALLED, out);
      case FENCES -> count(Counter.FENCES, out);
      case IN_FLIGHT_BYTES -> routes(route -> route.inFlightBytes().get(), out);
      case QUEUED_REQUESTS -> routes(route -> route.queuedRequests().get(), out);
      case INBOUND_REQUESTS -> {
        node.inbound()
            .forEach(
                (transport, meter) -> {
                  for (var operation : Operation.values()) {
                    out.sample(meter.requests(operation), transport, label(operation));
                  }
                });
      }
      case INBOUND_REFUSED -> {
        node.inbound()
            .forEach(
                (transport, meter) -> {
                  for (var reason : Refusal.values()) {
                    if (reason != Refusal.NONE) {
                      out.sample(meter.refused(reason), transport, label(reason));
                    }
                  }
                });
      }
      case RAILS -> {
        for (var host : node.transports) {
          var records = host.railBook().records();
          for (var state : RailHealth.State.values()) {
            var count = records.stream().filter(record -> record.state() == state).count();
            out.sample(count, host.id(), label(state));
          }
        }
      }
      case DETAILS -> {
        var insights = Insights.of(node.transports);
        for (var host : node.transports) {
          for (var it : insights.of(host)) {
            it.counts()
                .forEach((what, count) -> out.sample(count, host.id(), it.kind(), it.name(), what));
          }
        }
      }
      case PATHS_PAUSED -> {
        for (var host : node.transports) {
          var now = host.now();
          var until = host.routes().pausedUntil().values();
          out.sample(until.stream().filter(time -> time - now > 0).count(), host.id());
        }
      }
      case PEERS -> out.sample(node.peers.known().size());
      case CALLS ->
          node.control.meter().counts().forEach(c -> out.sample(c.called(), c.function()));
      case CALLS_FAILED ->
          node.control.meter().counts().forEach(c -> out.sample(c.failed(), c.function()));
      case CALLS_SERVED ->
          node.control.meter().counts().forEach(c -> out.sample(c.served(), c.function()));
      case CALLS_UNDER_WAY -> out.sample(node.control.outstanding());
      case CONNECTIONS -> {
        out.sample(node.control.inboundConnections(), "inbound");
        out.sample(node.control.outboundConnections(), "outbound");
      }
      case BUFFERS -> out.sample(node.buffers.buffers().size());
      case REGISTERED_BYTES ->
          out.sample(node.buffers.buffers().stream().mapToLong(RegisteredBuffer::length).sum());
      case INBOX -> out.sample(node.inbox.size());
    }
  }

  private void requests(Exposition out) {
    for (var host : node.transports) {
      for (var operation : Operation.values()) {
        for (var ending : Ending.values()) {
          var count = sum(host, meter -> meter.count(operation, ending));
          out.sample(count, host.id(), label(operation), label(ending));
        }
      }
    }
  }

  private void durations(Exposition out) {
    for (var host : node.transports) {
      for (var operation : Operation.values()) {
        var counts = new long[Buckets.COUNT];
        for (int i = 0; i < counts.length; i++) {
          int bucket = i;
          counts[i] = sum(host, meter -> meter.bucket(operation, bucket));
        }
        var nanos = sum(host, meter -> meter.nanos(operation));
        out.histogram(counts, nanos, host.id(), label(operation));
      }
    }
  }

  private void bytes(Exposition out) {
    for (var host : node.transports) {
      for (var operation : Operation.values()) {
        var bytes = sum(host, meter -> meter.bytes(operation));
        out.sample(bytes, host.id(), label(operation), "outbound");
      }
    }
    node.inbound()
        .forEach(
            (transport, meter) -> {
              for (var operation : Operation.values()) {
                out.sample(meter.bytes(operation), transport, label(operation), "inbound");
              }
            });
  }

  private void count(Counter counter, Exposition out) {
    for (var host : node.transports) {
      out.sample(sum(host, counter), host.id());
    }
  }

  private static long sum(TransportHost host, Counter counter) {
    return host.laneAgents().stream().mapToLong(lane -> lane.counters().value(counter)).sum();
  }

  private void routes(ToLongFunction<LaneRoute> value, Exposition out) {
    var peers = node.peers.known();
    for (var host : node.transports) {
      long sum = 0;
      for (var peer : peers) {
        for (var way : peer.ways()) {
          if (way.host() == host) {
            sum += value.applyAsLong(way.route());
          }
        }
      }
      out.sample(sum, host.id());
    }
  }

  private static long sum(TransportHost host, ToLongFunction<RequestMeter> value) {
    return host.laneAgents().stream().map(Lane::meter).mapToLong(value).sum();
  }

  private static String label(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
