package dev.shunt.runtime.transfer;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Channel;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LaneDriver;
import dev.shunt.api.spi.LaneListener;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Mailbox;
import dev.shunt.api.spi.RetireReason;
import dev.shunt.api.spi.Slice;
import dev.shunt.runtime.agent.Agent;
import dev.shunt.runtime.observe.Change;
import dev.shunt.runtime.observe.RequestMeter;
import dev.shunt.runtime.transfer.core.Deadlines;
import dev.shunt.runtime.transfer.core.Flow;
import dev.shunt.runtime.transfer.core.Part;
import dev.shunt.runtime.transfer.core.PathSlot;
import dev.shunt.runtime.transfer.core.PooledSlice;
import dev.shunt.runtime.transfer.core.SlicePool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A lane: one thread's share of a transport's channels, with the flows that use them. */
public final class Lane implements Agent, LaneListener, Mailbox {
  private static final Logger LOG = LoggerFactory.getLogger(Lane.class);
  private static final int TASKS_PER_TURN = 256;
  private static final String CLOSED = "the engine was closed";

  private final String name;
  private final int number;
  private final LaneServices services;
  private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final SlicePool pool = new SlicePool();
  private final Deadlines deadlines = new Deadlines();
  private final LaneCounters counters = new LaneCounters();
  private final RequestMeter meter = new RequestMeter();
  private final Map<LaneRoute, LaneFlow> flows = new HashMap<>();
  private final List<LaneFlow> order = new ArrayList<>();
  private final Map<LinkId, LaneFlow> connecting = new HashMap<>();
  private final Map<LinkId, Bound> bound = new HashMap<>();
  private LaneDriver driver;
  private LaneServices.Routes routes = LaneServices.Routes.OPEN;
  private long now;
  private volatile boolean parked;
  private volatile boolean woken;
  private volatile boolean closed;
  private volatile Runnable wakeHook = () -> {};

  private record Bound(LaneFlow flow, PathSlot slot) {}

  /** A lane without a driver. */
  public Lane(int number, LaneServices services) {
    this.name = services.transport() + "-lane-" + number;
    this.number = number;
    this.services = services;
  }

  /** Sets the driver; before the lane has its turns. */
  public void drive(LaneDriver laneDriver) {
    driver = laneDriver;
  }

  /** Closes the driver, if it has one, of a lane that never had a turn. */
  public void abandon(long time) {
    if (driver != null) {
      close(time);
    }
  }

  /** What it counts. Any thread. */
  public LaneCounters counters() {
    return counters;
  }

  /** What it counts of requests. Any thread. */
  public RequestMeter meter() {
    return meter;
  }

  // ---- callers

  void take(LanePart part) {
    var flow = flow(part.route());
    part.flow(flow);
    deadlines.add(part.core());
    flow.flow.submit(part.core(), now);
  }

  /** Ends all traffic of a route. Any thread. */
  public void retire(LaneRoute route, FailureCode code, String text, RetireReason reason) {
    execute(
        () -> {
          var flow = flows.get(route);
          if (flow != null) {
            flow.flow.retire(code, text, reason, now);
          }
        });
  }

  /** Tells the paths of a route, on this lane's thread; none if there is no traffic. */
  public void paths(LaneRoute route, Consumer<List<PathSlot>> answer) {
    var asked =
        execute(
            () -> {
              var flow = flows.get(route);
              answer.accept(flow == null ? List.of() : flow.flow.paths().slots());
            });
    if (!asked) {
      answer.accept(List.of());
    }
  }

  private LaneFlow flow(LaneRoute route) {
    var known = flows.get(route);
    if (known != null) {
      return known;
    }
    var made =
        new LaneFlow(
            this,
            route,
            services,
            port ->
                new Flow(
                    route.remote().name(),
                    services.rails().size(),
                    route.rails().size(),
                    route.limits(),
                    services.policy(),
                    port,
                    pool,
                    counters));
    made.apply(routes, now);
    var stale = route.stale();
    if (stale != null) {
      made.flow.retire(stale.code(), stale.message(), RetireReason.STALE_GENERATION, now);
    } else if (closed) {
      made.flow.retire(FailureCode.CLOSED, CLOSED, RetireReason.CLOSED, now);
    }
    flows.put(route, made);
    order.add(made);
    return made;
  }

  // ---- turns

  @Override
  public int work(long time) {
    now = time;
    int done = 0;
    Runnable task;
    while (done < TASKS_PER_TURN && (task = tasks.poll()) != null) {
      done++;
      run(task);
    }
    done += driver.work(time);
    Part due;
    while ((due = deadlines.due(time)) != null) {
      done++;
      ((LanePart) due.sink()).flow().flow.expire(due, time);
    }
    var latest = services.routes();
    if (latest != routes) {
      routes = latest;
      for (var flow : order) {
        flow.apply(latest, time);
      }
    }
    for (int i = 0; i < order.size(); i++) {
      var flow = order.get(i);
      flow.retireIfStale(time);
      done += flow.flow.pump(time);
      flow.tell();
    }
    dropRetired();
    return done;
  }

  private void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error thrown) {
      LOG.error("a task of {} threw; the lane goes on", name, thrown);
    }
  }

  private void dropRetired() {
    for (int i = order.size() - 1; i >= 0; i--) {
      var flow = order.get(i);
      if (flow.route.stale() != null && flow.flow.idle() && !flow.flow.paths().busy()) {
        order.remove(i);
        flows.remove(flow.route);
      }
    }
  }

  @Override
  public long nextDeadline() {
    if (!tasks.isEmpty()) {
      return Long.MIN_VALUE;
    }
    var next = Math.min(deadlines.first(), driver.nextDeadline());
    for (int i = 0; i < order.size(); i++) {
      next = Math.min(next, order.get(i).flow.nextDeadline(now));
    }
    return next;
  }

  @Override
  public void park(long deadline) {
    parked = true;
    try {
      // Looked at after the flag is set: who wakes the lane, or adds a task, later than that sees
      // the
      // flag and wakes the driver.
      if (!woken && tasks.isEmpty()) {
        driver.park(deadline);
      }
    } finally {
      parked = false;
      woken = false;
    }
  }

  @Override
  public boolean execute(Runnable task) {
    if (closed) {
      return false;
    }
    tasks.add(task);
    // A task that comes in while the lane closes either ran there, or is taken back here.
    if (closed && tasks.remove(task)) {
      return false;
    }
    wake();
    return true;
  }

  @Override
  public void wake() {
    wakeHook.run();
    woken = true;
    if (parked) {
      driver.wake();
    }
  }

  @Override
  public void onWake(Runnable hook) {
    wakeHook = hook;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void close(long time) {
    now = time;
    closed = true;
    runAll();
    for (var flow : order) {
      flow.flow.retire(FailureCode.CLOSED, CLOSED, RetireReason.CLOSED, time);
    }
    driver.close(time);
    runAll();
    for (var flow : order) {
      flow.flow.pump(time);
    }
  }

  private void runAll() {
    Runnable task;
    while ((task = tasks.poll()) != null) {
      run(task);
    }
  }

  // ---- what the transport reports

  @Override
  public void channelUp(ConnectRequest request, Channel channel) {
    var flow = connecting.remove(request.id());
    if (flow == null || !flow.flow.channelUp(request.id(), channel)) {
      channel.retire(RetireReason.EVICTED, now);
      return;
    }
    var slot = flow.slot(request.id());
    bound.put(request.id(), new Bound(flow, slot));
    services
        .journal()
        .channel(Change.CHANNEL_UP, flow.name(slot.localRail(), slot.remoteRail()), "");
  }

  @Override
  public void connectFailed(ConnectRequest request, Fault fault) {
    var flow = connecting.remove(request.id());
    if (flow != null) {
      flow.flow.connectFailed(request.id(), fault, now);
    }
  }

  @Override
  public void completed(Slice slice) {
    var pooled = (PooledSlice) slice;
    pooled.flow().completed(pooled, now);
  }

  @Override
  public void failed(Slice slice, Fault fault) {
    var pooled = (PooledSlice) slice;
    pooled.flow().failed(pooled, fault, now);
  }

  @Override
  public void channelDown(Channel channel, Fault fault) {
    var known = bound.remove(channel.link().id());
    if (known != null) {
      var path = known.flow.name(known.slot.localRail(), known.slot.remoteRail());
      services.journal().channel(Change.CHANNEL_DOWN, path, fault.text());
      known.flow.flow.channelDown(known.slot, fault, now);
    }
  }

  // ---- for its flows and parts

  LaneServices services() {
    return services;
  }

  long now() {
    return now;
  }

  int number() {
    return number;
  }

  void ended(Part part) {
    deadlines.remove(part);
  }

  void forget(LinkId id) {
    connecting.remove(id);
  }

  void connecting(LinkId id, LaneFlow flow) {
    connecting.put(id, flow);
  }
}
