package dev.shunt.runtime.control;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Supervisor.Timer;
import dev.shunt.api.spi.TransportException;
import dev.shunt.api.spi.Wire;
import dev.shunt.api.spi.WireHandler;
import dev.shunt.api.spi.WireServer;
import dev.shunt.runtime.control.core.Crowd;
import dev.shunt.runtime.control.core.DataDesk;
import dev.shunt.runtime.control.core.Exchange;
import dev.shunt.runtime.control.core.Functions;
import dev.shunt.runtime.control.core.HeapBudget;
import dev.shunt.runtime.control.core.Refusals;
import dev.shunt.runtime.control.core.ServerLimits;
import dev.shunt.runtime.control.core.Traffic;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The serving half of the control plane. On the control thread, but for {@link #serve}. */
final class ControlServer implements WireServer.Handler {
  private static final Logger LOG = LoggerFactory.getLogger(ControlServer.class);
  private static final byte[] NOTHING = {};

  private final ControlService service;
  private final ServerLimits limits;
  private final HeapBudget budget;
  private final int maxConnections;
  private final Map<Integer, ControlHandler> handlers = new ConcurrentHashMap<>();
  private final List<WireServer> listeners = new ArrayList<>();
  private final Crowd<Inbound> connections;
  private volatile int count;
  private final Complaints broken = new Complaints(LOG);
  private final Complaints crowded = new Complaints(LOG);
  private final Complaints thrown = new Complaints(LOG);
  private final Complaints refused = new Complaints(LOG);
  private volatile Optional<DataDesk> desk = Optional.empty();

  ControlServer(ControlService service, ControlOptions options) {
    this.service = service;
    this.maxConnections = options.maxConnections();
    this.connections = new Crowd<>(maxConnections);
    this.budget = new HeapBudget(options.maxBuffered());
    this.limits =
        new ServerLimits(
            options.maxFrame(),
            options.maxPending(),
            options.maxUnsent(),
            options.progressTimeout().toNanos(),
            options.requestTimeout().toNanos());
  }

  List<InetSocketAddress> listen(List<InetSocketAddress> addresses) {
    var where = new ArrayList<InetSocketAddress>();
    for (var address : addresses) {
      try {
        var listener = service.wires().listen(address, this);
        listeners.add(listener);
        where.add(listener.address());
      } catch (TransportException refused) {
        if (where.isEmpty()) {
          throw refused;
        }
        LOG.warn(
            "the control plane does without {}: {}", Places.text(address), refused.getMessage());
      }
    }
    return List.copyOf(where);
  }

  void serve(int function, ControlHandler handler) {
    handlers.put(function, handler);
  }

  void serveData(DataDesk data) {
    desk = Optional.of(data);
  }

  Optional<DataDesk> desk() {
    return desk;
  }

  @Override
  public WireHandler accepted(Wire wire, long now) {
    var inbound = new Inbound(this, wire, now);
    var victim = connections.add(inbound, now);
    count = connections.size();
    victim.ifPresent(gone -> makeRoom(gone, now));
    return inbound;
  }

  private void makeRoom(Inbound victim, long now) {
    crowded.tell(
        now,
        maxConnections
            + " connections to the control plane (rpc.max-connections): the one from "
            + Places.text(victim.peer())
            + " is closed, as that least worth keeping");
    victim.abort();
  }

  void handle(Inbound from, Exchange exchange) {
    service.meter().served(exchange.function());
    var handler = handlers.get(exchange.function());
    if (handler == null) {
      // As TENT answers: an id detects nothing. But a write that is not served must not look good.
      var carries = Functions.traffic(exchange.function()) == Traffic.BULK;
      var answer =
          carries
              ? Refusals.unserved(Functions.name(exchange.function()), exchange.request())
              : NOTHING;
      from.answer(exchange, answer, now());
      return;
    }
    var answer = new Answer(service, from, exchange);
    try {
      handler.handle(exchange.request(), from.peer(), answer);
    } catch (RuntimeException | Error defect) {
      thrown.tell(now(), Functions.name(exchange.function()) + " could not be served: " + defect);
      LOG.debug("{} could not be served", Functions.name(exchange.function()), defect);
      answer.fail(FailureCode.INTERNAL, "it could not be served; the log of this node has more");
    } finally {
      answer.left();
    }
  }

  HeapBudget budget() {
    return budget;
  }

  ServerLimits limits() {
    return limits;
  }

  MemorySegment input() {
    return service.input();
  }

  MemorySegment output() {
    return service.output();
  }

  long now() {
    return service.now();
  }

  Timer at(long time, Runnable task) {
    return service.at(time, task);
  }

  void complain(long now, Wire wire, String text) {
    broken.tell(
        now, "the control connection from " + Places.text(wire.remote()) + " is closed: " + text);
  }

  void refused(long now, Wire wire, String text) {
    refused.tell(now, "to the peer at " + Places.text(wire.remote()) + ": " + text);
  }

  void forget(Inbound inbound) {
    connections.remove(inbound);
    count = connections.size();
  }

  int connections() {
    return count;
  }

  void close() {
    listeners.forEach(WireServer::close);
    connections.all().forEach(Inbound::close);
  }
}
