package dev.shunt.transport.rdma;

import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.transport.rdma.verbs.QpCapacity;
import dev.shunt.transport.rdma.verbs.Verbs;
import dev.shunt.transport.rdma.verbs.VerbsException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All connections that we asked for. The supervisor's. */
final class Endpoints {
  private static final Logger LOG = LoggerFactory.getLogger(Endpoints.class);

  private final TransportContext context;
  private final RdmaSettings settings;
  private final Hooks hooks;
  private final LinkedHashSet<Endpoint> endpoints = new LinkedHashSet<>();

  /** What becomes of an endpoint, to those who wait for it. */
  interface Hooks {
    /** The request is answered with a failure, on its lane. */
    void connectFailed(ConnectRequest request, Fault fault);

    /** The peer may let go of its side. */
    void ended(Endpoint endpoint);

    /** More does not drain on a rail than it may hold. */
    void overQuarantine(RdmaRail rail);
  }

  Endpoints(TransportContext context, RdmaSettings settings, Hooks hooks) {
    this.context = context;
    this.settings = settings;
    this.hooks = hooks;
  }

  TransportContext context() {
    return context;
  }

  RdmaSettings settings() {
    return settings;
  }

  void warn(String text) {
    LOG.warn(text);
  }

  /** How many work requests each of our QPs on a rail holds. */
  int depth(RdmaRail rail) {
    // One more is kept free on each, for a keep-alive.
    int most = rail.device().info().maxWorkRequests() - 1;
    return Math.min(settings.endpoint().maxQpWr(), most);
  }

  /** Whether a rail has no room for another one. */
  boolean full(RdmaRail rail) {
    int count = 0;
    for (var endpoint : endpoints) {
      if (endpoint.link().local() == rail) {
        count++;
      }
    }
    return count >= settings.endpoint().storeCap();
  }

  /**
   * Makes one, in CONNECTING.
   *
   * @throws VerbsException if its QPs cannot be made
   */
  Endpoint make(ConnectRequest request, RdmaLink link, LaneQueue queue) {
    var rail = link.local();
    var qps =
        QpSet.make(
            rail,
            queue.cq(),
            settings.endpoint().numQps(),
            new QpCapacity(depth(rail) + 1, 1),
            settings.endpoint().attributes(rail, Verbs.ACCESS_LOCAL_WRITE));
    var endpoint = new Endpoint(this, request, link, qps);
    endpoint.life().connecting();
    endpoints.add(endpoint);
    return endpoint;
  }

  /** Ends a handshake with a failure. */
  void abandon(Endpoint endpoint, Fault fault) {
    if (!endpoint.life().failed()) {
      return;
    }
    endpoint.timer(() -> {});
    hooks.connectFailed(endpoint.request(), fault);
    if (!endpoint.busy()) {
      ended(endpoint);
    }
  }

  /** Its QPs go: nothing is posted on them, and nobody has them in hand. */
  void ended(Endpoint endpoint) {
    int error = endpoint.qps().close();
    if (error == 0) {
      endpoints.remove(endpoint);
    } else {
      quarantined(endpoint.link().local(), endpoint.link() + ": " + VerbsException.text(error));
    }
    hooks.ended(endpoint);
  }

  /** Counts something that is kept because its device does not let go of it. */
  void quarantined(RdmaRail rail, String what) {
    LOG.warn(
        "rail {} does not let go of a connection, which is kept aside, as number {}: {}",
        rail,
        rail.life().quarantined() + 1,
        what);
    if (rail.life().quarantine()) {
      hooks.overQuarantine(rail);
    }
  }

  /** Retires all that use a rail. */
  void retireAll(RdmaRail rail, Fault fault) {
    for (var endpoint : List.copyOf(endpoints)) {
      if (endpoint.link().local() == rail) {
        endpoint.retire(fault);
      }
    }
  }

  /** At the transport's end: what the lanes left. Answers with what could not be destroyed. */
  List<String> close() {
    var left = new ArrayList<String>();
    for (var endpoint : List.copyOf(endpoints)) {
      endpoint.timer(() -> {});
      if (endpoint.busy() || endpoint.qps().close() != 0) {
        left.add(endpoint.link().toString());
      }
      hooks.ended(endpoint);
    }
    endpoints.clear();
    return left;
  }
}
