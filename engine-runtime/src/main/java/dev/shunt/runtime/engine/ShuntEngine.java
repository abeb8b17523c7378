package dev.shunt.runtime.engine;

import dev.shunt.api.Access;
import dev.shunt.api.Batch;
import dev.shunt.api.Buffer;
import dev.shunt.api.Delivery;
import dev.shunt.api.Engine;
import dev.shunt.api.Failure;
import dev.shunt.api.FailureCode;
import dev.shunt.api.Inbox;
import dev.shunt.api.Notification;
import dev.shunt.api.Segment;
import dev.shunt.api.ShuntException;
import dev.shunt.api.Signal;
import dev.shunt.api.Status;
import dev.shunt.api.Transfer;
import dev.shunt.runtime.agent.Agent;
import dev.shunt.runtime.agent.Nanos;
import dev.shunt.runtime.agent.Platform;
import dev.shunt.runtime.memory.EngineArena;
import dev.shunt.runtime.memory.RegisteredBuffer;
import dev.shunt.runtime.peer.RemoteState;
import dev.shunt.runtime.peer.SegmentHandle;
import dev.shunt.runtime.transfer.BatchHandle;
import dev.shunt.runtime.transfer.FutureSignal;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An engine that runs. */
public final class ShuntEngine implements Engine {
  private static final Logger LOG = LoggerFactory.getLogger(ShuntEngine.class);
  private static final int MOST_REQUESTS = 1 << 20;
  private static final Duration REGISTRATION = Duration.ofMinutes(5);

  final Node node;
  private final Platform platform;
  private final List<Platform.Running> running = new ArrayList<>();
  private final AtomicLong batches = new AtomicLong();
  private final Set<Transfer> open = java.util.concurrent.ConcurrentHashMap.newKeySet();
  private final List<Arena> arenas = new ArrayList<>();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Executor delivery;

  ShuntEngine(Node node) {
    this.node = node;
    this.platform = node.platform;
    this.delivery = this::deliver;
    for (Agent agent : node.agents()) {
      running.add(platform.start(agent));
    }
    node.descriptorChanged();
    LOG.info(
        "{} runs as generation {} with {}",
        node.name,
        Long.toUnsignedString(node.generation),
        node.transports.stream().map(host -> host.id() + " " + host.rails().size()).toList());
  }

  @Override
  public String name() {
    return node.name;
  }

  @Override
  public long generation() {
    return node.generation;
  }

  private void deliver(Runnable callback) {
    if (!node.delivery.execute(callback) && closed.get()) {
      // The delivery has ended: who asks only now is called back on its own thread.
      callback.run();
    }
  }

  // ---- memory

  @Override
  public Arena arena() {
    refuseIfClosed();
    var arena = new EngineArena(node.buffers, node.config.arenaCloseTimeout());
    synchronized (arenas) {
      arenas.add(arena);
    }
    return arena;
  }

  @Override
  public Buffer register(MemorySegment memory, Access access) {
    try {
      return registerAsync(memory, access).get(REGISTRATION.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw unwrapped(e.getCause());
    } catch (TimeoutException e) {
      throw new ShuntException(
          FailureCode.DEADLINE, "not registered after " + REGISTRATION + "; it may still be", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ShuntException(
          FailureCode.CANCELLED, "interrupted while registering; it may still be registered", e);
    }
  }

  /** Registers without blocking a thread. */
  public CompletableFuture<RegisteredBuffer> registerAsync(MemorySegment memory, Access access) {
    refuseIfClosed();
    return node.buffers.register(memory, access);
  }

  private static ShuntException unwrapped(Throwable thrown) {
    var cause =
        thrown instanceof CompletionException e && e.getCause() != null ? e.getCause() : thrown;
    return cause instanceof ShuntException known
        ? known
        : new ShuntException(FailureCode.INTERNAL, "registration failed: " + cause, cause);
  }

  // ---- segments

  @Override
  public Segment openSegment(String name, Duration timeout) throws InterruptedException {
    // The signal has the same deadline; a little patience more leaves the answer to it.
    var result =
        openSegmentAsync(name, timeout).await(Duration.ofNanos(Nanos.of(timeout)).plusSeconds(1));
    return switch (result) {
      case SegmentResult.Opened(var segment) -> segment;
      case SegmentResult.Refused(var failure) ->
          throw new ShuntException(failure.code(), failure.message());
    };
  }

  @Override
  public Signal<SegmentResult> openSegmentAsync(String name, Duration timeout) {
    refuseIfClosed();
    var signal = new FutureSignal<SegmentResult>(delivery);
    node.peers.open(name, platform.now() + Nanos.of(timeout), signal::complete);
    return signal;
  }

  // ---- transfers

  @Override
  public Transfer submit(Batch batch) {
    refuseIfClosed();
    var requests = batch.requests();
    if (requests.size() > MOST_REQUESTS) {
      throw new ShuntException(
          FailureCode.REJECTED,
          "a batch of " + requests.size() + " requests; at most " + MOST_REQUESTS + " go in one");
    }
    var nanos = Nanos.of(batch.deadline().orElse(node.config.transfer().deadline()));
    var deadline = platform.now() + nanos;
    var handle = new BatchHandle(requests.size(), delivery, new Open(batch));
    var submission = new Submission(node, node.buffers, handle);
    submission.check(requests);
    submission.takeRoom(batch.whenFull(), nanos);
    open.add(handle);
    submission.go(deadline, batches::incrementAndGet);
    if (closed.get()) {
      // A close that began meanwhile has seen it too early to cancel it, or not at all.
      handle.cancel();
    }
    return handle;
  }

  /** A batch until it has settled. */
  private final class Open implements BatchHandle.Ended {
    private final Batch batch;

    Open(Batch batch) {
      this.batch = batch;
    }

    @Override
    public void batchDone(Transfer.Result result) {
      ended(batch, result);
    }

    @Override
    public void batchSettled(BatchHandle handle) {
      open.remove(handle);
    }
  }

  private void ended(Batch batch, Transfer.Result result) {
    if (batch.notification().isEmpty() || !result.completed()) {
      return;
    }
    var targets = new LinkedHashSet<RemoteState>();
    for (var request : batch.requests()) {
      targets.add(((SegmentHandle) request.segment()).state());
    }
    var deadline = platform.now() + node.config.rpc().notifyTimeout().toNanos();
    for (var target : targets) {
      node.notifier.send(
          target,
          batch.notification().get(),
          deadline,
          delivered -> {
            if (!(delivered instanceof Delivery.Delivered)) {
              LOG.warn("the notification bound to a batch: {}", delivered);
            }
          });
    }
  }

  // ---- notifications

  @Override
  public Signal<Delivery> send(Segment segment, Notification notification, Duration timeout) {
    refuseIfClosed();
    var signal = new FutureSignal<Delivery>(delivery);
    if (!(segment instanceof SegmentHandle handle) || !handle.ownedBy(node)) {
      signal.complete(
          new Delivery.NotDelivered(
              Failure.of(
                  FailureCode.REJECTED,
                  segment.name() + " was opened by another engine; open it with this one")));
      return signal;
    }
    var deadline = platform.now() + Nanos.of(timeout);
    node.notifier.send(handle.state(), notification, deadline, signal::complete);
    return signal;
  }

  @Override
  public Inbox inbox() {
    return node.inbox;
  }

  // ---- the whole

  @Override
  public Status status() {
    return new StatusReport(node).report();
  }

  private void refuseIfClosed() {
    if (closed.get()) {
      throw new ShuntException(FailureCode.CLOSED, "engine " + node.name + " is closed");
    }
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    var until = platform.now() + node.config.closeTimeout().toNanos();
    node.metadata.withdraw(node.name);
    for (var transfer : open) {
      transfer.cancel();
    }
    for (var transfer : open) {
      awaitQuietly(transfer, until);
    }
    var unsettled = open.stream().filter(transfer -> !transfer.settled().isDone()).count();
    if (unsettled > 0) {
      LOG.warn("{} closes while {} transfers have not settled", node.name, unsettled);
    }
    node.transports.forEach(host -> host.laneAgents().forEach(lane -> stop(lane, until)));
    // With the lanes gone nothing holds memory any more; the supervisors still have to let go of
    // it.
    closeArenas();
    node.buffers.buffers().forEach(buffer -> unregister(buffer, until));
    stopRest(until);
    node.metadata.close();
    LOG.info("{} is closed", node.name);
  }

  private void awaitQuietly(Transfer transfer, long until) {
    try {
      transfer.settled().await(Duration.ofNanos(Math.max(0, until - platform.now())));
    } catch (ShuntException late) {
      LOG.debug("a transfer has not settled: {}", late.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** In turn: what uses another one first. The delivery goes last, since all tell it something. */
  private void stopRest(long until) {
    for (var host : node.transports) {
      host.supervisorAgent().execute(host.worker()::close);
      stop(host.supervisorAgent(), until);
    }
    stop(node.control, until);
    stop(node.steward, until);
    stop(node.delivery, until);
  }

  private void unregister(RegisteredBuffer buffer, long until) {
    try {
      if (!buffer.unregister(Duration.ofNanos(Math.max(0, until - platform.now())))) {
        LOG.error("{} is still held by {} as {} closes", buffer, buffer.holders(), node.name);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      LOG.error("{} could not be unregistered as {} closes", buffer, node.name, e);
    }
  }

  private void stop(Agent agent, long until) {
    var turns = running.get(node.agents().indexOf(agent));
    turns.stop(_ -> {});
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
