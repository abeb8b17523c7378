package dev.shunt.runtime.engine;

import dev.shunt.api.Access;
import dev.shunt.api.Batch;
import dev.shunt.api.Buffer;
import dev.shunt.api.Delivery;
import dev.shunt.api.Drained;
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
import dev.shunt.runtime.admin.Recorder;
import dev.shunt.runtime.agent.Agent;
import dev.shunt.runtime.agent.Nanos;
import dev.shunt.runtime.agent.Platform;
import dev.shunt.runtime.agent.Spinning;
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
import java.util.Optional;
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
  private final AtomicLong batches = new AtomicLong();
  private final OpenBatches open = new OpenBatches();
  private final BatchHandle.Host host;
  private final List<Arena> arenas = new ArrayList<>();
  private final NodeLife life;
  private final RailOrders rails;
  private final Shutdown end;
  private final Admin admin;
  private final Optional<Recorder> recorder;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Executor delivery;

  /**
   * Gives a node its turns.
   *
   * @param recorder runs since before the node, and ends with it
   */
  ShuntEngine(Node node, Optional<Recorder> recorder) {
    this.node = node;
    this.platform = node.platform;
    this.recorder = recorder;
    this.delivery = this::deliver;
    this.host = new Host();
    this.rails = new RailOrders(node.transports, delivery);
    this.life = new NodeLife(node.journal, node.generation);
    var running = new ArrayList<Platform.Running>();
    for (Agent agent : node.agents()) {
      running.add(platform.start(agent));
    }
    this.end = new Shutdown(node, life, running, open, arenas);
    this.admin = admin(running, recorder);
    if (node.echoes) {
      node.echo.open();
    }
    node.descriptorChanged();
    life.published();
    admin.publish(node);
    LOG.info(
        "{} runs as generation {} with {}",
        node.name,
        Long.toUnsignedString(node.generation),
        node.transports.stream().map(host -> host.id() + " " + host.rails().size()).toList());
  }

  /** What cannot be had of it (a port that is taken, say) keeps the engine from starting. */
  private Admin admin(List<Platform.Running> running, Optional<Recorder> recorder) {
    try {
      return Admin.start(node, life, rails, running, recorder);
    } catch (RuntimeException | Error failed) {
      closed.set(true);
      end.close(Admin.none());
      throw failed;
    }
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
    return register(memory, access, node.place());
  }

  @Override
  public Buffer register(MemorySegment memory, Access access, String location) {
    try {
      return registerAsync(memory, access, location)
          .get(REGISTRATION.toNanos(), TimeUnit.NANOSECONDS);
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
    return registerAsync(memory, access, node.place());
  }

  private CompletableFuture<RegisteredBuffer> registerAsync(
      MemorySegment memory, Access access, String location) {
    refuseIfClosed();
    return node.buffers.register(memory, access, location);
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
    var signal = openSegmentAsync(name, timeout);
    SegmentResult result;
    try {
      result = signal.await(Nanos.withGrace(timeout));
    } catch (ShuntException late) {
      throw late.code() == FailureCode.DEADLINE
          ? new ShuntException(
              FailureCode.DEADLINE, name + ": not opened within " + Nanos.text(timeout), late)
          : late;
    }
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
    var now = platform.now();
    var handle = new BatchHandle(batch, host);
    var submission = new Submission(node, node.buffers, handle, node.rejected, node.peers);
    submission.check(requests, now);
    submission.takeRoom(batch.whenFull(), nanos);
    open.opened();
    submission.go(now, now + nanos, batches.incrementAndGet());
    if (closed.get()) {
      // A close that began meanwhile has seen it too early to cancel it, or not at all.
      handle.cancel();
    }
    return handle;
  }

  /** What batches have of their engine. */
  private final class Host implements BatchHandle.Host {
    private final long spin = Spinning.affordable(node.config.transfer().waitSpin());

    @Override
    public Executor delivery() {
      return delivery;
    }

    @Override
    public long spin() {
      return spin;
    }

    @Override
    public void batchDone(Batch batch, Transfer.Result result) {
      ended(batch, result);
    }

    @Override
    public void batchSettled() {
      open.settled();
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
    return new StatusReport(node, life).report();
  }

  @Override
  public Signal<Status.RailStatus> drainRail(String transport, String rail) {
    return rails.drain(transport, rail);
  }

  @Override
  public Signal<Status.RailStatus> restoreRail(String transport, String rail) {
    return rails.restore(transport, rail);
  }

  @Override
  public Signal<Status.RailCheck> checkRail(String transport, String rail) {
    return rails.check(transport, rail);
  }

  private void refuseIfClosed() {
    if (closed.get()) {
      throw new ShuntException(FailureCode.CLOSED, "engine " + node.name + " is closed");
    }
    if (!life.open()) {
      throw new ShuntException(
          FailureCode.CLOSED, "engine " + node.name + " drains and takes nothing new");
    }
  }

  @Override
  public Drained drain(Duration timeout) throws InterruptedException {
    return end.drain(timeout);
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      life.draining();
      end.close(admin);
      recorder.ifPresent(Recorder::close);
    }
  }
}
