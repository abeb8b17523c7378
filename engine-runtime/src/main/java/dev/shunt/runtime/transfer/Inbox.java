package dev.shunt.runtime.transfer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Tasks on their way to one lane, in the order in which they were pushed. A task is its own link,
 * so that nothing is allocated. Any thread pushes; who holds the lane does the rest.
 */
final class Inbox {
  private static final VarHandle NEWEST;
  private static final LaneTask CLOSED = new LaneTask.Of(() -> {});

  static {
    try {
      NEWEST = MethodHandles.lookup().findVarHandle(Inbox.class, "newest", LaneTask.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile LaneTask newest;
  private LaneTask oldest;

  /** Takes a task in; false, from {@link #close} on. */
  boolean push(LaneTask task) {
    LaneTask before;
    do {
      before = newest;
      if (before == CLOSED) {
        return false;
      }
      task.next = before;
    } while (!NEWEST.compareAndSet(this, before, task));
    return true;
  }

  /** The oldest task, or null. */
  LaneTask poll() {
    if (oldest == null) {
      if (newest == null || newest == CLOSED) {
        return null;
      }
      oldest = reversed((LaneTask) NEWEST.getAndSet(this, null));
    }
    var task = oldest;
    oldest = task.next;
    task.next = null;
    return task;
  }

  boolean isEmpty() {
    return oldest == null && (newest == null || newest == CLOSED);
  }

  /** Takes nothing from here on; what is in can still be polled. */
  void close() {
    var last = reversed((LaneTask) NEWEST.getAndSet(this, CLOSED));
    if (oldest == null) {
      oldest = last;
      return;
    }
    var task = oldest;
    while (task.next != null) {
      task = task.next;
    }
    task.next = last;
  }

  private static LaneTask reversed(LaneTask stack) {
    LaneTask queue = null;
    var task = stack == CLOSED ? null : stack;
    while (task != null) {
      var below = task.next;
      task.next = queue;
      queue = task;
      task = below;
    }
    return queue;
  }
}
