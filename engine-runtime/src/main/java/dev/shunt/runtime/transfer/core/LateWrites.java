package dev.shunt.runtime.transfer.core;

import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Limits.Fencing;
import dev.shunt.api.spi.RetireReason;
import java.util.ArrayList;

/**
 * Writes whose request has ended while something of them may still land at the remote. The fabric
 * has let go of them, and so of local memory; but their batch has settled only when the remote
 * refuses the links that they went by, or the grace has passed. Past the drain limit, or where
 * nobody can tell when it is over, they are quarantined.
 */
final class LateWrites {
  /** With more of them the oldest count as never fenced. */
  static final int MOST = 4096;

  /** Of so many that are quarantined it is still found out whether they were fenced after all. */
  static final int MOST_QUARANTINED = 256;

  /** Its time begins with the next turn. */
  private static final long UNTIMED = Long.MIN_VALUE;

  private final FlowLimits limits;
  private final long patience;
  private final Endings endings;
  private final Paths paths;
  private final ArrayList<PooledSlice> late = new ArrayList<>();
  private int quarantined;
  private RetireReason retired;
  private boolean hurried;

  LateWrites(FlowLimits limits, long grace, Endings endings, Paths paths) {
    this.limits = limits;
    this.patience = Math.max(limits.drainLimit(), grace);
    this.endings = endings;
    this.paths = paths;
  }

  boolean isEmpty() {
    return late.isEmpty();
  }

  /** A slice of a request that has ended is on no channel any more. */
  void ended(PooledSlice slice) {
    if (slice.state == PooledSlice.State.QUARANTINED || !mayLand(slice)) {
      endings.drained(slice);
      return;
    }
    endings.linger(slice);
    if (limits.fencing() == Fencing.NONE || retired != null) {
      endings.quarantine(slice);
      endings.forget(slice);
      return;
    }
    if (late.size() == MOST) {
      var oldest = late.removeFirst();
      if (oldest.state == PooledSlice.State.QUARANTINED) {
        quarantined--;
      }
      endings.quarantine(oldest);
      endings.forget(oldest);
    }
    slice.failedAt = UNTIMED;
    late.add(slice);
  }

  /** A request that was to go on by another transport has ended before it went. */
  void ended(Part part, RequestState request, PooledSlice rest) {
    rest.part = part;
    rest.use = part.use;
    rest.length = request.left;
    rest.state = PooledSlice.State.WAITING;
    rest.stale = request.stale;
    rest.request = request;
    request.stale = null;
    request.add(rest);
    ended(rest);
  }

  private boolean mayLand(PooledSlice slice) {
    if (retired == RetireReason.STALE_GENERATION) {
      // With the process that it was for its memory is gone.
      return false;
    }
    if (limits.fencing() == Fencing.NONE) {
      return slice.write() && slice.fault != null && slice.fault.effect() == Fault.Effect.POSSIBLE;
    }
    return open(slice);
  }

  private static boolean open(PooledSlice slice) {
    if (slice.stale != null) {
      for (int i = 0; i < slice.stale.size(); i++) {
        if (!slice.stale.get(i).over()) {
          return true;
        }
      }
    }
    return false;
  }

  /** In words, whose refusal of an old attempt a request waits for; empty if for nobody's. */
  static String unfenced(RequestState request) {
    int refusals = refusals(request.stale);
    for (var slice = request.first; slice != null; slice = slice.nextOfRequest) {
      refusals = Math.max(refusals, refusals(slice.stale));
    }
    if (refusals < 0) {
      return "";
    }
    return "nobody has made sure that an old attempt does not land any more"
        + (refusals == 0
            ? ""
            : ": the peer was asked "
                + refusals
                + (refusals == 1 ? " time" : " times")
                + " in vain");
  }

  /** How often one of some links was asked for in vain that is feared still; -1 if none is. */
  private static int refusals(ArrayList<StaleLink> links) {
    int most = -1;
    for (int i = 0; links != null && i < links.size(); i++) {
      if (!links.get(i).over()) {
        most = Math.max(most, links.get(i).refusals);
      }
    }
    return most;
  }

  /** Whether somebody whose word is missing was asked for it in vain. */
  private static boolean refused(PooledSlice slice) {
    for (int i = 0; i < slice.stale.size(); i++) {
      var link = slice.stale.get(i);
      if (!link.fenced && link.refusals > 0) {
        return true;
      }
    }
    return false;
  }

  /** Lets the links of those that came last be fenced without a stream. */
  void admit(long now) {
    for (int i = late.size() - 1; i >= 0 && late.get(i).failedAt == UNTIMED; i--) {
      var slice = late.get(i);
      slice.failedAt = now;
      for (int j = slice.stale.size() - 1; j >= 0; j--) {
        var link = slice.stale.get(j);
        if (limits.fencing() == Fencing.ORDERED && paths.carries(link.id)) {
          // Its stream goes on, so the remote has answered: nothing of it is under way.
          slice.stale.remove(j);
          link.users--;
        } else {
          link.byWord = true;
        }
      }
    }
  }

  /** Lets those go of which nothing can land any more, and gives up those that last too long. */
  void pump(long now) {
    int kept = 0;
    for (int i = 0; i < late.size(); i++) {
      var slice = late.get(i);
      if (keeps(slice, now)) {
        late.set(kept++, slice);
      }
    }
    while (late.size() > kept) {
      late.removeLast();
    }
  }

  /**
   * The engine is about to close: who did not give its word when it was asked is not waited for.
   */
  void hurry() {
    hurried = true;
  }

  private boolean keeps(PooledSlice slice, long now) {
    if (!open(slice)) {
      if (slice.state == PooledSlice.State.QUARANTINED) {
        quarantined--;
      }
      endings.drained(slice);
      return false;
    }
    if (hurried && refused(slice)) {
      if (slice.state == PooledSlice.State.QUARANTINED) {
        quarantined--;
      } else {
        endings.quarantine(slice);
      }
      endings.forget(slice);
      return false;
    }
    if (slice.state == PooledSlice.State.DRAINING && now - slice.failedAt > patience) {
      endings.quarantine(slice);
      if (quarantined == MOST_QUARANTINED) {
        endings.forget(slice);
        return false;
      }
      quarantined++;
    }
    return true;
  }

  long nextDeadline() {
    for (int i = 0; i < late.size(); i++) {
      if (late.get(i).state == PooledSlice.State.DRAINING && late.get(i).failedAt != UNTIMED) {
        return late.get(i).failedAt + patience + 1;
      }
    }
    return Long.MAX_VALUE;
  }

  /** Nobody is asked any more. */
  void retire(RetireReason reason) {
    retired = reason;
    for (int i = 0; i < late.size(); i++) {
      var slice = late.get(i);
      if (reason == RetireReason.STALE_GENERATION) {
        endings.drained(slice);
      } else {
        endings.quarantine(slice);
        endings.forget(slice);
      }
    }
    late.clear();
    quarantined = 0;
  }
}
