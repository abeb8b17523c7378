package dev.shunt.transport.rdma;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Fault.Effect;
import dev.shunt.api.spi.NotifyFrame;
import dev.shunt.api.spi.NotifyOrigin;
import dev.shunt.api.spi.NotifyPort;
import dev.shunt.api.spi.RawFrame;
import dev.shunt.api.spi.RetireReason;
import dev.shunt.transport.rdma.core.FrameSlots;
import dev.shunt.transport.rdma.core.ReceiveCredits;
import dev.shunt.transport.rdma.core.WcStatus;
import dev.shunt.transport.rdma.verbs.QpCapacity;
import dev.shunt.transport.rdma.verbs.VerbsCq;
import dev.shunt.transport.rdma.verbs.VerbsException;
import dev.shunt.transport.rdma.verbs.VerbsQp;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;

/**
 * A lane's half of a notify QP: sends frames and hands up those that come, each from and into a
 * slot of its own. The port that the runtime has, where it asked for one.
 *
 * <p>One that ends goes on handing up what landed: to its sender that was acknowledged. It is over
 * when each receive has come back, with a message or flushed, and each message was taken.
 */
final class NotifyEnd implements NotifyPort {
  /** Marks the ids of receives. */
  private static final long RECEIVE = 1L << Integer.SIZE;

  /** Polls in a turn, so that no link keeps another waiting. */
  private static final int POLLS = 4;

  /** How soon what was not taken is offered again. */
  private static final long AGAIN = 1_000_000;

  private final NotifyEndpoint endpoint;
  private final VerbsCq cq;
  private final VerbsQp qp;
  private final int waitingBound;
  private final long handOver;
  private final FrameSlots sends;
  private final ReceiveCredits credits;
  private final NotifyBuffers sendBuffers = new NotifyBuffers();
  private final NotifyBuffers receiveBuffers = new NotifyBuffers();
  private final ArrayDeque<NotifyFrame> waiting = new ArrayDeque<>();
  private final ArrayDeque<Message> held = new ArrayDeque<>();
  private NotifyLane lane;
  private NotifyOrigin origin;
  private RdmaLink link;
  private int protocol;
  private boolean growing;
  private boolean broken;
  private long expiry = Long.MAX_VALUE;
  private long offerAt;
  private long handOverAt;
  private long malformed;
  private Fault ending;
  private boolean down;
  private boolean over;

  /** A message that was not taken yet. */
  private record Message(int slot, int length) {}

  NotifyEnd(NotifyEndpoint endpoint, RdmaSettings settings, QpCapacity capacity) {
    this.endpoint = endpoint;
    cq = endpoint.cq();
    qp = endpoint.qps().get(0);
    waitingBound = settings.notifications().waitingFrames();
    handOver = settings.notifications().handOver().toNanos();
    sends = new FrameSlots(capacity.send());
    credits = new ReceiveCredits(capacity.receive());
  }

  NotifyEndpoint endpoint() {
    return endpoint;
  }

  /** Before it is adopted: where its messages come from, and what may be sent on it. */
  void between(NotifyOrigin from, int peerProtocol) {
    origin = from;
    protocol = peerProtocol;
  }

  void adopted(NotifyLane by) {
    lane = by;
  }

  /** The runtime has it as a port from here on. */
  void opened(RdmaLink as) {
    link = as;
  }

  boolean isOpen() {
    return link != null;
  }

  boolean isEnding() {
    return ending != null;
  }

  /** Whether it holds nothing any more; its lane forgets it. */
  boolean isOver() {
    return over;
  }

  @Override
  public RdmaLink link() {
    return link;
  }

  @Override
  public int protocol() {
    return protocol;
  }

  @Override
  public int maxFrame() {
    return NotifySlab.SLOT;
  }

  @Override
  public int room() {
    return ending == null ? sends.room() + waitingBound - waiting.size() : 0;
  }

  // Sending.

  /** A slab came, or null if there is none to be had. Also before it is adopted. */
  void moreSends(NotifySlab slab) {
    growing = slab == null;
    if (slab != null) {
      sendBuffers.add(slab);
      sends.add(slab.slots());
      pump();
    }
  }

  @Override
  public void post(NotifyFrame frame, long now) {
    long length = frame.bytes().byteSize();
    if (ending != null) {
      failed(frame, ending);
    } else if (length < 1 || length > maxFrame()) {
      var text = link + ": a frame of " + length + " bytes; it has between 1 and " + maxFrame();
      failed(frame, new Fault(Blame.REQUEST, FailureCode.REJECTED, Effect.NONE, text));
    } else if (waiting.isEmpty() && sends.room() > 0) {
      send(frame);
    } else if (waiting.size() >= waitingBound) {
      failed(frame, busy(waiting.size() + " wait for a slot already"));
    } else if (frame.slotDeadline() - now <= 0) {
      failed(frame, busy("no slot is free, and there is no time to wait for one"));
    } else {
      waiting.add(frame);
      expiry = Math.min(expiry, frame.slotDeadline());
      grow();
    }
  }

  private Fault busy(String text) {
    return new Fault(Blame.NEUTRAL, FailureCode.BUSY, Effect.NONE, link + ": " + text);
  }

  private void failed(NotifyFrame frame, Fault fault) {
    lane.listener().failed(this, frame, fault);
  }

  private void grow() {
    if (!growing && sends.growth() > 0) {
      growing = true;
      int more = Math.min(Math.max(sends.size(), lane.firstSlots()), sends.growth());
      lane.toSupervisor(() -> endpoint.growSends(more));
    }
  }

  private void send(NotifyFrame frame) {
    int slot = sends.take(frame);
    var memory = sendBuffers.slot(slot);
    int length = (int) frame.bytes().byteSize();
    MemorySegment.copy(frame.bytes(), 0, memory, 0, length);
    int lkey = sendBuffers.lkey(slot);
    int error = qp.post(slot, VerbsQp.SEND, memory.address(), lkey, length, 0, 0);
    if (error != 0) {
      sends.release(slot);
      var text = link + ": posting a notification: " + VerbsException.text(error);
      var fault = new Fault(Blame.LOCAL, FailureCode.DEVICE, Effect.NONE, text, error);
      end(fault);
      failed(frame, fault);
    }
  }

  /** Sends what waits, as far as there are slots. */
  private void pump() {
    while (ending == null && sends.room() > 0 && !waiting.isEmpty()) {
      send(waiting.poll());
    }
  }

  private int expire(long now) {
    if (now < expiry) {
      return 0;
    }
    int before = waiting.size();
    expiry = Long.MAX_VALUE;
    for (var frames = waiting.iterator(); frames.hasNext(); ) {
      var frame = frames.next();
      if (frame.slotDeadline() - now <= 0) {
        frames.remove();
        failed(frame, busy("no slot became free in time"));
      } else {
        expiry = Math.min(expiry, frame.slotDeadline());
      }
    }
    return before - waiting.size();
  }

  private void sent(int slot, int status, int vendor) {
    if (!sends.holds(slot)) {
      lane.warn(endpoint + ": a completion for slot " + slot + " that nothing was sent from");
      return;
    }
    var frame = sends.release(slot);
    if (status == 0) {
      if (frame != null) {
        lane.listener().delivered(this, frame);
      }
      return;
    }
    var fault = fault(status, vendor);
    end(fault);
    if (frame != null) {
      failed(frame, fault);
    }
  }

  /** What is flushed from one that ends is nobody's fault, whatever became of its rail. */
  private Fault fault(int status, int vendor) {
    if (ending != null) {
      var text = endpoint + ": flushed, since it ends: " + ending.text();
      return new Fault(Blame.NEUTRAL, ending.code(), Effect.POSSIBLE, text);
    }
    boolean active = endpoint.rail().active();
    return WcStatus.fault(status, vendor, true, endpoint.toString(), active);
  }

  // Receiving.

  /** A slab came, or null if there is none to be had. Also before it is adopted. */
  void moreReceives(NotifySlab slab) {
    if (slab == null) {
      credits.full();
      return;
    }
    int first = receiveBuffers.size();
    receiveBuffers.add(slab);
    credits.added(slab.slots());
    for (int slot = first; slot < receiveBuffers.size(); slot++) {
      postReceive(slot);
    }
  }

  private void postReceive(int slot) {
    if (ending != null) {
      return;
    }
    var memory = receiveBuffers.slot(slot);
    int error =
        qp.postReceive(
            RECEIVE | slot, memory.address(), receiveBuffers.lkey(slot), NotifySlab.SLOT);
    if (error == 0) {
      credits.post();
    } else if (lane == null) {
      throw new VerbsException("posting a receive for " + endpoint, error);
    } else {
      var text = endpoint + ": posting a receive: " + VerbsException.text(error);
      end(new Fault(Blame.LOCAL, FailureCode.DEVICE, Effect.NONE, text, error));
    }
  }

  private void received(int slot, int status, int vendor, int length) {
    credits.back(status == 0);
    if (status != 0) {
      end(fault(status, vendor));
    } else if (held.isEmpty() && handUp(slot, length)) {
      postReceive(slot);
    } else {
      held.add(new Message(slot, length));
    }
  }

  /** Whether a message was taken, or is nothing to be taken. */
  private boolean handUp(int slot, int length) {
    if (length == 0) {
      return true;
    }
    var frame = receiveBuffers.slot(slot).asSlice(0, length).asReadOnly();
    if (origin.protocol() == 0) {
      var wrong = RawFrame.check(frame);
      if (wrong.isPresent()) {
        malformed(wrong.get());
        return true;
      }
    }
    return lane.listener().received(origin, frame);
  }

  private void malformed(String what) {
    malformed++;
    if (malformed == 1) {
      lane.warn(
          endpoint
              + ": "
              + origin.node()
              + " sent what is no notification; more are only counted: "
              + what);
    }
  }

  /** How many messages were dropped that were no frames. */
  long malformed() {
    return malformed;
  }

  private int offerHeld(long now) {
    int done = 0;
    if (now >= offerAt) {
      while (!held.isEmpty() && handUp(held.peek().slot(), held.peek().length())) {
        postReceive(held.poll().slot());
        done++;
      }
      offerAt = now + AGAIN;
    }
    return done;
  }

  // Turns.

  /** Takes what has come back; answers how much that was. */
  int work(long now) {
    if (over) {
      return 0;
    }
    int done = poll() + offerHeld(now);
    pump();
    done += expire(now);
    if (ending == null) {
      int more = credits.growth();
      if (more > 0) {
        lane.toSupervisor(() -> endpoint.growReceives(more));
      }
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
      received((int) id, cq.status(k), cq.vendorError(k), cq.length(k));
    } else {
      sent((int) id, cq.status(k), cq.vendorError(k));
    }
  }

  private void queueBroken(int code) {
    broken = true;
    var text = endpoint + ": its completion queue cannot be polled: " + code;
    end(new Fault(Blame.LOCAL, FailureCode.DEVICE, Effect.NONE, text));
    var device = endpoint.rail().device();
    lane.toSupervisor(() -> device.broken(text));
  }

  /** Whether something was sent, or is to be handed up, that comes to its end by itself. */
  boolean underWay(long now) {
    boolean flushing = ending != null && !over && now < handOverAt;
    return flushing || ending == null && sends.taken() > 0;
  }

  /** When it has something to do though nothing came. */
  long nextDeadline() {
    long next = expiry;
    if (!held.isEmpty()) {
      next = Math.min(next, offerAt);
    }
    if (ending != null && sends.pending() + waiting.size() > 0) {
      next = Math.min(next, handOverAt);
    }
    return next;
  }

  boolean polled() {
    return cq.polled();
  }

  // The end.

  @Override
  public void retire(RetireReason reason, long now) {
    end(RdmaChannel.retired(link, reason));
    lookForEnd(now);
  }

  /** Ends it; does nothing to one that ends already. */
  void end(Fault cause) {
    if (ending != null || lane == null) {
      return;
    }
    ending = new Fault(cause.blame(), cause.code(), Effect.NONE, cause.text(), cause.vendorCode());
    handOverAt = lane.now() + handOver;
    lane.toSupervisor(endpoint::drain);
    lane.ending();
  }

  /** Answers whether that was a step. */
  private int lookForEnd(long now) {
    if (ending == null) {
      return 0;
    }
    int steps = 0;
    if (sends.pending() > 0 && now >= handOverAt) {
      giveUp();
      steps++;
    }
    if (sends.pending() == 0 && !down) {
      goDown();
      steps++;
    }
    if (!over && down && sends.taken() == 0 && credits.posted() == 0 && held.isEmpty()) {
      over = true;
      lane.toSupervisor(endpoint::drained);
      steps++;
    }
    return steps;
  }

  /** What was sent and has not come back may have arrived. */
  private void giveUp() {
    var text = endpoint + ": no word of it when its link ended: " + ending.text();
    var fault = new Fault(Blame.NEUTRAL, ending.code(), Effect.POSSIBLE, text);
    for (var frame = sends.giveUpOldest(); frame != null; frame = sends.giveUpOldest()) {
      failed(frame, fault);
    }
  }

  private void goDown() {
    down = true;
    expiry = Long.MAX_VALUE;
    for (var frame = waiting.poll(); frame != null; frame = waiting.poll()) {
      failed(frame, ending);
    }
    if (link != null) {
      lane.listener().portDown(this, ending);
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
    offerAt = now;
    while (poll() > 0) {
      // All of it.
    }
    offerHeld(now);
    if (!held.isEmpty()) {
      lane.warn(endpoint + ": closed with " + held.size() + " notifications that nobody took");
    }
    giveUp();
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
