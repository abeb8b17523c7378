package dev.shunt.transport.rdma;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Fault.Effect;
import dev.shunt.api.spi.NotifyFrame;
import dev.shunt.transport.rdma.core.FrameSlots;
import dev.shunt.transport.rdma.verbs.VerbsException;
import dev.shunt.transport.rdma.verbs.VerbsQp;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;

/** The sending half of a {@link NotifyEnd}: frames in slots, and those that wait for one. */
final class NotifySends {
  private final NotifyEnd end;
  private final VerbsQp qp;
  private final int waitingBound;
  private final FrameSlots slots;
  private final NotifyBuffers buffers = new NotifyBuffers();
  private final ArrayDeque<NotifyFrame> waiting = new ArrayDeque<>();
  private long expiry = Long.MAX_VALUE;
  private boolean growing;

  NotifySends(NotifyEnd end, VerbsQp qp, int bound, int waitingBound) {
    this.end = end;
    this.qp = qp;
    this.waitingBound = waitingBound;
    slots = new FrameSlots(bound);
  }

  /** A slab came, or null if there is none to be had. */
  void more(NotifySlab slab) {
    growing = slab == null;
    if (slab != null) {
      buffers.add(slab);
      slots.add(slab.slots());
      pump();
    }
  }

  int room() {
    return slots.room() + waitingBound - waiting.size();
  }

  /** How many were sent, or wait, and are to be reported. */
  int pending() {
    return slots.pending() + waiting.size();
  }

  /** How many were sent and are to be reported. */
  int sent() {
    return slots.pending();
  }

  /** How many slots the device still uses. */
  int taken() {
    return slots.taken();
  }

  /** When the first that waits has waited long enough. */
  long expiry() {
    return expiry;
  }

  /** Takes one while its end is not ending. */
  void post(NotifyFrame frame, long now) {
    long length = frame.bytes().byteSize();
    if (length < 1 || length > NotifySlab.SLOT) {
      var text =
          end.endpoint() + ": a frame of " + length + " bytes; it has 1 to " + NotifySlab.SLOT;
      end.failed(frame, new Fault(Blame.REQUEST, FailureCode.REJECTED, Effect.NONE, text));
    } else if (waiting.isEmpty() && slots.room() > 0) {
      send(frame);
    } else if (waiting.size() >= waitingBound) {
      end.failed(frame, busy(waiting.size() + " wait for a slot already"));
    } else if (frame.slotDeadline() - now <= 0) {
      end.failed(frame, busy("no slot is free, and there is no time to wait for one"));
    } else {
      waiting.add(frame);
      expiry = Math.min(expiry, frame.slotDeadline());
      grow();
    }
  }

  private Fault busy(String text) {
    return new Fault(Blame.NEUTRAL, FailureCode.BUSY, Effect.NONE, end.endpoint() + ": " + text);
  }

  private void grow() {
    if (!growing && slots.growth() > 0) {
      growing = true;
      int more = Math.min(Math.max(slots.size(), end.lane().firstSlots()), slots.growth());
      var endpoint = end.endpoint();
      end.lane().toSupervisor(() -> endpoint.growSends(more));
    }
  }

  private void send(NotifyFrame frame) {
    int slot = slots.take(frame);
    var memory = buffers.slot(slot);
    int length = (int) frame.bytes().byteSize();
    MemorySegment.copy(frame.bytes(), 0, memory, 0, length);
    int error = qp.post(slot, VerbsQp.SEND, memory.address(), buffers.lkey(slot), length, 0, 0);
    if (error != 0) {
      slots.release(slot);
      var text = end.endpoint() + ": posting a notification: " + VerbsException.text(error);
      var fault = new Fault(Blame.LOCAL, FailureCode.DEVICE, Effect.NONE, text, error);
      end.end(fault);
      end.failed(frame, fault);
    }
  }

  /** Sends what waits, as far as there are slots. */
  void pump() {
    while (!end.isEnding() && slots.room() > 0 && !waiting.isEmpty()) {
      send(waiting.poll());
    }
  }

  /** Gives up what waited long enough; answers how many that were. */
  int expire(long now) {
    if (now < expiry) {
      return 0;
    }
    int before = waiting.size();
    expiry = Long.MAX_VALUE;
    for (var frames = waiting.iterator(); frames.hasNext(); ) {
      var frame = frames.next();
      if (frame.slotDeadline() - now <= 0) {
        frames.remove();
        end.failed(frame, busy("no slot became free in time"));
      } else {
        expiry = Math.min(expiry, frame.slotDeadline());
      }
    }
    return before - waiting.size();
  }

  /** The work of a slot came back. */
  void back(int slot, int status, int vendor) {
    if (!slots.holds(slot)) {
      end.lane().warn(end.endpoint() + ": a completion for slot " + slot + ", which is free");
      return;
    }
    var frame = slots.release(slot);
    if (status == 0) {
      if (frame != null) {
        end.delivered(frame);
      }
      return;
    }
    var fault = end.fault(status, vendor);
    end.end(fault);
    if (frame != null) {
      end.failed(frame, fault);
    }
  }

  /** What was sent and has not come back is reported all the same. */
  void giveUpSent(Fault fault) {
    for (var frame = slots.giveUpOldest(); frame != null; frame = slots.giveUpOldest()) {
      end.failed(frame, fault);
    }
  }

  /** What waits is not sent any more. */
  void giveUpWaiting(Fault fault) {
    expiry = Long.MAX_VALUE;
    for (var frame = waiting.poll(); frame != null; frame = waiting.poll()) {
      end.failed(frame, fault);
    }
  }
}
