package dev.shunt.transport.rdma;

import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.transport.rdma.verbs.QpCapacity;
import dev.shunt.transport.rdma.verbs.VerbsCq;
import dev.shunt.transport.rdma.verbs.VerbsException;
import dev.shunt.transport.rdma.wire.BootstrapException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All notify QPs of this node, whoever asked for them. The supervisor's. */
final class Notifications {
  private static final Logger LOG = LoggerFactory.getLogger(Notifications.class);

  private final TransportContext context;
  private final RdmaSettings settings;
  private final Endpoints endpoints;
  private final QpAttempts attempts;
  private final List<RdmaLane> lanes;
  private final LinkedHashSet<NotifyEndpoint> all = new LinkedHashSet<>();
  private final Map<NicPair, NotifyEndpoint> plain = new HashMap<>();
  private int protocol = -1;
  private int nextLane;

  Notifications(
      TransportContext context,
      RdmaSettings settings,
      Endpoints endpoints,
      QpAttempts attempts,
      List<RdmaLane> lanes) {
    this.context = context;
    this.settings = settings;
    this.endpoints = endpoints;
    this.attempts = attempts;
    this.lanes = lanes;
  }

  TransportContext context() {
    return context;
  }

  RdmaSettings settings() {
    return settings;
  }

  QpAttempts attempts() {
    return attempts;
  }

  void warn(String text) {
    LOG.warn(text);
  }

  /** Somebody wants them: frames of this protocol at most are taken. */
  void enable(int highest) {
    protocol = highest;
  }

  boolean enabled() {
    return protocol >= 0;
  }

  /** The highest protocol of frames that are taken. */
  int protocol() {
    return Math.max(0, protocol);
  }

  /** The lane for a link that a peer asked for: each in turn. */
  int nextLane() {
    nextLane = (nextLane + 1) % lanes.size();
    return nextLane;
  }

  NotifyLane lane(int lane) {
    return lanes.get(lane).notifications();
  }

  /** Sends a task to an endpoint's lane; without one nothing is left to be done there. */
  boolean onLane(NotifyEndpoint endpoint, Runnable task) {
    return context.lane(endpoint.lane()).execute(task);
  }

  /** A connection with a plain peer has this one. */
  void plain(NicPair pair, NotifyEndpoint endpoint) {
    plain.put(pair, endpoint);
  }

  /** It has it no more. */
  void plainEnds(NicPair pair, NotifyEndpoint endpoint) {
    plain.remove(pair, endpoint);
  }

  /** That of the connection with a plain peer; null where there is none. */
  NotifyEndpoint plain(NicPair pair) {
    return plain.get(pair);
  }

  /**
   * Makes one, in CONNECTING, with few slots, and with its first receives posted.
   *
   * @param sends whether it sends from the start; where it does not, slots come with the first
   *     frame
   * @param receives whether it receives
   * @throws VerbsException if something of it cannot be had; nothing is left then
   * @throws BootstrapException if the port tells an MTU that there is not
   */
  NotifyEndpoint make(
      String name,
      RdmaRail rail,
      int lane,
      boolean sends,
      boolean receives,
      NotifyEndpoint.Owner owner)
      throws BootstrapException {
    int mtu = Answers.mtu(rail, settings);
    var mine = settings.notifications();
    int most = rail.device().info().maxWorkRequests();
    var capacity =
        new QpCapacity(Math.min(mine.sendSlots(), most), Math.min(mine.receiveSlots(), most));
    var cq = rail.device().verbs().createCq(capacity.send() + capacity.receive());
    var qps = qps(rail, cq, capacity);
    var endpoint = new NotifyEndpoint(this, name, rail, lane, cq, qps, capacity, mtu, owner);
    try {
      int first = Math.min(mine.firstSlots(), most);
      if (sends) {
        endpoint.end().moreSends(endpoint.slab(first));
      }
      if (receives) {
        endpoint.end().moreReceives(endpoint.slab(first));
      }
    } catch (VerbsException e) {
      endpoint.close();
      throw e;
    }
    endpoint.life().connecting();
    all.add(endpoint);
    return endpoint;
  }

  private QpSet qps(RdmaRail rail, VerbsCq cq, QpCapacity capacity) {
    try {
      var attributes = settings.endpoint().notifyAttributes(rail, rail.gid());
      return QpSet.make(rail, rail.gid(), cq, 1, capacity, attributes);
    } catch (VerbsException e) {
      cq.close();
      throw e;
    }
  }

  /** Nothing is posted on it any more, and nobody has it in hand. */
  void ended(NotifyEndpoint endpoint) {
    int error = endpoint.close();
    if (error == 0) {
      all.remove(endpoint);
    } else {
      quarantined(endpoint, VerbsException.text(error));
    }
    endpoint.owner().gone(error == 0);
  }

  void quarantined(NotifyEndpoint endpoint, String why) {
    endpoints.quarantined(endpoint.rail(), endpoint + ": " + why);
  }

  /** Retires all that use a rail. */
  void retireAll(RdmaRail rail, Fault fault) {
    for (var endpoint : List.copyOf(all)) {
      if (endpoint.rail() == rail) {
        endpoint.retire(fault);
      }
    }
  }

  /** Ends all that use a rail, with the rail's context. */
  void loseAll(RdmaRail rail, Fault fault) {
    for (var endpoint : List.copyOf(all)) {
      if (endpoint.rail() == rail) {
        endpoint.lose(fault);
      }
    }
  }

  /** At the transport's end: what the lanes left. Answers with what could not be destroyed. */
  List<String> close() {
    var left = new ArrayList<String>();
    for (var endpoint : List.copyOf(all)) {
      endpoint.timer(() -> {});
      boolean destroyed = !endpoint.busy() && endpoint.close() == 0;
      if (!destroyed) {
        left.add(endpoint.toString());
      }
      endpoint.owner().gone(destroyed);
    }
    all.clear();
    return left;
  }
}
