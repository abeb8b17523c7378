package dev.shunt.transport.rdma;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Fault.Effect;
import dev.shunt.api.spi.NotifyListener;
import dev.shunt.api.spi.TransportContext;
import java.util.ArrayList;
import java.util.List;

/**
 * A lane's notify QPs. Each has a completion queue of its own: none can overrun it, and an idle one
 * costs the data nothing. Where queues have to be polled, those that nothing was sent on are looked
 * at more and more rarely while nothing comes.
 */
final class NotifyLane {
  private final TransportContext context;
  private final RdmaLane lane;
  private final long shortest;
  private final long longest;
  private final int firstSlots;
  private final List<NotifyEnd> ends = new ArrayList<>();
  private NotifyListener listener;
  private long interval;
  private long nextLook;
  private boolean polled;
  private boolean ending;
  private boolean closed;

  NotifyLane(TransportContext context, RdmaLane lane, RdmaSettings settings) {
    this.context = context;
    this.lane = lane;
    longest = settings.notifications().pollInterval().toNanos();
    shortest = Math.min(longest, settings.idlePark().toNanos());
    firstSlots = settings.notifications().firstSlots();
  }

  /** Before the first of them comes. */
  void listen(NotifyListener to) {
    listener = to;
  }

  NotifyListener listener() {
    return listener;
  }

  int firstSlots() {
    return firstSlots;
  }

  long now() {
    return context.now();
  }

  void toSupervisor(Runnable task) {
    lane.toSupervisor(task);
  }

  void warn(String text) {
    lane.warn(text);
  }

  /** Takes one over that a peer asked for. */
  void adopt(NotifyEnd end) {
    if (closed) {
      lane.toSupervisor(end.endpoint()::abandonedByLane);
      return;
    }
    end.adopted(this);
    ends.add(end);
    polled = end.polled();
    nextLook = now();
  }

  /** Takes one over that we asked for, and answers its request. */
  void adopt(ConnectRequest request, RdmaLink link, NotifyEnd end) {
    adopt(end);
    if (!closed) {
      listener.portUp(request, end.open(link));
    }
  }

  /** Answers a request with one that is there already. */
  void attach(ConnectRequest request, RdmaLink link, NotifyEnd end) {
    if (end.isEnding() || end.lane() == null) {
      var text = link + ": its connection ends; ask again when there is another one";
      refuse(request, FailureCode.CONNECTION, text);
    } else if (end.port() != null) {
      refuse(request, FailureCode.BUSY, link + ": it has a port already");
    } else {
      listener.portUp(request, end.open(link));
    }
  }

  private void refuse(ConnectRequest request, FailureCode code, String text) {
    listener.portFailed(request, new Fault(Blame.NEUTRAL, code, Effect.NONE, text));
  }

  /** One of them ends: that comes to its end in turns to come. */
  void ending() {
    ending = true;
  }

  int work(long now) {
    boolean due = !polled || now - nextLook >= 0;
    int done = 0;
    for (int i = 0; i < ends.size(); i++) {
      if (due || ending || ends.get(i).underWay(now) || ends.get(i).nextDeadline() <= now) {
        done += ends.get(i).work(now);
      }
    }
    if (polled && due) {
      interval = done > 0 ? shortest : Math.clamp(interval * 2, shortest, longest);
      nextLook = now + interval;
    }
    if (ending) {
      forget();
    }
    return done;
  }

  private void forget() {
    ending = false;
    for (int i = ends.size() - 1; i >= 0; i--) {
      if (ends.get(i).isOver()) {
        ends.remove(i);
      } else {
        ending |= ends.get(i).isEnding();
      }
    }
  }

  /** When it wants a turn though nothing came; asked after {@link #work}. */
  long nextDeadline() {
    if (ends.isEmpty()) {
      return Long.MAX_VALUE;
    }
    long next = polled ? nextLook : Long.MAX_VALUE;
    long now = polled ? now() : 0;
    for (int i = 0; i < ends.size(); i++) {
      next = Math.min(next, ends.get(i).nextDeadline());
      if (polled && ends.get(i).underWay(now)) {
        next = Math.min(next, nextLook - interval + shortest);
      }
    }
    return next;
  }

  void close(long now) {
    closed = true;
    for (int i = 0; i < ends.size(); i++) {
      ends.get(i).close(now);
    }
    ends.clear();
  }
}
