package dev.shunt.transport.rdma;

import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LaneDriver;
import dev.shunt.api.spi.LaneListener;
import dev.shunt.api.spi.Rail;
import dev.shunt.api.spi.RetireReason;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.transport.rdma.core.IdlePace;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Posts and polls. While something is under way an idle lane looks at its queues and sleeps in
 * turns, as {@link IdlePace} says: a device tells of a completion only where it is looked for. With
 * nothing under way it sleeps until it is woken.
 */
final class RdmaLane implements LaneDriver {
  private static final Logger LOG = LoggerFactory.getLogger(RdmaLane.class);

  /** Polls of one queue in a turn, so that no rail keeps another waiting. */
  private static final int POLLS = 4;

  /** What was used within this time is not idle: two that take turns must not evict one another. */
  static final long IDLE = 10_000_000;

  private final TransportContext context;
  private final LaneListener listener;
  private final List<LaneQueue> queues;
  private final IdlePace pace;
  private final long keepAlive;
  private final long maxSlice;
  private final boolean polled;
  private final List<RdmaChannel> channels = new ArrayList<>();
  private final AtomicBoolean woken = new AtomicBoolean();
  private final NotifyLane notifications;
  private volatile Thread parked;
  private long lastNow;
  private int open;
  private long nextKeepAlive;
  private long strays;
  private long warnings;
  private boolean closed;

  RdmaLane(
      TransportContext context,
      LaneListener listener,
      List<LaneQueue> queues,
      RdmaSettings settings) {
    this.context = context;
    this.listener = listener;
    this.queues = new ArrayList<>(queues);
    pace =
        new IdlePace(
            settings.idleSpin().toNanos(),
            settings.idlePark().toNanos(),
            settings.maxIdlePark().toNanos());
    keepAlive = settings.endpoint().keepAliveInterval().toNanos();
    notifications = new NotifyLane(context, this, settings);
    maxSlice = settings.maxSlice();
    polled = queues.stream().anyMatch(queue -> queue.cq().polled());
  }

  /** What it has of notifications. */
  NotifyLane notifications() {
    return notifications;
  }

  LaneListener listener() {
    return listener;
  }

  /** The most bytes of a slice. */
  long maxSlice() {
    return maxSlice;
  }

  private LaneQueue queue(Rail rail) {
    return queues.get(rail.index());
  }

  /** The queue of a rail is not touched any more. */
  void letGo(Rail rail) {
    queue(rail).letGo();
  }

  /** There is another queue for its rail. */
  void take(LaneQueue queue) {
    queues.set(queue.rail().index(), queue);
  }

  /** Takes a connection over from the supervisor, and answers its request. */
  void adopt(ConnectRequest request, Endpoint endpoint, int depth) {
    if (closed) {
      endpoint.abandonedByLane();
      return;
    }
    var channel = new RdmaChannel(this, queue(request.local()), endpoint, depth);
    channel.place(freePlace(), context.now());
    channels.set(channel.place(), channel);
    if (open == 0) {
      nextKeepAlive = context.now() + keepAlive;
    }
    open++;
    endpoint.channel(channel);
    listener.channelUp(request, channel);
  }

  private int freePlace() {
    int free = channels.indexOf(null);
    if (free >= 0) {
      return free;
    }
    channels.add(null);
    return channels.size() - 1;
  }

  /** Ends the connection on a rail that was idle for the longest; answers whether there was one. */
  boolean evict(Rail rail) {
    long now = context.now();
    RdmaChannel longest = null;
    for (var channel : channels) {
      if (channel != null
          && channel.link().local() == rail
          && channel.idle(now - IDLE)
          && (longest == null || channel.active() - longest.active() < 0)) {
        longest = channel;
      }
    }
    if (longest == null) {
      return false;
    }
    longest.retire(RetireReason.EVICTED, now);
    return true;
  }

  void refuse(ConnectRequest request, Fault fault) {
    listener.connectFailed(request, fault);
  }

  void forget(RdmaChannel channel) {
    channels.set(channel.place(), null);
    open--;
  }

  void toSupervisor(Runnable task) {
    if (!context.supervisor().execute(task)) {
      LOG.warn("the supervisor has ended before its lane; what it was told is lost");
    }
  }

  void warn(String text) {
    warnings++;
    LOG.warn(text);
  }

  /** How often something was warned of that a channel or a port found. */
  long warnings() {
    return warnings;
  }

  @Override
  public int work(long now) {
    lastNow = now;
    int done = 0;
    for (int i = 0; i < queues.size(); i++) {
      done += work(queues.get(i));
    }
    done += notifications.work(now);
    if (open > 0 && now - nextKeepAlive >= 0) {
      keepAlive(now);
    }
    if (done > 0) {
      pace.moved();
    }
    return done;
  }

  private void keepAlive(long now) {
    nextKeepAlive = now + keepAlive;
    for (int i = 0; i < channels.size(); i++) {
      var channel = channels.get(i);
      if (channel != null) {
        channel.keepAlive(now - keepAlive, now);
      }
    }
  }

  /** Handles all completions that a queue has, however many they are. */
  void empty(LaneQueue queue) {
    while (work(queue) > 0) {
      // On to the next ones.
    }
  }

  private int work(LaneQueue queue) {
    int done = 0;
    for (int i = 0; i < POLLS; i++) {
      int taken = queue.take();
      if (taken == 0) {
        break;
      }
      if (taken < 0) {
        queueBroken(queue, taken);
        break;
      }
      for (int k = 0; k < taken; k++) {
        completion(queue, k);
      }
      done += taken;
    }
    return done;
  }

  private void completion(LaneQueue queue, int k) {
    var cq = queue.cq();
    long id = cq.wrId(k);
    int place = (int) (id >>> Integer.SIZE);
    var channel = place < channels.size() ? channels.get(place) : null;
    if (channel == null || !channel.completed((int) id, cq.status(k), cq.vendorError(k))) {
      stray(queue, id);
    }
  }

  private void stray(LaneQueue queue, long id) {
    strays++;
    if (strays == 1) {
      LOG.warn(
          "{}: a completion for work request {} that nobody waits for; more are only counted",
          queue.rail(),
          Long.toHexString(id));
    }
  }

  private void queueBroken(LaneQueue queue, int code) {
    LOG.warn("{}: polling a completion queue failed with {}", queue.rail(), code);
    var rail = queue.rail();
    toSupervisor(() -> rail.queueBroken(queue, "a completion queue cannot be polled: " + code));
  }

  @Override
  public long nextDeadline() {
    long next = open > 0 ? nextKeepAlive : Long.MAX_VALUE;
    if (polled && underWay()) {
      pace.idle(lastNow);
      next = Math.min(next, lastNow + pace.sleep(lastNow));
    } else {
      pace.moved();
    }
    return Math.min(next, notifications.nextDeadline());
  }

  private boolean underWay() {
    for (int i = 0; i < queues.size(); i++) {
      if (queues.get(i).posted() > 0) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void park(long deadline) {
    if (polled && underWay() && looked(pace.spin())) {
      woken.set(false);
      return;
    }
    parked = Thread.currentThread();
    long nanos = deadline == Long.MAX_VALUE ? Long.MAX_VALUE : deadline - context.now();
    if (!woken.get() && nanos > 0) {
      LockSupport.parkNanos(this, nanos);
    }
    parked = null;
    woken.set(false);
  }

  /** Looks for so long; answers whether to go on at once. */
  private boolean looked(long nanos) {
    if (nanos == 0) {
      return false;
    }
    long start = context.now();
    do {
      if (woken.get()) {
        return true;
      }
      if (found()) {
        pace.spun(true);
        return true;
      }
      Thread.onSpinWait();
    } while (context.now() - start < nanos);
    pace.spun(false);
    return false;
  }

  private boolean found() {
    for (int i = 0; i < queues.size(); i++) {
      if (queues.get(i).peek()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void wake() {
    woken.set(true);
    var thread = parked;
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }

  @Override
  public void close(long now) {
    for (int i = 0; i < channels.size(); i++) {
      var channel = channels.get(i);
      if (channel != null) {
        channel.endpoint().qps().error();
      }
    }
    work(now);
    notifications.close(now);
    closed = true;
    for (int i = 0; i < channels.size(); i++) {
      var channel = channels.get(i);
      if (channel != null) {
        channel.close();
      }
    }
  }
}
