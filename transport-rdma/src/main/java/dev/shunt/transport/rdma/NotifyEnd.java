package dev.shunt.transport.rdma;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Fault.Effect;
import dev.shunt.api.spi.NotifyFrame;
import dev.shunt.api.spi.NotifyOrigin;
import dev.shunt.transport.rdma.core.WcStatus;
import dev.shunt.transport.rdma.verbs.QpCapacity;
import dev.shunt.transport.rdma.verbs.VerbsCq;
import dev.shunt.transport.rdma.verbs.VerbsException;

/**
 * A lane's half of a notify QP: sends frames and hands up those that come, each from and into a
 * slot of its own. Behind the port that the runtime has, where it asked for one.
 *
 * <p>One that ends goes on handing up what landed: to its sender that was acknowledged. It is over
 * when each receive has come back, with a message or flushed, and each message was taken.
 */
final class NotifyEnd {
  /** Marks the ids of receives. */
  static final long RECEIVE = 1L << Integer.SIZE;

  /** Polls in a turn, so that no link keeps another waiting. */
  private static final int POLLS = 4;

  private final NotifyEndpoint endpoint;
  private final VerbsCq cq;
  private final long handOver;
  private final NotifySends sends;
  private final NotifyReceives receives;
  private NotifyLane lane;
  private RdmaNotifyPort port;
  private int protocol;
  private boolean broken;
  private long handOverAt;
  private Fault ending;
  private boolean down;
  private boolean over;

  NotifyEnd(NotifyEndpoint endpoint, RdmaSettings settings, QpCapacity capacity) {
    this.endpoint = endpoint;
    cq = endpoint.cq();
    handOver = settings.notifications().handOver().toNanos();
    var qp = endpoint.qps().get(0);
    int waiting = settings.notifications().waitingFrames();
    sends = new NotifySends(this, qp, capacity.send(), waiting);
    receives = new NotifyReceives(this, qp, capacity.receive());
  }

  NotifyEndpoint endpoint() {
    return endpoint;
  }

  /** Its lane; null before one has it. */
  NotifyLane lane() {
    return lane;
  }

  /** Before it is adopted: where its messages come from, and what may be sent on it. */
  void between(NotifyOrigin from, int peerProtocol) {
    receives.from(from);
    protocol = peerProtocol;
  }

  void adopted(NotifyLane by) {
    lane = by;
  }

  /** The runtime has a port to it from here on. */
  RdmaNotifyPort open(RdmaLink link) {
    port = new RdmaNotifyPort(this, link);
    return port;
  }

  /** The port that there is, or null. */
  RdmaNotifyPort port() {
    return port;
  }

  boolean isEnding() {
    return ending != null;
  }

  /** Whether it holds nothing any more; its lane forgets it. */
  boolean isOver() {
    return over;
  }

  boolean polled() {
    return cq.polled();
  }

  /** A slab came, or null if there is none to be had. Also before it is adopted. */
  void moreSends(NotifySlab slab) {
    sends.more(slab);
  }

  /** The same for receives. */
  void moreReceives(NotifySlab slab) {
    receives.more(slab);
  }

  // The port.

  int protocol() {
    return protocol;
  }

  int room(RdmaNotifyPort on) {
    return ending == null && on == port ? sends.room() : 0;
  }

  void post(RdmaNotifyPort on, NotifyFrame frame, long now) {
    if (ending == null && on == port) {
      sends.post(frame, now);
    } else {
      var text = on.link() + ": its port has ended" + (ending == null ? "" : ": " + ending.text());
      var code = ending == null ? FailureCode.CLOSED : ending.code();
      lane.listener().failed(on, frame, new Fault(Blame.NEUTRAL, code, Effect.NONE, text));
    }
  }

  /** Ends it; one that goes with a data link, and serves the peer too, only loses its port. */
  void retire(RdmaNotifyPort on, Fault cause, long now) {
    if (on != port) {
      return;
    }
    if (endpoint.shared() && ending == null) {
      giveUp(cause);
      sends.giveUpWaiting(cause);
      port = null;
      lane.listener().portDown(on, cause);
    } else {
      end(cause);
      lookForEnd(now);
    }
  }

  void delivered(NotifyFrame frame) {
    lane.listener().delivered(port, frame);
  }

  void failed(NotifyFrame frame, Fault fault) {
    lane.listener().failed(port, frame, fault);
  }

  /** What is flushed from one that ends is nobody's fault, whatever became of its rail. */
  Fault fault(int status, int vendor) {
    if (ending != null) {
      var text = endpoint + ": flushed, since it ends: " + ending.text();
      return new Fault(Blame.NEUTRAL, ending.code(), Effect.POSSIBLE, text);
    }
    boolean active = endpoint.rail().active();
    return WcStatus.fault(
        status, vendor, true, endpoint.toString(), active, endpoint.rail().vendorTable());
  }

  // Turns.

  /** Takes what has come back; answers how much that was. */
  int work(long now) {
    if (over) {
      return 0;
    }
    int done = poll() + receives.offer(now);
    sends.pump();
    done += sends.expire(now);
    int more = receives.growth();
    if (ending == null && more > 0) {
      lane.toSupervisor(() -> endpoint.growReceives(more));
    }
    return done + lookForEnd(now);
  }

  private int poll() {
    int done = 0;
    for (int i = 0; i < POLLS && !broken; i++) {
      int taken = cq.poll();
      if (taken < 0) {
        queueBroken(taken);
      } else if (taken == 0) {
        break;
      }
      for (int k = 0; k < taken; k++) {
        completion(k);
      }
      done += Math.max(0, taken);
    }
    return done;
  }

  private void completion(int k) {
    long id = cq.wrId(k);
    if ((id & RECEIVE) != 0) {
      receives.back((int) id, cq.status(k), cq.vendorError(k), cq.length(k));
    } else {
      sends.back((int) id, cq.status(k), cq.vendorError(k));
    }
  }

  private void queueBroken(int code) {
    broken = true;
    var text = endpoint + ": its completion queue cannot be polled: " + code;
    end(new Fault(Blame.LOCAL, FailureCode.DEVICE, Effect.NONE, text));
    lane.toSupervisor(() -> endpoint.queueBroken(text));
  }

  /** Whether something comes back soon, so that its queue is worth a look. */
  boolean underWay(long now) {
    boolean flushing = ending != null && !over && now < handOverAt;
    return flushing || ending == null && sends.taken() > 0;
  }

  /** When it has something to do though nothing came. */
  long nextDeadline() {
    long next = Math.min(sends.expiry(), receives.offerAt());
    return ending != null && sends.pending() > 0 ? Math.min(next, handOverAt) : next;
  }

  // The end.

  /** Ends it; does nothing to one that ends already. */
  void end(Fault cause) {
    if (ending != null || lane == null) {
      return;
    }
    ending = new Fault(cause.blame(), cause.code(), Effect.NONE, cause.text(), cause.vendorCode());
    handOverAt = lane.now() + handOver;
    lane.toSupervisor(() -> endpoint.drain(cause));
    lane.ending();
  }

  /**
   * Its context goes: what can be read is read once more, and nothing is waited for. Destroying the
   * QP is then what makes the device let go.
   */
  void lose(Fault cause) {
    if (lane == null || over) {
      return;
    }
    end(cause);
    poll();
    broken = true;
    lookForEnd(lane.now());
  }

  /** Whether all that was posted has come back, or never will. */
  private boolean isBack() {
    return broken || sends.taken() == 0 && receives.posted() == 0;
  }

  /** Answers how many steps that were. */
  private int lookForEnd(long now) {
    if (ending == null) {
      return 0;
    }
    int steps = 0;
    if (sends.sent() > 0 && (broken || now >= handOverAt)) {
      giveUp(ending);
      steps++;
    }
    if (sends.sent() == 0 && !down) {
      goDown();
      steps++;
    }
    if (!over && down && isBack() && receives.held() == 0) {
      over = true;
      lane.toSupervisor(endpoint::drained);
      steps++;
    }
    return steps;
  }

  /** What was sent and has not come back may have arrived. */
  private void giveUp(Fault cause) {
    var text = endpoint + ": no word of it when its port ended: " + cause.text();
    sends.giveUpSent(new Fault(Blame.NEUTRAL, cause.code(), Effect.POSSIBLE, text));
  }

  private void goDown() {
    down = true;
    sends.giveUpWaiting(ending);
    if (port != null) {
      lane.listener().portDown(port, ending);
    }
  }

  /**
   * Ends it at once, with its lane: what landed is handed up, what was sent is reported, and the QP
   * is destroyed here.
   */
  void close(long now) {
    var text = endpoint + " is closed with its lane";
    end(new Fault(Blame.NEUTRAL, FailureCode.CLOSED, Effect.NONE, text));
    endpoint.qps().error();
    while (poll() > 0) {
      // All of it.
    }
    receives.offerLast(now);
    giveUp(ending);
    if (!down) {
      goDown();
    }
    int error = endpoint.qps().closeOnLane();
    if (error != 0) {
      lane.warn(endpoint + ": its QP could not be destroyed: " + VerbsException.text(error));
    }
    over = true;
  }
}
