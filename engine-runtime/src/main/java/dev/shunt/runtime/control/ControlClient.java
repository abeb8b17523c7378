package dev.shunt.runtime.control;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Supervisor.Timer;
import dev.shunt.api.spi.TransportException;
import dev.shunt.api.spi.WireLoop;
import dev.shunt.runtime.control.core.RpcError;
import dev.shunt.runtime.control.core.RpcReply;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The calling half of the control plane. On the control thread. */
final class ControlClient {
  private static final int MAX_ROUTES = 4096;
  private static final int RELEASED_AT_A_TIME = 64;

  /** So often this thread has a turn at least while a call is under way. */
  private static final long TICK = 250_000_000L;

  private final ControlService service;
  private final ControlOptions options;
  private final Routes routes;
  private final Map<Route, Pool> pools = new LinkedHashMap<>();
  private final LinkedHashSet<Call> calls = new LinkedHashSet<>();
  private final LinkedHashSet<Outbound> idle = new LinkedHashSet<>();
  private Optional<PeerWatch> watch = Optional.empty();
  private Optional<Prober> prober = Optional.empty();
  private Timer tick;
  private volatile int open;
  private boolean closed;

  ControlClient(ControlService service, ControlOptions options, Routes routes) {
    this.service = service;
    this.options = options;
    this.routes = routes;
  }

  /** Calls those only that the watch lets through. */
  void watch(PeerWatch peers, Prober asks) {
    watch = Optional.of(peers);
    prober = Optional.of(asks);
  }

  void begin(Call call) {
    var now = now();
    calls.add(call);
    tick();
    if (closed) {
      fail(call, Blame.LOCAL, FailureCode.CLOSED, false, "the control plane is closed");
    } else if (call.deadline - now <= 0) {
      fail(call, Blame.NEUTRAL, FailureCode.DEADLINE, false, "its deadline had passed");
    } else {
      call.alarm = at(call.deadline, () -> expired(call));
      call.routes = routes.order(call, pools, now);
      advance(call, now);
    }
  }

  /** Has a turn at times, while somebody waits: so it is seen when this process stood still. */
  private void tick() {
    if (tick == null && !calls.isEmpty()) {
      tick =
          at(
              now() + TICK,
              () -> {
                tick = null;
                tick();
              });
    }
  }

  private Optional<String> refusal(String address) {
    return watch.flatMap(peers -> peers.refusal(address, now()));
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
      if (!call.mayGoTo(route.address(), this::refusal)) {
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
    answered(outbound.pool, now);
    if (outbound.usable() && reply.error() == 0) {
      rest(outbound, now);
    } else {
      outbound.drop();
    }
    if (reply.error() == 0) {
      end(call);
      call.reply(reply.attachment());
    } else {
      var code = RpcError.code(reply.error(), reply.text());
      end(call);
      call.fail(
          Blame.REMOTE,
          code,
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

  private void answered(Pool pool, long now) {
    watch.ifPresent(peers -> peers.answered(pool.route.address(), now));
  }

  /**
   * A peer did not let itself be heard. What time alone says counts only where it was given some,
   * and where this process did not stand still itself.
   */
  private void silent(Outbound outbound, Loss loss, long now) {
    var heedless = loss.late() && now - outbound.since() < PeerWatch.PATIENCE;
    if (!loss.ours() && !heedless && !service.stoodStillNow()) {
      var address = outbound.pool.route.address();
      watch.ifPresent(peers -> peers.silent(address, loss.why(), outbound.since(), now));
    }
  }

  /** Nobody waits any longer for an address that is not called any more. */
  void release(String address) {
    // At once too: of a process that stands still the question waits for its thaw.
    prober.ifPresent(asks -> asks.ask(address));
    for (var pool : List.copyOf(pools.values())) {
      if (pool.route.address().equals(address)) {
        dropIdle(pool);
        if (!pool.waiting.isEmpty()) {
          release(pool);
        }
      }
    }
  }

  /** A few at a time: a crowd must not keep others from their answers. */
  private void release(Pool pool) {
    var now = now();
    var address = pool.route.address();
    var text = watch.flatMap(peers -> peers.mark(address)).map(mark -> PeerWatch.text(mark, now));
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
      at(now, () -> release(pool));
    }
  }

  /** The stream ended, or never came up. */
  void lost(Outbound outbound, Call call, Loss loss, long now) {
    var why = loss.why();
    var certain = loss.certain();
    var pool = outbound.pool;
    var connected = outbound.connected();
    var begun = outbound.begun();
    var stale = connected && outbound.used() && !begun;
    if (call != null && !stale) {
      pool.failed(now);
    }
    if (!connected) {
      moveOn(pool, why, certain, now);
    }
    outbound.drop();
    if (!connected) {
      silent(outbound, loss, now);
    } else if (call != null && !stale) {
      // That it was cut says little: the peer may be another process by now, or none.
      prober.ifPresent(asks -> asks.ask(pool.route.address()));
    }
    if (call == null) {
      return;
    }
    call.outbound = null;
    if (connected && begun) {
      dropIdle(pool);
      fail(call, Blame.REMOTE, FailureCode.CONNECTION, true, why);
      return;
    }
    // Not a byte went out, so the peer has seen nothing of it: another way may be tried.
    if (!stale) {
      call.note(Places.text(pool.remote) + ": " + why, loss.ours());
    }
    if (!stale || !enter(call, pool, now)) {
      advance(call, now);
    }
  }

  /** Who waits for a way that fails goes another, if there is one: not each pays for itself. */
  private void moveOn(Pool pool, String why, boolean certain, long now) {
    for (var call : List.copyOf(pool.waiting)) {
      if (certain || call.routesLeft() > 1) {
        pool.waiting.remove(call);
        call.waitingIn = null;
        call.note(Places.text(pool.remote) + ": " + why, false);
        advance(call, now);
      }
    }
  }

  /** The peer broke the protocol. */
  void broke(Outbound outbound, Call call, String why, long now) {
    outbound.pool.failed(now);
    answered(outbound.pool, now);
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
    var place = Places.text(pool.remote);
    var why =
        outbound.connected()
            ? place + " did not answer in time"
            : place + " did not connect in time";
    if (service.stoodStillNow()) {
      fail(
          call,
          Blame.NEUTRAL,
          FailureCode.DEADLINE,
          begun,
          why + ", while this process itself stood still: nobody is blamed");
      outbound.drop();
      return;
    }
    pool.failed(now);
    if (!outbound.connected()) {
      moveOn(pool, "it did not connect in time", false, now);
    }
    call.note(why, false);
    fail(call, Blame.NEUTRAL, FailureCode.UNREACHABLE, begun, call.history());
    outbound.drop();
    dropIdle(pool);
    silent(outbound, new Loss(why, false, true, false), now);
  }

  /** What waits beside a stream that died is likely dead too, and would cost its user a timeout. */
  private static void dropIdle(Pool pool) {
    List.copyOf(pool.idle).forEach(Outbound::drop);
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
      if (!enter(call, pool, now)) {
        advance(call, now);
      }
    }
  }

  private void fail(Call call, Blame blame, FailureCode code, boolean begun, String text) {
    end(call);
    call.fail(blame, code, begun, text, 0);
  }

  private void end(Call call) {
    calls.remove(call);
    service.ended();
    if (call.alarm != null) {
      call.alarm.cancel();
    }
    if (call.waitingIn != null) {
      call.waitingIn.waiting.remove(call);
      call.waitingIn = null;
    }
    call.outbound = null;
  }

  /** Ends all calls. */
  void close() {
    closed = true;
    for (var call : new ArrayList<>(calls)) {
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
    prober.ifPresent(Prober::close);
  }

  int open() {
    return open;
  }

  int probesUnderWay() {
    return prober.map(Prober::underWay).orElse(0);
  }

  int maxFrame() {
    return options.maxFrame();
  }

  WireLoop wires() {
    return service.wires();
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
}
