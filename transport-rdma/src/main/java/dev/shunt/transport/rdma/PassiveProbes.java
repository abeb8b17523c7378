package dev.shunt.transport.rdma;

import dev.shunt.api.spi.TransportContext;
import dev.shunt.transport.rdma.verbs.VerbsCq;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tries connections that nodes asked for, with a write of no bytes each: a node that was killed
 * tells nobody, and what it had would be kept for good. One that is there tries its connections by
 * itself, more often, so these here are tried seldom, a few at a time. Plain peers are not tried:
 * nothing says what they bear. The supervisor's.
 */
final class PassiveProbes {
  /** Under way at a time, of one device; its queue holds as many. */
  static final int AT_ONCE = 64;

  /** One is tried each time that so many intervals of the asking side's have passed. */
  private static final int SELDOM = 12;

  private static final long LOOK_AGAIN = 100_000_000L;

  private final TransportContext context;
  private final PassiveEndpoints all;
  private final long interval;
  private final Map<Long, PassiveEndpoint> underWay = new HashMap<>();
  private long last;
  private boolean closed;

  /**
   * Tries nothing yet.
   *
   * @param interval after which an idle connection is tried by who asked for it, in nanoseconds
   */
  PassiveProbes(TransportContext context, PassiveEndpoints all, long interval) {
    this.context = context;
    this.all = all;
    this.interval = interval;
  }

  /** Begins. */
  void start() {
    context.supervisor().at(context.now() + interval, this::begin);
  }

  /** No more are tried. */
  void close() {
    closed = true;
  }

  /** One goes, and its QPs are gone: whatever is told of it is taken out, and means nothing. */
  void forget(PassiveEndpoint endpoint) {
    if (underWay.values().remove(endpoint)) {
      take(endpoint.qps().device()).forEach(this::gone);
    }
  }

  private void begin() {
    if (closed) {
      return;
    }
    long now = context.now();
    for (var endpoint : all.list()) {
      if (due(endpoint, now) && room(endpoint.qps().device())) {
        post(endpoint, now);
      }
    }
    if (!underWay.isEmpty()) {
      context.supervisor().at(now + Math.min(interval, LOOK_AGAIN), this::look);
    }
    context.supervisor().at(now + interval, this::begin);
  }

  private boolean due(PassiveEndpoint endpoint, long now) {
    if (endpoint.asked().extension().isEmpty()
        || !endpoint.life().usable()
        || endpoint.busy()
        || underWay.containsValue(endpoint)) {
      return false;
    }
    if (endpoint.tryAt() == PassiveEndpoint.NEVER_TRIED) {
      endpoint.tryAt(now + SELDOM * interval);
    }
    return now - endpoint.tryAt() >= 0;
  }

  private boolean room(RdmaDevice device) {
    return underWay.values().stream().filter(e -> e.qps().device() == device).count() < AT_ONCE;
  }

  private void post(PassiveEndpoint endpoint, long now) {
    endpoint.tryAt(now + SELDOM * interval);
    last++;
    // What a device refuses it tells by an event, too, if it means anything.
    if (endpoint.qps().get(0).probe(last) == 0) {
      underWay.put(last, endpoint);
    }
  }

  private void look() {
    underWay.values().stream()
        .map(endpoint -> endpoint.qps().device())
        .distinct()
        .toList()
        .forEach(device -> take(device).forEach(this::gone));
    if (!underWay.isEmpty() && !closed) {
      context.supervisor().at(context.now() + Math.min(interval, LOOK_AGAIN), this::look);
    }
  }

  private void gone(PassiveEndpoint endpoint) {
    all.destroy(endpoint, "its peer is not there any more");
  }

  /** Takes out what a device tells; answers with those whose peers did not answer. */
  private List<PassiveEndpoint> take(RdmaDevice device) {
    var dead = new ArrayList<PassiveEndpoint>();
    VerbsCq queue = device.passiveCq();
    for (int taken = queue.poll(); taken > 0; taken = queue.poll()) {
      for (int i = 0; i < taken; i++) {
        var endpoint = underWay.remove(queue.wrId(i));
        if (endpoint != null && queue.status(i) != 0) {
          dead.add(endpoint);
        }
      }
    }
    return dead;
  }
}
