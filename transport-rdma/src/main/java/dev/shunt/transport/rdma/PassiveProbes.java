package dev.shunt.transport.rdma;

import dev.shunt.api.spi.TransportContext;
import dev.shunt.transport.rdma.verbs.VerbsCq;
import dev.shunt.transport.rdma.wire.BootstrapExtension;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Tries connections that nodes asked for, with a write of no bytes each: a node that was killed
 * tells nobody, and what it had would be kept for good. One that is there tries its connections by
 * itself, more often, so these here are tried seldom, in turn, some at a time. Only those are tried
 * whose node said that they bear it. The supervisor's.
 */
final class PassiveProbes {
  /** Under way at a time, of one device; its queue holds as many. */
  static final int AT_ONCE = 64;

  /** One is tried each time that so many intervals of the asking side's have passed. */
  private static final int SELDOM = 12;

  private static final long LOOK_AGAIN = 100_000_000L;

  private final TransportContext context;
  private final long interval;
  private final Consumer<PassiveEndpoint> dead;

  /** In the order in which they are due. */
  private final LinkedHashSet<PassiveEndpoint> turn = new LinkedHashSet<>();

  private final Map<Long, PassiveEndpoint> underWay = new HashMap<>();
  private final Map<RdmaDevice, Integer> counts = new IdentityHashMap<>();
  private long last;
  private boolean looking;
  private boolean closed;

  /**
   * Tries nothing yet.
   *
   * @param interval after which an idle connection is tried by who asked for it, in nanoseconds
   * @param dead takes each whose peer is not there any more
   */
  PassiveProbes(TransportContext context, long interval, Consumer<PassiveEndpoint> dead) {
    this.context = context;
    this.interval = interval;
    this.dead = dead;
  }

  /** Begins. */
  void start() {
    context.supervisor().at(context.now() + interval, this::tick);
  }

  /** No more are tried. */
  void close() {
    closed = true;
  }

  /** There is one more. */
  void add(PassiveEndpoint endpoint) {
    if (endpoint.asked().extension().filter(BootstrapExtension::tries).isPresent()) {
      queue(endpoint, context.now());
    }
  }

  /** One goes, and its QPs are gone: whatever is told of it is taken out, and means nothing. */
  void forget(PassiveEndpoint endpoint) {
    turn.remove(endpoint);
    if (endpoint.tried() != 0) {
      ended(endpoint.tried());
      take(endpoint.qps().device()).forEach(dead);
    }
  }

  private void queue(PassiveEndpoint endpoint, long now) {
    endpoint.tryAt(now + SELDOM * interval);
    turn.add(endpoint);
  }

  private void tick() {
    if (!closed) {
      begin();
      context.supervisor().at(context.now() + interval, this::tick);
    }
  }

  private void begin() {
    long now = context.now();
    // Nothing came back for a whole turn: soft-RoCE may try for ever.
    underWay.values().stream().filter(each -> now - each.tryAt() >= 0).toList().forEach(dead);
    for (int i = turn.size(); i > 0; i--) {
      var next = turn.getFirst();
      if (now - next.tryAt() < 0 || counts.getOrDefault(next.qps().device(), 0) == AT_ONCE) {
        break;
      }
      turn.removeFirst();
      queue(next, now);
      if (next.life().usable() && !next.busy() && next.tried() == 0) {
        post(next);
      }
    }
    if (!underWay.isEmpty() && !looking) {
      looking = true;
      context.supervisor().at(now + Math.min(interval, LOOK_AGAIN), this::look);
    }
  }

  private void post(PassiveEndpoint endpoint) {
    last++;
    // What a device refuses it tells by an event, too, if it means anything.
    if (endpoint.qps().get(0).probe(last) == 0) {
      underWay.put(last, endpoint);
      endpoint.tried(last);
      counts.merge(endpoint.qps().device(), 1, Integer::sum);
    }
  }

  private void look() {
    looking = false;
    if (closed) {
      return;
    }
    for (var device : List.copyOf(counts.keySet())) {
      take(device).forEach(dead);
    }
    begin();
  }

  /** Takes out what a device tells; answers with those whose peers did not answer. */
  private List<PassiveEndpoint> take(RdmaDevice device) {
    var silent = new ArrayList<PassiveEndpoint>();
    VerbsCq queue = device.passiveCq();
    for (int taken = queue.poll(); taken > 0; taken = queue.poll()) {
      for (int i = 0; i < taken; i++) {
        var endpoint = ended(queue.wrId(i));
        if (endpoint != null && queue.status(i) != 0) {
          silent.add(endpoint);
        }
      }
    }
    return silent;
  }

  private PassiveEndpoint ended(long id) {
    var endpoint = underWay.remove(id);
    if (endpoint != null) {
      endpoint.tried(0);
      counts.computeIfPresent(endpoint.qps().device(), (_, n) -> n == 1 ? null : n - 1);
    }
    return endpoint;
  }
}
