package dev.shunt.runtime.engine;

import dev.shunt.api.Drained;
import dev.shunt.api.Operation;
import dev.shunt.runtime.agent.Agent;
import dev.shunt.runtime.agent.Nanos;
import dev.shunt.runtime.agent.Platform;
import dev.shunt.runtime.control.core.Linger;
import dev.shunt.runtime.memory.RegisteredBuffer;
import dev.shunt.runtime.transfer.Lane;
import dev.shunt.runtime.transfer.core.Counter;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The two halves of an engine's end: draining, and closing whatever is left then. */
final class Shutdown {
  private static final Logger LOG = LoggerFactory.getLogger(Shutdown.class);

  /** A peer that sends one request after the other is between two of them for less. */
  private static final long QUIET = TimeUnit.MILLISECONDS.toNanos(300);

  private static final long GLANCE_MILLIS = 5;
  private static final long GLANCE = TimeUnit.MILLISECONDS.toNanos(1);

  private final Node node;
  private final NodeLife life;
  private final Platform platform;
  private final List<Platform.Running> running;
  private final OpenBatches open;
  private final List<Arena> arenas;

  /**
   * The end of an engine that runs.
   *
   * @param running the turns of the node's agents, in the agents' order
   * @param open batches that have not settled
   * @param arenas guarded by itself
   */
  Shutdown(
      Node node,
      NodeLife life,
      List<Platform.Running> running,
      OpenBatches open,
      List<Arena> arenas) {
    this.node = node;
    this.life = life;
    this.platform = node.platform;
    this.running = List.copyOf(running);
    this.open = open;
    this.arenas = arenas;
  }

  // ---- draining

  Drained drain(Duration timeout) throws InterruptedException {
    var until = platform.now() + Nanos.of(timeout);
    life.draining();
    node.metadata.withdraw(node.name);
    long quietSince = platform.now();
    long served = served();
    long askedAt = quietSince - QUIET;
    for (var now = platform.now(); now - until < 0; now = platform.now()) {
      long known = served;
      served = served();
      if (served != known) {
        askedAt = now;
      }
      if (busy() || served != known) {
        quietSince = now;
      } else if (now - quietSince >= QUIET) {
        break;
      }
      Thread.sleep(GLANCE_MILLIS);
    }
    return left(platform.now() - askedAt < QUIET);
  }

  private boolean busy() {
    return open.count() > 0 || uses() > 0 || node.control.outstanding() > 0;
  }

  private int uses() {
    return node.buffers.buffers().stream().mapToInt(RegisteredBuffer::holders).sum();
  }

  private long served() {
    long sum = 0;
    for (var meter : node.inbound().values()) {
      for (var operation : Operation.values()) {
        sum += meter.requests(operation);
      }
    }
    return sum;
  }

  private int leases() {
    return node.buffers.buffers().stream().mapToInt(RegisteredBuffer::leases).sum();
  }

  /**
   * What there is now.
   *
   * @param asking whether a peer asked for something just before: between two requests it is not
   *     done either
   */
  private Drained left(boolean asking) {
    long inFlight = 0;
    for (var peer : node.peers.known()) {
      inFlight += peer.ways().stream().mapToLong(w -> w.route().inFlightBytes().get()).sum();
    }
    return new Drained(
        open.count(),
        inFlight + sum(Counter.DRAINING_BYTES),
        uses(),
        sum(Counter.QUARANTINED_BYTES),
        Math.max(leases(), asking ? 1 : 0));
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

  // ---- closing

  void close(Admin admin) {
    admin.quiet();
    var until = platform.now() + node.config.closeTimeout().toNanos();
    node.metadata.withdraw(node.name);
    node.transports.forEach(host -> host.laneAgents().forEach(Lane::cancelAll));
    open.await(until - platform.now());
    tellWhatIsLeft();
    node.descriptor.close();
    node.farewell.begin();
    node.transports.forEach(host -> host.laneAgents().forEach(lane -> stop(lane, until)));
    long notice = leave(until);
    // With the lanes gone nothing holds memory any more; the supervisors still have to let go of
    // it.
    closeArenas();
    var gone = true;
    for (var buffer : node.buffers.all()) {
      gone &= unregister(buffer, until);
    }
    stopRest(node.farewell.gone(gone, until, notice), until);
    node.metadata.close();
    life.stopped();
    admin.close();
    LOG.info("{} is closed", node.name);
  }

  private void tellWhatIsLeft() {
    var left = left(false);
    if (!left.clean()) {
      LOG.warn(
          "{} closes with something left: {} transfers that have not settled, {} bytes in flight or"
              + " draining, {} quarantined",
          node.name,
          left.transfers(),
          left.bytes(),
          left.quarantinedBytes());
    }
  }

  /**
   * What peers reach without any lane's help ends before the memory does.
   *
   * @return when all of them have found out
   */
  private long leave(long until) {
    var busy = new AtomicInteger();
    var notice = new AtomicLong();
    for (var host : node.transports) {
      busy.incrementAndGet();
      boolean taken =
          host.supervisorAgent()
              .execute(
                  () -> {
                    try {
                      notice.accumulateAndGet(host.worker().leave(), Math::max);
                    } finally {
                      busy.decrementAndGet();
                    }
                  });
      if (!taken) {
        busy.decrementAndGet();
      }
    }
    // As for an agent's end: a moment at least.
    var patience = Math.max(until, platform.now() + TimeUnit.SECONDS.toNanos(1));
    try {
      while (busy.get() > 0 && platform.now() - patience < 0) {
        platform.pause(GLANCE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return platform.now() + notice.get();
  }

  /** In turn: what uses another one first. The delivery goes last, since all tell it something. */
  private void stopRest(Linger linger, long until) {
    for (var host : node.transports) {
      host.supervisorAgent().execute(host.worker()::close);
      stop(host.supervisorAgent(), until);
    }
    stay(linger);
    stop(node.control, until);
    node.transports.forEach(host -> host.paths().tellRest());
    stop(node.steward, until);
    stop(node.delivery, until);
  }

  private void stay(Linger linger) {
    try {
      node.farewell.stay(linger);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether nobody reaches that memory any more. */
  private boolean unregister(RegisteredBuffer buffer, long until) {
    try {
      // What is the node's own is held by nobody any more: it takes a moment, whatever is left.
      var least = buffer.own() ? TimeUnit.SECONDS.toNanos(1) : 0;
      if (buffer.unregister(Duration.ofNanos(Math.max(least, until - platform.now())))) {
        return true;
      }
      LOG.error("{} is still held by {} as {} closes", buffer, buffer.holders(), node.name);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      LOG.error("{} could not be unregistered as {} closes", buffer, node.name, e);
    }
    return false;
  }

  private void stop(Agent agent, long until) {
    var turns = running.get(node.agents().indexOf(agent));
    turns.stop(_ -> {});
    if (turns.own()) {
      // A callback closes the engine: its thread ends when that has returned.
      return;
    }
    try {
      // Each has a moment at least, or a slow one would leave the others no time to free theirs.
      var patience = Math.max(TimeUnit.SECONDS.toNanos(1), until - platform.now());
      if (!turns.join(patience)) {
        LOG.error("{} of {} did not end; its thread is left behind", agent.name(), node.name);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void closeArenas() {
    synchronized (arenas) {
      for (var arena : arenas) {
        if (arena.scope().isAlive()) {
          try {
            arena.close();
          } catch (RuntimeException e) {
            LOG.error("an arena of {} stays open: {}", node.name, e.getMessage());
          }
        }
      }
    }
  }
}
