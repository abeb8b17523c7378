package dev.shunt.transport.nof;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Supervisor;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.transport.nof.core.Controller;
import dev.shunt.transport.nof.core.ControllerEvents;
import dev.shunt.transport.nof.core.ControllerFacts;
import dev.shunt.transport.nof.core.ControllerSetup;
import dev.shunt.transport.nof.core.NamespaceFacts;
import dev.shunt.transport.nof.core.Queue;
import dev.shunt.transport.nof.core.QueueEvents;
import dev.shunt.transport.nof.core.QueueSetup;
import dev.shunt.transport.nof.core.TargetId;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A controller of a target with its admin queue, shared by all qpairs of a path. On the supervisor
 * thread only, but for {@link #released}. Its life is one association: when it is over, a new one
 * is made.
 */
final class NofController implements QueueEvents, ControllerEvents {
  private static final Logger LOG = LoggerFactory.getLogger(NofController.class);
  private static final int MAX_WAITERS = 1024;

  /** Waits until a controller is up. */
  interface Waiter {
    /** It is up. */
    void up(NofController controller, long now);

    /** It will not be. */
    void failed(Fault fault);
  }

  private final TransportContext context;
  private final NofSettings settings;
  private final NofTransport transport;
  private final NofRail rail;
  private final TargetId target;
  private final InetSocketAddress portal;
  private final String where;
  private final Queue queue;
  private final QueueStream stream;
  private final Controller machine;
  private final List<Waiter> waiters = new ArrayList<>();
  private final ArrayDeque<Integer> freeQueues = new ArrayDeque<>();
  private final TreeMap<Integer, NofQueuePlan> plans = new TreeMap<>();
  private ControllerFacts facts;
  private Fault end;
  private Supervisor.Timer timer;
  private long timerAt = Long.MAX_VALUE;

  NofController(
      TransportContext context,
      NofSettings settings,
      NofTransport transport,
      NofRail rail,
      TargetId target,
      InetSocketAddress portal) {
    this.context = context;
    this.settings = settings;
    this.transport = transport;
    this.rail = rail;
    this.target = target;
    this.portal = portal;
    where = target.subsystem() + " at " + target.portal() + " by rail " + rail.name();
    var setup = setup(0, settings.adminQueueSize(), QueueSetup.ANY_CONTROLLER, 0, where);
    var memory = Arena.ofAuto().allocate(Queue.bytes(setup.entries()) + Controller.BYTES, 64);
    queue = new Queue(setup, memory.asSlice(0, Queue.bytes(setup.entries())), this);
    stream = new QueueStream(queue, where);
    machine =
        new Controller(
            new ControllerSetup(
                settings.keepAlive(), settings.pollInterval(), settings.ioQueues(), where),
            queue,
            memory.asSlice(Queue.bytes(setup.entries())),
            this);
  }

  /** An admin command that is not answered within the keep-alive timeout is not going to be. */
  private QueueSetup setup(int number, int entries, int controller, long inCapsule, String name) {
    long keepAlive = number == 0 ? settings.keepAlive() : 0;
    long timeout = settings.commandTimeout();
    return new QueueSetup(
        number,
        entries,
        controller,
        target.subsystem().getBytes(StandardCharsets.US_ASCII),
        settings.host(),
        keepAlive,
        inCapsule,
        settings.headerDigest(),
        settings.dataDigest(),
        settings.connectTimeout(),
        keepAlive > 0 ? Math.min(timeout, keepAlive) : timeout,
        name);
  }

  TargetId target() {
    return target;
  }

  NofRail rail() {
    return rail;
  }

  InetSocketAddress portal() {
    return portal;
  }

  ControllerFacts facts() {
    return facts;
  }

  /** Whether nobody uses it, or waits for it. */
  boolean idle() {
    return plans.isEmpty() && waiters.isEmpty();
  }

  /** Begins to connect. */
  void connect(long now) {
    stream.connect(context.supervisor().wires(), rail.address(), portal, now);
    if (stream.stopped()) {
      context.supervisor().execute(this::tick);
    }
    schedule();
  }

  /** Tells when it is up, or will not be; at once if that is known. */
  void await(Waiter waiter, long now) {
    if (end != null) {
      waiter.failed(end);
    } else if (facts != null) {
      waiter.up(this, now);
    } else if (waiters.size() == MAX_WAITERS) {
      waiter.failed(busy("too many wait for the controller"));
    } else {
      waiters.add(waiter);
    }
  }

  /** Looks a namespace up on a controller that is up. */
  void lookUp(long namespace, Lookup lookup, long now) {
    if (end != null) {
      lookup.refused(end, now);
    } else if (!machine.lookUp(namespace, lookup, now)) {
      lookup.refused(busy("too many namespaces are being looked up"), now);
    } else {
      stream.write(now);
      schedule();
    }
  }

  /** The most bytes of a read or write of a namespace. */
  long maxSlice(NamespaceFacts namespace) {
    long most = Math.min(settings.maxSlice(), facts.maxTransfer());
    most = Math.min(most, 65536L * namespace.blockSize());
    return most / namespace.blockSize() * namespace.blockSize();
  }

  /**
   * Sets a queue number aside.
   *
   * @return the plan, or null if all are taken
   */
  NofQueuePlan plan(ConnectRequest request, NamespaceFacts namespace, long now) {
    var number = freeQueues.poll();
    if (end != null || number == null) {
      return null;
    }
    int entries = Math.min(settings.ioQueueSize(), facts.maxEntries());
    var name = "queue " + number + " of " + where;
    var setup =
        setup(number, Math.max(2, entries), facts.controller(), facts.inCapsule(), name)
            .within(request.deadline() - now);
    var plan =
        new NofQueuePlan(
            request, this, setup, namespace, maxSlice(namespace), rail.address(), portal);
    plans.put(number, plan);
    return plan;
  }

  /** A qpair is over, or was never made. Any thread. */
  void released(NofQueuePlan plan) {
    context
        .supervisor()
        .execute(
            () -> {
              if (plans.remove(plan.setup().queue(), plan)) {
                // The one that was free for the longest comes first: the target may need a moment.
                freeQueues.addLast(plan.setup().queue());
              }
            });
  }

  @Override
  public void live(int controller, long now) {
    machine.live(controller, now);
    schedule();
  }

  @Override
  public void completed(Object owner, int status, long result, long now) {
    machine.completed(owner, status, result, now);
    schedule();
  }

  @Override
  public void ready(ControllerFacts told, long now) {
    facts = told;
    for (int number = 1; number <= told.queues(); number++) {
      freeQueues.addLast(number);
    }
    LOG.info(
        "controller {} of {} is up: {}, {} I/O queues, keep-alive {} ms",
        told.controller(),
        where,
        told.model(),
        told.queues(),
        told.keepAlive() / 1_000_000);
    var waiting = List.copyOf(waiters);
    waiters.clear();
    for (var waiter : waiting) {
      waiter.up(this, now);
    }
  }

  @Override
  public void failed(Fault fault, long now) {
    queue.end(fault, now);
  }

  @Override
  public void closing(long now) {
    stream.close();
  }

  @Override
  public void aborted(Object owner, Fault.Effect effect, Fault cause, long now) {
    // The machine answers for what it had asked, in over().
  }

  @Override
  public void over(Fault cause, long now) {
    end = cause;
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
    transport.gone(this);
    if (cause.code() == FailureCode.CLOSED) {
      LOG.info("{} is closed", where);
    } else {
      LOG.warn("the controller is lost: {}", cause.text());
    }
    machine.over(cause, now);
    var waiting = List.copyOf(waiters);
    waiters.clear();
    for (var waiter : waiting) {
      waiter.failed(cause);
    }
    for (var plan : plans.values()) {
      transport.down(plan, cause);
    }
  }

  /** Ends it, and with it its qpairs. */
  void close(Fault cause, long now) {
    if (end == null) {
      machine.shutDown(now);
      stream.write(now);
      stream.closeGently();
      queue.end(cause, now);
    }
  }

  private void tick() {
    if (end != null) {
      return;
    }
    timerAt = Long.MAX_VALUE;
    timer = null;
    long now = context.now();
    stream.settle(now);
    queue.tick(now);
    machine.tick(now);
    stream.write(now);
    stream.settle(now);
    schedule();
  }

  private void schedule() {
    long next = Math.min(queue.nextDeadline(), machine.nextDeadline());
    if (end != null || next == timerAt) {
      return;
    }
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
    timerAt = next;
    if (next != Long.MAX_VALUE) {
      timer = context.supervisor().at(next, this::tick);
    }
  }

  private Fault busy(String what) {
    return new Fault(Fault.Blame.NEUTRAL, FailureCode.BUSY, Fault.Effect.NONE, where + ": " + what);
  }
}
