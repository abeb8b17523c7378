package dev.shunt.runtime.agent;

import dev.shunt.api.spi.Mailbox;
import dev.shunt.api.spi.Supervisor.Timer;
import java.util.ArrayDeque;
import java.util.PriorityQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An agent that runs tasks sent to it, and timers. The tasks of one sender run in the order in
 * which they were sent; timers in the order of their times, and among equals in the order in which
 * they were set.
 */
public class TaskAgent implements Agent, Mailbox {
  private static final Logger LOG = LoggerFactory.getLogger(TaskAgent.class);
  private static final int TASKS_PER_TURN = 256;

  private final String name;
  private final int capacity;
  private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicBoolean woken = new AtomicBoolean();
  private final PriorityQueue<Alarm> alarms = new PriorityQueue<>();
  private final ArrayDeque<Alarm> due = new ArrayDeque<>();
  private volatile Thread parked;
  private volatile Runnable wakeHook = () -> {};
  private volatile boolean closed;
  private long alarmsSet;

  /**
   * An agent without a thread yet.
   *
   * @param capacity how many tasks may wait; more are refused, and logged
   */
  public TaskAgent(String name, int capacity) {
    this.name = name;
    this.capacity = capacity;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final void onWake(Runnable hook) {
    wakeHook = hook;
  }

  @Override
  public final boolean execute(Runnable task) {
    if (closed) {
      return false;
    }
    if (waiting.incrementAndGet() > capacity) {
      waiting.decrementAndGet();
      LOG.error(
          "{} has {} tasks waiting and takes no more: it is stuck, or flooded", name, capacity);
      return false;
    }
    tasks.add(task);
    if (closed && tasks.remove(task)) {
      // The agent ended in between, and did not see it.
      waiting.decrementAndGet();
      return false;
    }
    wake();
    return true;
  }

  /** Runs a task at a time. On this agent's thread only. */
  public final Timer at(long time, Runnable task) {
    var alarm = new Alarm(time, alarmsSet++, task);
    alarms.add(alarm);
    return alarm;
  }

  @Override
  public int work(long now) {
    int done = 0;
    while (!alarms.isEmpty() && alarms.peek().time - now <= 0) {
      due.add(alarms.poll());
    }
    while (!due.isEmpty()) {
      var alarm = due.poll();
      if (!alarm.cancelled) {
        guarded(alarm.task);
        done++;
      }
    }
    Runnable task;
    while (done < TASKS_PER_TURN && (task = tasks.poll()) != null) {
      waiting.decrementAndGet();
      guarded(task);
      done++;
    }
    return done;
  }

  private void guarded(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error thrown) {
      LOG.error("a task of {} threw; the agent goes on", name, thrown);
    }
  }

  @Override
  public long nextDeadline() {
    if (!tasks.isEmpty()) {
      return Long.MIN_VALUE;
    }
    var first = alarms.peek();
    return first == null ? Long.MAX_VALUE : first.time;
  }

  @Override
  public void park(long deadline) {
    parked = Thread.currentThread();
    try {
      if (woken.getAndSet(false) || !tasks.isEmpty()) {
        return;
      }
      if (deadline == Long.MAX_VALUE) {
        LockSupport.park(this);
      } else {
        var nanos = deadline - System.nanoTime();
        if (nanos > 0) {
          LockSupport.parkNanos(this, nanos);
        }
      }
      woken.set(false);
    } finally {
      parked = null;
    }
  }

  @Override
  public void wake() {
    wakeHook.run();
    woken.set(true);
    var thread = parked;
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }

  /** Takes no more tasks; those that wait run now. */
  @Override
  public void close(long now) {
    closed = true;
    Runnable task;
    while ((task = tasks.poll()) != null) {
      waiting.decrementAndGet();
      guarded(task);
    }
    alarms.clear();
  }

  private final class Alarm implements Timer, Comparable<Alarm> {
    private final long time;
    private final long order;
    private final Runnable task;
    private boolean cancelled;

    Alarm(long time, long order, Runnable task) {
      this.time = time;
      this.order = order;
      this.task = task;
    }

    @Override
    public void cancel() {
      cancelled = true;
      alarms.remove(this);
    }

    @Override
    public int compareTo(Alarm other) {
      var byTime = Long.signum(time - other.time);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }
}
