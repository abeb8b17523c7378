package dev.shunt.transport.rdma;

import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.transport.rdma.core.EndpointLife;
import dev.shunt.transport.rdma.core.GidTrials;
import dev.shunt.transport.rdma.verbs.GidEntry;
import dev.shunt.transport.rdma.verbs.QpCapacity;
import dev.shunt.transport.rdma.verbs.Verbs;
import dev.shunt.transport.rdma.verbs.VerbsException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All connections that we asked for. The supervisor's. */
final class Endpoints {
  private static final Logger LOG = LoggerFactory.getLogger(Endpoints.class);

  private final TransportContext context;
  private final RdmaSettings settings;
  private final Hooks hooks;
  private final Room room;
  private final LinkedHashSet<Endpoint> endpoints = new LinkedHashSet<>();

  /** What becomes of an endpoint, to those who wait for it. */
  interface Hooks {
    /** The request is answered with a failure, on its lane. */
    void connectFailed(ConnectRequest request, Fault fault);

    /** The peer may let go of its side. */
    void ended(Endpoint endpoint);

    /** All else that uses a rail retires with its endpoints. */
    void retireAll(RdmaRail rail, Fault fault);

    /** What else uses a rail ends with the rail's context. */
    void loseAll(RdmaRail rail, Fault fault);

    /** More does not drain on a rail than it may hold. */
    void overQuarantine(RdmaRail rail);

    /** Another address of a rail than the one that was chosen at first is the one that works. */
    void addressFound(RdmaRail rail, GidEntry entry);
  }

  Endpoints(TransportContext context, RdmaSettings settings, Hooks hooks) {
    this.context = context;
    this.settings = settings;
    this.hooks = hooks;
    room = new Room(settings.endpoint().storeCap(), this::draining);
  }

  Hooks hooks() {
    return hooks;
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

  /** The bound on what each rail has. */
  Room room() {
    return room;
  }

  /**
   * Makes one, in CONNECTING. Its place in the rail's room is taken already.
   *
   * @param queue of the lane that will post on it
   * @param count how many QPs
   * @param from the address that they send from
   * @throws VerbsException if its QPs cannot be made
   */
  Endpoint make(
      ConnectRequest request, RdmaLink link, LaneQueue queue, int count, GidEntry from, int mtu) {
    var rail = link.local();
    // A node tries now and then whether we are there, with a write of nothing; a plain peer uses
    // the
    // connection as well, whoever asked for it.
    int access =
        Verbs.ACCESS_LOCAL_WRITE
            | (link.plain() || link.remote().verdict().version(Connector.TRIES) > 0
                ? Verbs.ACCESS_REMOTE_WRITE
                : 0)
            | (link.plain() ? Verbs.ACCESS_REMOTE_READ : 0);
    var qps =
        QpSet.make(
            rail,
            from,
            queue.cq(),
            count,
            new QpCapacity(depth(rail) + 1, 1),
            settings.endpoint().attributes(rail, from, access));
    var endpoint = new Endpoint(this, request, link, qps, mtu);
    endpoint.life().connecting();
    endpoints.add(endpoint);
    return endpoint;
  }

  /** Whether any on a rail ends, and makes room by that. */
  boolean draining(RdmaRail rail) {
    return endpoints.stream()
        .anyMatch(
            endpoint ->
                endpoint.link().local() == rail
                    && endpoint.life().state() == EndpointLife.State.DRAINING);
  }

  /**
   * Ends a try of a handshake, which goes on with fresh QPs in the same place: these may be known
   * to the peer already, or half connected.
   */
  void discard(Endpoint endpoint) {
    endpoint.life().failed();
    endpoint.timer(() -> {});
    destroy(endpoint);
  }

  /** Ends a handshake with a failure. */
  void abandon(Endpoint endpoint, Fault fault) {
    if (!endpoint.life().failed()) {
      return;
    }
    endpoint.timer(() -> {});
    endpoint.watcher().failed(fault);
    hooks.connectFailed(endpoint.request(), fault);
    if (!endpoint.busy()) {
      ended(endpoint);
    }
  }

  /** Its QPs go: nothing is posted on them, and nobody has them in hand. */
  void ended(Endpoint endpoint) {
    boolean gone = destroy(endpoint);
    endpoint.watcher().over();
    hooks.ended(endpoint);
    if (gone) {
      room.left(endpoint.link().local());
    }
  }

  private boolean destroy(Endpoint endpoint) {
    endpoint.quiet();
    int error = endpoint.qps().close();
    if (error == 0) {
      endpoints.remove(endpoint);
    } else {
      quarantined(endpoint.link().local(), endpoint.link() + ": " + VerbsException.text(error));
    }
    return error == 0;
  }

  /** Which address of a rail to try after the last one was refused; none if none was left open. */
  Optional<GidEntry> otherAddress(RdmaRail rail, GidTrials trials) {
    if (settings.gidIndex() >= 0) {
      return Optional.empty();
    }
    List<GidEntry> table = List.of();
    try {
      table = rail.device().gids(rail.port(), rail.info());
    } catch (VerbsException e) {
      LOG.warn("rail {}: its addresses cannot be read: {}", rail, e.getMessage());
    }
    return trials.next(rail.gid(), table);
  }

  /**
   * QPs were connected from an address of a rail: where its own was refused, it has this one now.
   */
  void addressWorks(RdmaRail rail, GidEntry entry, GidTrials trials) {
    if (!entry.equals(rail.gid()) && trials.tried(rail.gid())) {
      LOG.info("rail {} uses GID {} from now on: {}", rail, entry.index(), entry.gid());
      rail.refuse(rail.gid());
      hooks.addressFound(rail, entry);
    }
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
    hooks.retireAll(rail, fault);
  }

  /** Ends all that use a rail, with the rail's context. */
  void loseAll(RdmaRail rail, Fault fault) {
    hooks.loseAll(rail, fault);
    for (var endpoint : List.copyOf(endpoints)) {
      if (endpoint.link().local() == rail) {
        endpoint.lose(fault);
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
