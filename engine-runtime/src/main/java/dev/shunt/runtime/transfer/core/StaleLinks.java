package dev.shunt.runtime.transfer.core;

import dev.shunt.api.Failure;
import dev.shunt.api.spi.Limits.Fencing;
import java.util.ArrayList;

/**
 * The fences of a flow. A write that failed with an unknown end is redone at once, but its request
 * does not complete before the old link is refused by the remote: where fences are ordered one goes
 * ahead of the redo on the same channel; where they go by word the redo, once done, is held until
 * the remote has answered. Where nobody can be asked it is held until a grace has passed since the
 * old attempt ended. A request that goes on by another transport leaves no stream behind that an
 * ordered fence could go by: its links are fenced by word, or by the grace.
 */
final class StaleLinks {
  private static final long FIRST_RETRY = 100_000_000L;

  /** No more often than peers are probed. */
  private static final long LAST_RETRY = 1_000_000_000L;

  private final FlowLimits limits;
  private final long grace;
  private final FlowPort port;
  private final Endings endings;
  private final LateWrites late;
  private final Tally counters;
  private final ArrayList<StaleLink> links = new ArrayList<>();
  private final ArrayList<PooledSlice> held = new ArrayList<>();

  StaleLinks(
      FlowLimits limits,
      long grace,
      FlowPort port,
      Endings endings,
      LateWrites late,
      Tally counters) {
    this.limits = limits;
    this.grace = grace;
    this.port = port;
    this.endings = endings;
    this.late = late;
    this.counters = counters;
  }

  /** Whether no redo waits for the remote's word. */
  boolean holdsNothing() {
    return held.isEmpty();
  }

  /** A write failed on a slot's channel and may still be applied: that link is to be fenced. */
  void suspect(PooledSlice slice, PathSlot slot, long now) {
    if (limits.fencing() == Fencing.NONE) {
      return;
    }
    var link = link(slot, now);
    // The grace runs from the last attempt that ended there.
    link.endedAt = now;
    link.outwaited = false;
    if (limits.fencing() == Fencing.GRACE) {
      link.fenced = false;
    }
    if (slice.stale == null) {
      slice.stale = new ArrayList<>(2);
    }
    if (!slice.stale.contains(link)) {
      slice.stale.add(link);
      link.users++;
    }
  }

  private StaleLink link(PathSlot slot, long now) {
    for (int i = 0; i < links.size(); i++) {
      if (links.get(i).id.equals(slot.link)) {
        return links.get(i);
      }
    }
    var link = new StaleLink(slot.link);
    link.askAgainAt = now;
    links.add(link);
    return link;
  }

  /**
   * Puts fences for the slice's old attempts on the channel, ahead of its redo.
   *
   * @return false if they, or the redo after them, find no room there
   */
  boolean fenceAhead(PooledSlice slice, PathSlot slot, long now) {
    if (slice.write() && !fenceLate(slot, now)) {
      return false;
    }
    if (slice.stale == null || limits.fencing() != Fencing.ORDERED) {
      return true;
    }
    for (int i = 0; i < slice.stale.size(); i++) {
      if (!fence(slice.stale.get(i), slot, now)) {
        return false;
      }
    }
    return slot.ready();
  }

  /**
   * Puts fences on the channel for links of writes that have ended, ahead of a newer write: what
   * completes by that channel is not written over by them, though their word is still out.
   *
   * @return false if they, or the write after them, find no room there
   */
  boolean fenceLate(PathSlot slot, long now) {
    if (links.isEmpty() || limits.fencing() != Fencing.ORDERED) {
      return true;
    }
    for (int i = 0; i < links.size(); i++) {
      var link = links.get(i);
      if (link.byWord && link.users > 0 && !fence(link, slot, now)) {
        return false;
      }
    }
    return slot.ready();
  }

  private boolean fence(StaleLink link, PathSlot slot, long now) {
    if (link.fenced || slot.hasFenced(link.id)) {
      return true;
    }
    if (!slot.channel.fence(link.id, now)) {
      return false;
    }
    counters.add(Counter.FENCES, 1);
    slot.rememberFenced(link.id);
    slot.unflushed = true;
    return true;
  }

  /** Lets go of links that somebody waits for no more. */
  static void leave(ArrayList<StaleLink> links) {
    for (int i = 0; i < links.size(); i++) {
      links.get(i).users--;
    }
  }

  /**
   * Whether nothing that a request left on its links can land any more; those that are open are
   * fenced without a stream.
   */
  boolean over(RequestState request) {
    var open = false;
    if (request.stale != null) {
      for (int i = 0; i < request.stale.size(); i++) {
        var link = request.stale.get(i);
        open |= !link.over();
        link.byWord = true;
      }
    }
    return !open;
  }

  /** Whether there was but the grace to wait for, for what a request left on its links. */
  boolean outwaited(RequestState request) {
    return request.stale != null
        && !request.stale.isEmpty()
        && (limits.fencing() == Fencing.GRACE || !port.canFence());
  }

  private boolean byWord(StaleLink link) {
    return limits.fencing() == Fencing.BY_WORD
        || (limits.fencing() == Fencing.ORDERED && link.byWord && port.canFence());
  }

  private boolean byGrace(StaleLink link) {
    return limits.fencing() == Fencing.GRACE || (link.byWord && !port.canFence());
  }

  /** Whether a redo that is done is alone: nothing of its old attempts can land any more. */
  boolean alone(PooledSlice slice) {
    var all = true;
    for (int i = 0; i < slice.stale.size(); i++) {
      var link = slice.stale.get(i);
      if (limits.fencing() == Fencing.ORDERED) {
        // The fence went ahead of the redo, which is done: so the fence is.
        link.fenced = true;
      }
      all &= link.fenced;
    }
    return all;
  }

  /** A redo is done, and alone. */
  void completed(PooledSlice slice) {
    if (limits.fencing() == Fencing.GRACE) {
      counters.add(Counter.UNFENCED, 1);
      port.unfenced(slice.length());
    }
    endings.completed(slice);
  }

  /** A redo is done, and not alone yet. */
  void hold(PooledSlice slice) {
    slice.state = PooledSlice.State.HELD;
    held.add(slice);
  }

  /** The remote has answered. */
  void answered(StaleLink link, boolean word, long now) {
    link.asked = false;
    if (word) {
      link.fenced = true;
      releaseHeld();
    } else {
      link.askAgainAt = now + Math.min(LAST_RETRY, FIRST_RETRY << Math.min(link.refusals++, 4));
    }
  }

  /** Ends the requests of all that is held. */
  void failHeld(Failure failure) {
    for (int i = 0; i < held.size(); i++) {
      endings.fail(held.get(i).part, failure);
    }
    releaseHeld();
  }

  /** Asks for the word that is missing, and lets go of what waits no more. */
  void pump(long now) {
    for (int i = links.size() - 1; i >= 0; i--) {
      var link = links.get(i);
      if (byGrace(link) && link.users > 0 && now - link.endedAt >= grace) {
        link.outwaited = true;
        link.fenced |= limits.fencing() != Fencing.ORDERED;
      }
      if (link.fenced || link.users == 0) {
        if (!link.asked) {
          links.remove(i);
        }
      } else if (byWord(link) && !link.asked && link.askAgainAt - now <= 0) {
        link.asked = true;
        counters.add(Counter.FENCES, 1);
        port.fence(link, now + limits.connectTimeout());
      }
    }
    if (!held.isEmpty()) {
      releaseHeld();
    }
  }

  long nextDeadline() {
    var next = Long.MAX_VALUE;
    for (int i = 0; i < links.size(); i++) {
      var link = links.get(i);
      if (!link.fenced && link.users > 0) {
        if (byWord(link) && !link.asked) {
          next = Math.min(next, link.askAgainAt);
        } else if (byGrace(link) && !link.outwaited) {
          next = Math.min(next, link.endedAt + grace);
        }
      }
    }
    return next;
  }

  private void releaseHeld() {
    for (int i = held.size() - 1; i >= 0; i--) {
      var slice = held.get(i);
      if (slice.request.ended) {
        held.remove(i);
        late.ended(slice);
      } else if (slice.request.moving) {
        held.remove(i);
        endings.letGo(slice);
      } else if (alone(slice)) {
        held.remove(i);
        completed(slice);
      }
    }
  }
}
