package dev.shunt.runtime.transfer;

import dev.shunt.api.Failure;
import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.LaneDriver;
import dev.shunt.api.spi.LaneListener;
import dev.shunt.api.spi.Mailbox;
import dev.shunt.api.spi.RetireReason;
import dev.shunt.runtime.agent.Agent;
import dev.shunt.runtime.agent.Spinning;
import dev.shunt.runtime.observe.RequestMeter;
import dev.shunt.runtime.transfer.core.Deadlines;
import dev.shunt.runtime.transfer.core.Part;
import dev.shunt.runtime.transfer.core.PathSlot;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lane: one thread's share of a transport's channels, with the flows that use them. A turn is the
 * lane's own thread's; but a caller that finds nobody at it, and nothing waiting, posts its part
 * itself, also while the thread is parked. A turn looks at the flows to which something happened,
 * or whose time has come, and at no others.
 */
public final class Lane implements Agent, Mailbox {
  private static final Logger LOG = LoggerFactory.getLogger(Lane.class);
  private static final int TASKS_PER_TURN = 256;

  /**
   * For so long after the last turn with work the lane takes a turn at each {@link #GLANCE}: so
   * callers, whose parts have later deadlines as a rule, need not wake it for those.
   */
  private static final long ALERT = 10_000_000_000L;

  private static final long GLANCE = 1_000_000_000L;

  private final String name;
  private final int number;
  private final LaneServices services;
  private final Inbox inbox = new Inbox();
  private final Turnstile turnstile = new Turnstile();
  private final PartPool parts = new PartPool();
  private final Deadlines<Part> deadlines = new Deadlines<>();
  private final LaneCounters counters = new LaneCounters();
  private final RequestMeter meter = new RequestMeter();
  private final LaneChecks checks;
  private final LaneChannels channels;
  private final LaneFlows flows;
  private final Spinning spinning;
  private LanePart spent;
  private LaneDriver driver;
  private long now;
  private long callerPosts;
  private long wanted = Long.MAX_VALUE;
  private long lastWork = Long.MIN_VALUE / 2;
  private volatile boolean parked;
  private volatile boolean woken;
  private volatile boolean closed;
  private volatile boolean givenUp;
  private volatile Runnable wakeHook = () -> {};

  /** A lane without a driver. */
  public Lane(int number, LaneServices services) {
    this.name = services.transport() + "-lane-" + number;
    this.number = number;
    this.services = services;
    this.checks = new LaneChecks(this, services);
    this.channels = new LaneChannels(this, services, checks);
    this.flows = new LaneFlows(this, services, channels, counters);
    this.spinning = new Spinning(services.idleSpin());
  }

  /** Sets the driver; before the lane has its turns. */
  public void drive(LaneDriver laneDriver) {
    driver = laneDriver;
  }

  /** Where its driver and channels report. */
  public LaneListener listener() {
    return channels;
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

  /** How many parts their callers posted themselves; exact once nobody does. */
  public long callerPosts() {
    return callerPosts;
  }

  // ---- callers

  /** A part for a batch, by a way whose home this lane is. Any thread. */
  public LanePart part(BatchHandle batch, LaneRoute route) {
    var part = parts.take(this);
    part.begin(batch, route);
    return part;
  }

  /** A part that was not handed over. Any thread. */
  void takeBack(LanePart part) {
    parts.give(part);
  }

  /** Takes a part over; false if the lane has ended. Any thread. */
  boolean submit(LanePart part, long time) {
    if (driver.postsWhileParked() && turnstile.tryEnter()) {
      boolean posted;
      boolean wake;
      try {
        posted = postAtOnce(part, time);
        wake = flows.listed() > 0 || earliest() < wanted;
      } finally {
        turnstile.leave();
      }
      if (posted) {
        wakeHook.run();
        if (wake) {
          wake();
        }
        return true;
      }
    }
    return send(part);
  }

  /** The caller's turn, where its part is all that there is to do: no wake, and no hand-over. */
  private boolean postAtOnce(LanePart part, long time) {
    var flow = closed || !inbox.isEmpty() ? null : flows.known(part.route());
    if (flow == null || flows.listed() > 0 || !flow.flow.ready(time)) {
      return false;
    }
    now = time;
    callerPosts++;
    try {
      take(part);
      flows.lookAtFirst(time);
    } catch (RuntimeException | Error thrown) {
      LOG.error("{} failed while a caller posted", name, thrown);
    }
    recycle();
    return true;
  }

  void take(LanePart part) {
    var flow = flows.flow(part.route(), now);
    part.flow(flow);
    list(flow);
    deadlines.add(part.core());
    flow.flow.submit(part.core(), now);
    if (givenUp) {
      // It came from another lane, which had it when this one gave up all.
      cancel(part);
    }
  }

  void cancel(LanePart part) {
    list(part.flow());
    part.flow().flow.cancel(part.core());
  }

  /** Gives up all parts that it has, and those that still come. Any thread. */
  public void cancelAll() {
    givenUp = true;
    execute(
        () -> {
          while (deadlines.size() > 0) {
            cancel((LanePart) deadlines.get(0).sink());
          }
          flows.hurry();
        });
  }

  /** Ends all traffic of a route. Any thread. */
  public void retire(LaneRoute route, FailureCode code, String text, RetireReason why) {
    touch(route, flow -> flow.flow.retire(code, text, why, now));
  }

  /** Ends what a route has under way, as its remote is about to end. Any thread. */
  public void endAll(LaneRoute route, Failure failure) {
    touch(route, flow -> flow.flow.endAll(failure));
  }

  /** The remote tells of its rails otherwise than before. Any thread. */
  public void renewed(LaneRoute route) {
    touch(route, LaneFlow::applyRemote);
  }

  private void touch(LaneRoute route, Consumer<LaneFlow> task) {
    execute(
        () -> {
          var flow = flows.known(route);
          if (flow != null) {
            list(flow);
            task.accept(flow);
          }
        });
  }

  /** Checks of paths. On this lane's thread. */
  public LaneChecks checks() {
    return checks;
  }

  /** Tells the paths of a route, on this lane's thread; none if there is no traffic. */
  public void paths(LaneRoute route, Consumer<List<PathSlot>> answer) {
    Runnable look =
        () -> {
          var flow = flows.known(route);
          answer.accept(flow == null ? List.of() : flow.flow.paths().slots());
        };
    if (!execute(look)) {
      answer.accept(List.of());
    }
  }

  // ---- turns

  @Override
  public int work(long time) {
    turnstile.enter();
    try {
      now = time;
      int done = turn(time);
      if (done > 0) {
        lastWork = time;
      }
      wanted = Math.min(driver.nextDeadline(), earliest());
      if (time - lastWork < ALERT && driver.postsWhileParked()) {
        wanted = Math.min(wanted, time + GLANCE);
      }
      return done;
    } finally {
      turnstile.leave();
    }
  }

  private long earliest() {
    return Math.min(checks.nextLook(), Math.min(deadlines.first(), flows.nextLook()));
  }

  private int turn(long time) {
    int done = 0;
    LaneTask task;
    while (done < TASKS_PER_TURN && (task = inbox.poll()) != null) {
      done++;
      run(task);
    }
    done += driver.work(time);
    Part late;
    while ((late = deadlines.due(time)) != null) {
      done++;
      var flow = ((LanePart) late.sink()).flow();
      list(flow);
      flow.flow.expire(late, time);
    }
    flows.apply(services.routes(), time);
    done += flows.look(time);
    done += checks.look(time);
    recycle();
    return done;
  }

  /** Something happened to a flow: it is looked at in this turn, or in the next one. */
  void list(LaneFlow flow) {
    flows.list(flow);
  }

  /** How many flows the next turn looks at. */
  int listed() {
    return flows.listed();
  }

  private void run(LaneTask task) {
    try {
      task.run();
    } catch (RuntimeException | Error thrown) {
      LOG.error("a task of {} threw; the lane goes on", name, thrown);
    }
  }

  @Override
  public long nextDeadline() {
    return inbox.isEmpty() ? wanted : Long.MIN_VALUE;
  }

  @Override
  public void park(long deadline) {
    if (spinning.goesOn(lastWork)) {
      return;
    }
    parked = true;
    try {
      // Looked at after the flag is set: who wakes the lane, or adds a task, later than that sees
      // the flag and wakes the driver.
      if (!woken && inbox.isEmpty()) {
        driver.park(deadline);
      }
    } finally {
      parked = false;
      woken = false;
    }
  }

  @Override
  public boolean execute(Runnable task) {
    return send(new LaneTask.Of(task));
  }

  boolean send(LaneTask task) {
    if (!inbox.push(task)) {
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

  /** The last turn; nobody takes another one after it. */
  @Override
  public void close(long time) {
    turnstile.enter();
    now = time;
    closed = true;
    flows.closing();
    inbox.close();
    runAll();
    flows.retireAll(time);
    checks.close();
    driver.close(time);
    flows.pumpAll(time);
  }

  private void runAll() {
    LaneTask task;
    while ((task = inbox.poll()) != null) {
      run(task);
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

  /** Nothing is left of a part. Its next use begins after this turn: loops may still look at it. */
  void spent(LanePart part) {
    if (closed) {
      return;
    }
    part.next = spent;
    spent = part;
  }

  private void recycle() {
    while (spent != null) {
      var part = spent;
      spent = (LanePart) part.next;
      part.next = null;
      if (part.core().spent()) {
        part.clear();
        parts.give(part);
      } else {
        parts.replace(part, this);
      }
    }
  }
}
