package dev.shunt.transport.rdma;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Fault.Effect;
import dev.shunt.api.spi.NotifyOrigin;
import dev.shunt.api.spi.RawFrame;
import dev.shunt.transport.rdma.core.ReceiveCredits;
import dev.shunt.transport.rdma.verbs.VerbsException;
import dev.shunt.transport.rdma.verbs.VerbsQp;
import java.util.ArrayDeque;

/** The receiving half of a {@link NotifyEnd}: posted slots, and messages that nobody took yet. */
final class NotifyReceives {
  /** How soon what was not taken is offered again. */
  private static final long AGAIN = 1_000_000;

  private final NotifyEnd end;
  private final VerbsQp qp;
  private final ReceiveCredits credits;
  private final NotifyBuffers buffers = new NotifyBuffers();
  private final ArrayDeque<Message> held = new ArrayDeque<>();
  private NotifyOrigin origin;
  private long offerAt;
  private long malformed;

  /** A message that was not taken yet. */
  private record Message(int slot, int length) {}

  NotifyReceives(NotifyEnd end, VerbsQp qp, int bound) {
    this.end = end;
    this.qp = qp;
    credits = new ReceiveCredits(bound);
  }

  void from(NotifyOrigin node) {
    origin = node;
  }

  /** How many are posted. */
  int posted() {
    return credits.posted();
  }

  /** How many messages wait to be taken. */
  int held() {
    return held.size();
  }

  /** When to offer them again. */
  long offerAt() {
    return held.isEmpty() ? Long.MAX_VALUE : offerAt;
  }

  /** How many receives to add now, or 0. */
  int growth() {
    return credits.growth();
  }

  /**
   * A slab came, or null if there is none to be had.
   *
   * @throws VerbsException if it cannot be posted, and no lane has it yet
   */
  void more(NotifySlab slab) {
    if (slab == null) {
      credits.full();
      return;
    }
    int first = buffers.size();
    buffers.add(slab);
    credits.added(slab.slots());
    for (int slot = first; slot < buffers.size(); slot++) {
      post(slot);
    }
  }

  private void post(int slot) {
    if (end.isEnding()) {
      return;
    }
    long id = NotifyEnd.RECEIVE | slot;
    int error =
        qp.postReceive(id, buffers.slot(slot).address(), buffers.lkey(slot), NotifySlab.SLOT);
    if (error == 0) {
      credits.post();
    } else if (end.lane() == null) {
      throw new VerbsException("posting a receive for " + end.endpoint(), error);
    } else {
      var text = end.endpoint() + ": posting a receive: " + VerbsException.text(error);
      end.end(new Fault(Blame.LOCAL, FailureCode.DEVICE, Effect.NONE, text, error));
    }
  }

  /** A receive came back. What landed is handed up, whatever has begun to end meanwhile. */
  void back(int slot, int status, int vendor, int length) {
    credits.back(status == 0);
    if (status != 0) {
      end.end(end.fault(status, vendor));
    } else if (held.isEmpty() && handUp(slot, length)) {
      post(slot);
    } else {
      held.add(new Message(slot, length));
    }
  }

  /** Whether a message was taken, or is nothing to be taken. */
  private boolean handUp(int slot, int length) {
    if (length == 0) {
      return true;
    }
    var frame = buffers.slot(slot).asSlice(0, length).asReadOnly();
    if (origin.protocol() == 0) {
      var wrong = RawFrame.check(frame);
      if (wrong.isPresent()) {
        dropped(wrong.get());
        return true;
      }
    }
    return end.lane().listener().received(origin, frame);
  }

  private void dropped(String why) {
    malformed++;
    if (malformed == 1) {
      end.lane()
          .warn(
              end.endpoint()
                  + ": "
                  + origin.node()
                  + " sent what is no notification; more are only counted: "
                  + why);
    }
  }

  /** Offers what was not taken, in order; answers how much was. */
  int offer(long now) {
    int done = 0;
    if (now >= offerAt) {
      while (!held.isEmpty() && handUp(held.peek().slot(), held.peek().length())) {
        post(held.poll().slot());
        done++;
      }
      offerAt = now + AGAIN;
    }
    return done;
  }

  /** The last time that anybody can take it. */
  void offerLast(long now) {
    offerAt = now;
    offer(now);
    if (!held.isEmpty()) {
      end.lane()
          .warn(
              end.endpoint() + ": closed with " + held.size() + " notifications that nobody took");
    }
  }
}
