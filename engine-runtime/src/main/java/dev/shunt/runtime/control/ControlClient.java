package dev.shunt.runtime.control;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.TransportException;
import dev.shunt.runtime.control.core.RpcError;
import dev.shunt.runtime.control.core.RpcReply;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/** The calling half of the control plane. On the control thread. */
final class ControlClient {
  private static final int MAX_ROUTES = 4096;
  private static final int RELEASED_AT_A_TIME = 64;

  private final ControlService service;
  private final ControlOptions options;
  private final Routes routes;
  private final Map<Route, Pool> pools = new LinkedHashMap<>();
  private final OpenCalls calls;
  private final LinkedHashSet<Outbound> idle = new LinkedHashSet<>();
  private final PeerGate gate;
  private volatile int open;
  private boolean closed;

  ControlClient(ControlService service, ControlOptions options, Routes routes) {
    this.service = service;
    this.options = options;
    this.routes = routes;
    this.gate = new PeerGate(service);
    this.calls = new OpenCalls(service);
  }

  /** Which peers may be called. */
  PeerGate gate() {
    return gate;
  }

  void begin(Call call) {
    var now = now();
    calls.add(call);
    if (closed) {
      fail(call, Blame.LOCAL, FailureCode.CLOSED, false, "the control plane is closed");
    } else if (call.deadline - now <= 0) {
      fail(call, Blame.NEUTRAL, FailureCode.DEADLINE, false, "its deadline had passed");
    } else {
      call.alarm = service.at(call.deadline, () -> expired(call));
      call.routes = routes.order(call, pools, now);
      advance(call, now);
    }
  }

  /** Takes the next route; each is tried once. */
  private void advance(Call call, long now) {
    while (!call.ended()) {
      var route = call.nextRoute();
      if (route == null) {
        var ours = call.localOnly();
        fail(
            call,
            ours ? Blame.LOCAL : Blame.NEUTRAL,
            ours ? FailureCode.DEVICE : FailureCode.UNREACHABLE,
            false,
            call.history());
        return;
      }
      if (!call.mayGoTo(route.address(), gate::refusal)) {
        continue;
      }
      var pool = pools.get(route);
      if (pool != null ? enter(call, pool, now) : resolve(call, route, now)) {
        return;
      }
    }
  }

  /** Finds the address of a route; false if it has none. */
  private boolean resolve(Call call, Route route, long now) {
    var place = Places.parse(route.address());
    if (place.isEmpty()) {
      call.note("\"" + route.address() + "\" is not host:port", false);
      return false;
    }
    if (!place.get().isUnresolved()) {
      return enter(call, route, place.get(), now);
    }
    return service.resolve(
        place.get(),
        (found, problem) -> {
          if (call.ended()) {
            return;
          }
          var later = now();
          if (found == null) {
            call.note(problem, false);
          }
          if (found == null || !enter(call, route, found, later)) {
            advance(call, later);
          }
        },
        problem -> call.note(problem, true));
  }

  private boolean enter(Call call, Route route, InetSocketAddress remote, long now) {
    var pool = pools.get(route);
    if (pool == null) {
      if (pools.size() >= MAX_ROUTES) {
        pools.values().removeIf(Pool::empty);
      }
      if (pools.size() >= MAX_ROUTES) {
        call.note("there are connections by " + MAX_ROUTES + " routes already", true);
        return false;
      }
      pool = new Pool(route, remote);
      pools.put(route, pool);
    }
    return enter(call, pool, now);
  }

  /** Gives the call a connection, now or later; false if this route will not do. */
  private boolean enter(Call call, Pool pool, long now) {
    var resting = pool.idle.pollLast();
    if (resting != null) {
      idle.remove(resting);
      use(resting, call, now);
      return true;
    }
    if (pool.open >= options.connectionsPerPeer()) {
      call.waitingIn = pool;
      pool.waiting.add(call);
      return true;
    }
    return dial(call, pool, now);
  }

  private boolean dial(Call call, Pool pool, long now) {
    if (open >= options.maxConnections() && !idle.isEmpty()) {
      idle.getFirst().drop();
    }
    if (open >= options.maxConnections()) {
      call.note("all " + open + " connections are in use", true);
      return false;
    }
    var outbound = new Outbound(this, pool, call);
    var share = (call.deadline - now) / call.routesLeft();
    try {
      var timeout = options.connectTimeout().toNanos();
      outbound.connect(now + Math.min(share, timeout), share >= timeout);
    } catch (TransportException refused) {
      call.note(refused.getMessage(), true);
      return false;
    }
    open++;
    pool.open++;
    call.outbound = outbound;
    return true;
  }

  void connected(Outbound outbound, Call call, long now) {
    outbound.pool.worked();
    use(outbound, call, now);
  }

  private void use(Outbound outbound, Call call, long now) {
    call.outbound = outbound;
    outbound.ask(call, now);
  }

  void replied(Outbound outbound, Call call, RpcReply reply, long now) {
    outbound.pool.worked();
    gate.answered(outbound.pool, now);
    if (outbound.usable() && reply.error() == 0) {
      rest(outbound, now);
    } else {
      outbound.drop();
    }
    calls.end(call);
    if (reply.error() == 0) {
      call.reply(reply.attachment());
    } else {
      call.fail(
          Blame.REMOTE,
          RpcError.code(reply.error(), reply.text()),
          true,
          "the peer answered error " + reply.error() + ": " + reply.text(),
          reply.error());
    }
  }

  private void rest(Outbound outbound, long now) {
    var pool = outbound.pool;
    outbound.rest(now + options.idleTimeout().toNanos());
    var next = pool.waiting.poll();
    if (next != null) {
      next.waitingIn = null;
      use(outbound, next, now);
    } else {
      pool.idle.add(outbound);
      idle.add(outbound);
    }
  }

  /** Nobody waits any longer for an address that is not called any more. */
  void release(String address) {
    for (var pool : List.copyOf(pools.values())) {
      if (pool.route.address().equals(address)) {
        pool.dropIdle();
        release(pool);
      }
    }
  }

  /** A few at a time: a crowd must not keep others from their answers. */
  private void release(Pool pool) {
    var now = now();
    var address = pool.route.address();
    var text = gate.mark(address);
    if (closed || text.isEmpty()) {
      return;
    }
    for (int i = 0; i < RELEASED_AT_A_TIME && !pool.waiting.isEmpty(); i++) {
      var call = pool.waiting.poll();
      call.waitingIn = null;
      call.barred(address, text.get());
      advance(call, now);
    }
    if (!pool.waiting.isEmpty()) {
      service.at(now, () -> release(pool));
    }
  }

  /** The stream ended, or never came up. */
  void lost(Outbound outbound, Call call, Loss loss, long now) {
    var pool = outbound.pool;
    var connected = outbound.connected();
    var begun = outbound.begun();
    var stale = connected && outbound.used() && !begun;
    if (call != null && !stale) {
      pool.failed(now);
    }
    if (!connected) {
      moveOn(pool, loss, now);
    }
    outbound.drop();
    if (!connected) {
      gate.silent(outbound, call, loss, now);
    } else if (call != null && !stale) {
      // That it was cut says little: the peer may be another process by now, or none.
      gate.cut(pool, call);
    }
    if (call == null) {
      return;
    }
    call.outbound = null;
    if (connected && begun) {
      pool.dropIdle();
      fail(call, Blame.REMOTE, FailureCode.CONNECTION, true, call.at(pool.remote, loss.why()));
      return;
    }
    // Not a byte went out, so the peer has seen nothing of it: another way may be tried.
    if (!stale) {
      call.note(call.at(pool.remote, loss.why()), loss.ours());
    }
    if (!stale || !enter(call, pool, now)) {
      advance(call, now);
    }
  }

  /** Who waits for a way that fails goes another, if there is one: not each pays for itself. */
  private void moveOn(Pool pool, Loss loss, long now) {
    for (var call : List.copyOf(pool.waiting)) {
      if (loss.certain() || call.routesLeft() > 1) {
        pool.waiting.remove(call);
        call.waitingIn = null;
        call.note(call.at(pool.remote, loss.why()), loss.ours());
        advance(call, now);
      }
    }
  }

  /** The peer broke the protocol. */
  void broke(Outbound outbound, Call call, String why, long now) {
    outbound.pool.failed(now);
    gate.answered(outbound.pool, now);
    outbound.drop();
    if (call != null) {
      fail(call, Blame.REMOTE, FailureCode.PROTOCOL, true, why);
    }
  }

  private void expired(Call call) {
    if (call.ended()) {
      return;
    }
    var now = now();
    var outbound = call.outbound;
    if (outbound == null) {
      fail(
          call,
          Blame.NEUTRAL,
          FailureCode.DEADLINE,
          false,
          call.waitingIn != null
              ? "all " + options.connectionsPerPeer() + " connections to it were in use"
              : "its address was not found in time");
      return;
    }
    var pool = outbound.pool;
    var begun = outbound.begun();
    var what = outbound.connected() ? "it did not answer in time" : "it did not connect in time";
    var loss = new Loss(what, false, true, false);
    call.note(call.at(pool.remote, what), false);
    if (service.stoodStillNow()) {
      var text = call.history() + ", while this process itself stood still: nobody is blamed";
      fail(call, Blame.NEUTRAL, FailureCode.DEADLINE, begun, text);
      outbound.drop();
      return;
    }
    pool.failed(now);
    if (!outbound.connected()) {
      moveOn(pool, loss, now);
    }
    fail(call, Blame.NEUTRAL, FailureCode.UNREACHABLE, begun, call.history());
    outbound.drop();
    pool.dropIdle();
    gate.silent(outbound, call, loss, now);
  }

  /** A connection is gone: its place is free for who waits. */
  void dropped(Outbound outbound) {
    var pool = outbound.pool;
    open--;
    pool.open--;
    idle.remove(outbound);
    pool.idle.remove(outbound);
    var next = pool.waiting.poll();
    if (next != null) {
      next.waitingIn = null;
      // As a task: a crowd that waits must not become a recursion as deep.
      service.at(now(), () -> resume(next, pool));
    }
  }

  private void resume(Call call, Pool pool) {
    if (!call.ended()) {
      var now = now();
      gate.mark(pool.route.address()).ifPresent(text -> call.barred(pool.route.address(), text));
      if (!call.mayGoTo(pool.route.address(), gate::refusal) || !enter(call, pool, now)) {
        advance(call, now);
      }
    }
  }

  private void fail(Call call, Blame blame, FailureCode code, boolean begun, String text) {
    calls.end(call);
    call.fail(blame, code, begun, text, 0);
  }

  /** Ends all calls. */
  void close() {
    closed = true;
    for (var call : calls.all()) {
      var outbound = call.outbound;
      var begun = outbound != null && outbound.begun();
      fail(call, Blame.LOCAL, FailureCode.CLOSED, begun, "the control plane was closed");
      if (outbound != null) {
        outbound.drop();
      }
    }
    for (var resting : new ArrayList<>(idle)) {
      resting.drop();
    }
    gate.close();
  }

  int open() {
    return open;
  }

  ControlService service() {
    return service;
  }

  long now() {
    return service.now();
  }
}
