package dev.shunt.runtime.transfer.core;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.RetireReason;
import java.util.ArrayList;
import java.util.List;

/** The paths of a flow: their channels, and which of these are retired, or given up. */
public final class Paths {
  private static final long FIRST_BACK_OFF = 10_000_000L;
  private static final long LAST_BACK_OFF = 1_000_000_000L;

  /** A transport answers by the deadline; past that and this much more it is taken for broken. */
  private static final long UNANSWERED_AFTER = 1_000_000_000L;

  /** Channels that never let go of their slices. With more of them a path is out of use. */
  private static final int MOST_GIVEN_UP = 16;

  private final PathSlot[] slots;
  private final List<PathSlot> givenUp = new ArrayList<>();
  private final PathPicker picker;
  private final FlowLimits limits;
  private final FlowPort port;
  private final Tally counters;
  private int unused;

  Paths(int localRails, int[] remotes, FlowLimits limits, FlowPort port, Tally counters) {
    this.limits = limits;
    this.port = port;
    this.counters = counters;
    slots = new PathSlot[localRails * remotes.length];
    picker = new PathPicker(slots, localRails, remotes, limits, port);
  }

  /** Chooses among them. */
  PathPicker picker() {
    return picker;
  }

  /** All of them. Not to be changed. */
  public List<PathSlot> slots() {
    return List.of(slots);
  }

  int posted() {
    int sum = 0;
    for (var slot : slots) {
      sum += slot.posted;
    }
    for (var slot : givenUp) {
      sum += slot.posted;
    }
    return sum;
  }

  static long backOff(int failures) {
    return Math.min(LAST_BACK_OFF, FIRST_BACK_OFF << Math.min(failures - 1, 7));
  }

  PathSlot connecting(LinkId attempt) {
    for (var slot : slots) {
      if (slot.state == PathSlot.State.CONNECTING && attempt.equals(slot.link)) {
        return slot;
      }
    }
    return null;
  }

  boolean anyUpOrConnecting() {
    for (var slot : slots) {
      if (slot.state != PathSlot.State.IDLE && !slot.unused()) {
        return true;
      }
    }
    return false;
  }

  /** Whether none of our rails is in use, or none of the remote's. */
  boolean deserted() {
    return unused == slots.length;
  }

  /** Whether that is by the remote's word, which may be an old one: rails of ours are in use. */
  boolean desertedByTheRemote() {
    if (deserted()) {
      for (var slot : slots) {
        if (!slot.inactive) {
          return true;
        }
      }
    }
    return false;
  }

  /** No path has carried anything well from now on, until it does so again. */
  void doubt() {
    for (var slot : slots) {
      slot.proven = false;
    }
  }

  Fault lastFault() {
    if (deserted()) {
      return noRail();
    }
    Fault last = null;
    for (var slot : slots) {
      if (slot.lastFault != null) {
        last = slot.lastFault;
      }
    }
    return last != null
        ? last
        : new Fault(
            Fault.Blame.LOCAL, FailureCode.NO_RAIL, Fault.Effect.NONE, "no rail was usable");
  }

  Fault noRail() {
    return new Fault(
        Fault.Blame.LOCAL,
        FailureCode.NO_RAIL,
        Fault.Effect.NONE,
        "none of our rails is in use for its memory, or none of the remote's");
  }

  void postpone(long until) {
    for (var slot : slots) {
      if (slot.state == PathSlot.State.IDLE && slot.notBefore - until < 0) {
        slot.notBefore = until;
      }
    }
  }

  // ---- watching

  /** A path whose channel should have been there, or refused, long ago; null if there is none. */
  PathSlot unanswered(long now) {
    for (var slot : slots) {
      if (slot.state == PathSlot.State.CONNECTING && now - slot.connectBy - UNANSWERED_AFTER > 0) {
        return slot;
      }
    }
    return null;
  }

  /** Retires channels that stall, and gives up those that do not drain. */
  void watch(long now, Endings endings) {
    for (int i = 0; i < slots.length; i++) {
      var slot = slots[i];
      if (slot.state == PathSlot.State.UP
          && slot.oldest != null
          && now - slot.oldest.postedAt > limits.stallLimit()) {
        counters.add(Counter.CHANNELS_STALLED, 1);
        retire(slot, RetireReason.STALLED, now);
      } else if (slot.state == PathSlot.State.RETIRING
          && !slot.quarantined
          && now - slot.retiringSince > limits.drainLimit()) {
        slot.quarantined = true;
        for (var slice = slot.oldest; slice != null; slice = slice.nextOnSlot) {
          endings.quarantine(slice);
        }
        if (givenUp.size() < MOST_GIVEN_UP) {
          givenUp.add(slot);
          slots[i] = slot.successor();
        }
      }
    }
  }

  /** Whether a channel was given up long ago, so that its end is no news of its path. */
  boolean endGivenUp(PathSlot slot) {
    return givenUp.remove(slot);
  }

  /** The steward lets a path rest until a time; one in the past ends the rest. */
  public void pause(PathSlot slot, long until) {
    slot.pausedUntil = until;
  }

  /**
   * Whether a path's local rail may be used. One that may not loses its channel, and what was asked
   * for is not waited for.
   */
  public void activate(PathSlot slot, boolean active, long now) {
    mark(slot, !active, slot.remoteInactive);
    if (active) {
      return;
    }
    if (slot.state == PathSlot.State.UP) {
      retire(slot, RetireReason.RAIL_INACTIVE, now);
    } else if (slot.state == PathSlot.State.CONNECTING) {
      port.forget(slot.link);
      slot.idle(now);
    }
  }

  /** Whether the remote uses a path's remote rail. A channel that is there stays as it is. */
  public void activateRemote(PathSlot slot, boolean active) {
    mark(slot, slot.inactive, !active);
  }

  private void mark(PathSlot slot, boolean inactive, boolean remoteInactive) {
    unused -= slot.unused() ? 1 : 0;
    slot.inactive = inactive;
    slot.remoteInactive = remoteInactive;
    unused += slot.unused() ? 1 : 0;
  }

  /**
   * Tells of slices that failed by our rails' fault, and whose channels live on: where a channel
   * ends that is told once.
   */
  void tellLocalFaults() {
    for (var slot : slots) {
      for (; slot.localFaults > 0; slot.localFaults--) {
        port.railFailed(slot.localRail, slot.localFault);
      }
    }
  }

  /** The path whose channel is of that link; null if there is none. */
  public PathSlot up(LinkId link) {
    for (var slot : slots) {
      if (slot.state != PathSlot.State.CONNECTING && link.equals(slot.link)) {
        return slot;
      }
    }
    return null;
  }

  /** Whether the channel of a link goes on. */
  boolean carries(LinkId link) {
    var slot = up(link);
    return slot != null && slot.state == PathSlot.State.UP;
  }

  /** Whether any path has, or waits for, a channel. */
  public boolean busy() {
    for (var slot : slots) {
      if (slot.state != PathSlot.State.IDLE) {
        return true;
      }
    }
    return false;
  }

  void retireAll(RetireReason reason, long now) {
    for (var slot : slots) {
      if (slot.state == PathSlot.State.UP) {
        retire(slot, reason, now);
      } else if (slot.state == PathSlot.State.CONNECTING) {
        slot.idle(Long.MAX_VALUE);
      }
    }
  }

  private void retire(PathSlot slot, RetireReason reason, long now) {
    slot.state = PathSlot.State.RETIRING;
    slot.retiringSince = now;
    slot.retired = reason;
    slot.channel.retire(reason, now);
  }

  void flush(long now) {
    for (var slot : slots) {
      if (slot.unflushed && slot.state == PathSlot.State.UP) {
        slot.unflushed = false;
        slot.channel.flush(now);
      }
    }
  }

  long nextWatch(long now, boolean wanting) {
    var next = Long.MAX_VALUE;
    for (var slot : slots) {
      switch (slot.state) {
        case UP -> {
          if (slot.oldest != null) {
            next = Math.min(next, slot.oldest.postedAt + limits.stallLimit() + 1);
          }
        }
        case RETIRING -> {
          if (!slot.quarantined) {
            next = Math.min(next, slot.retiringSince + limits.drainLimit() + 1);
          }
        }
        case IDLE -> {
          if (wanting && !slot.unused() && slot.notBefore - now > 0) {
            next = Math.min(next, slot.notBefore);
          }
        }
        case CONNECTING -> {
          next = Math.min(next, slot.connectBy + UNANSWERED_AFTER + 1);
          if (wanting && picker.waitedFor(slot) - now > 0) {
            next = Math.min(next, picker.waitedFor(slot));
          }
        }
      }
    }
    return next;
  }
}
