package dev.shunt.runtime.transfer.core;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.RetireReason;
import java.util.ArrayList;
import java.util.List;

/** The paths of a flow: which carries the next slice, which are asked for, which are given up. */
public final class Paths {
  private static final long FIRST_BACK_OFF = 10_000_000L;
  private static final long LAST_BACK_OFF = 1_000_000_000L;

  /** A transport answers by the deadline; past that and this much more it is taken for broken. */
  private static final long UNANSWERED_AFTER = 1_000_000_000L;

  /** Channels that never let go of their slices. With more of them a path is out of use. */
  private static final int MOST_GIVEN_UP = 16;

  /** For so long what has only paths that rest waits for one that is being connected. */
  private static final long CONNECT_PATIENCE = 500_000_000L;

  /** Orders of rails that are remembered; with more of them they are made again. */
  private static final int MOST_CHOICES = 256;

  private final PathSlot[] slots;
  private final List<PathSlot> givenUp = new ArrayList<>();
  private final SamePlace samePlace;
  private final int[][] places;
  private final PathChoice all;
  private final List<PathChoice> choices = new ArrayList<>();
  private PathChoice latest;
  private final FlowLimits limits;
  private final FlowPort port;
  private final Tally counters;
  private int rotor;
  private int unused;

  Paths(int localRails, int[] remotes, FlowLimits limits, FlowPort port, Tally counters) {
    int remoteRails = remotes.length;
    this.samePlace = new SamePlace(remotes);
    this.limits = limits;
    this.port = port;
    this.counters = counters;
    slots = new PathSlot[localRails * remoteRails];
    places = new int[localRails][remoteRails];
    for (int i = 0; i < slots.length; i++) {
      slots[i] = new PathSlot(i / remoteRails, i % remoteRails);
      places[i / remoteRails][i % remoteRails] = i;
    }
    // Without any order of rails the paths stand as they are chosen.
    all = new PathChoice(null, null, places);
    var chosen = new PathSlot[slots.length];
    for (int i = 0; i < chosen.length; i++) {
      chosen[i] = slots[all.order[i]];
      places[chosen[i].localRail][chosen[i].remoteRail] = i;
      all.order[i] = i;
    }
    System.arraycopy(chosen, 0, slots, 0, chosen.length);
    latest = all;
  }

  /** The paths for a request. */
  private PathChoice choice(RequestState request) {
    var local = request.localRails;
    var remote = request.remoteRails;
    if (local == null && remote == null) {
      return all;
    }
    if (latest.local != local || latest.remote != remote) {
      latest = known(local, remote);
    }
    return latest;
  }

  private PathChoice known(RailOrder local, RailOrder remote) {
    for (int i = 0; i < choices.size(); i++) {
      if (choices.get(i).isFor(local, remote)) {
        return choices.get(i);
      }
    }
    if (choices.size() == MOST_CHOICES) {
      choices.clear();
    }
    var made = new PathChoice(local, remote, places);
    choices.add(made);
    return made;
  }

  /** Whether requests differ in the paths that there are for them. */
  boolean choosy() {
    return !choices.isEmpty();
  }

  /** Whether none of the paths for a request is in use, though others may be. */
  boolean deserted(RequestState request) {
    for (int place : choice(request).order) {
      if (!slots[place].unused()) {
        return false;
      }
    }
    return true;
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

  /**
   * Other rails that are usable in place of a slot's: local ones for its remote rail, or remote
   * ones.
   */
  int alternatives(PooledSlice slice, boolean local, long now) {
    var failed = slice.slot;
    int count = 0;
    for (int place : choice(slice.request).order) {
      var slot = slots[place];
      var other =
          local
              ? slot.remoteRail == failed.remoteRail && slot.localRail != failed.localRail
              : slot.remoteRail != failed.remoteRail;
      if (other
          && !slot.paused(now)
          && ((slot.state == PathSlot.State.UP && !slot.unused()) || slot.promising(now))) {
        count++;
      }
    }
    return count;
  }

  /**
   * Whether one of the usual paths takes a slice now, and none of them wants to be looked after.
   */
  boolean ready(long now) {
    var ready = false;
    for (int i = 0; i < all.primaries; i++) {
      var slot = slots[i];
      if (slot.state == PathSlot.State.IDLE && slot.promising(now)) {
        return false;
      }
      ready |= slot.ready() && !slot.paused(now);
    }
    return ready;
  }

  // ---- choosing

  /** A path for a slice that has no history; asks for channels where that helps. */
  PathSlot pickAny(RequestState request, long now) {
    return pickAny(choice(request), now);
  }

  private PathSlot pickAny(PathChoice choice, long now) {
    var usable = false;
    for (int i = 0; i < choice.primaries; i++) {
      var slot = slots[choice.order[i]];
      if (slot.state == PathSlot.State.IDLE && slot.promising(now)) {
        connect(slot, now);
      }
      usable |= !slot.unused() && !slot.paused(now) && slot.state == PathSlot.State.UP;
    }
    if (usable) {
      var next = rotate(choice, choice.primaries, now, false);
      return next == null || choice != all
          ? next
          : samePlace.atRest(slots, all.primaries, next, now);
    }
    // None of the usual ones: any that is up, then any that may come up, then the paused ones.
    var up = rotate(choice, choice.preferred, now, false);
    if (up == null) {
      up = rotate(choice, choice.order.length, now, false);
    }
    // One that is up and full is as good as one that has room in a moment.
    if (up != null || anyFittingUp(choice, null, now)) {
      return up;
    }
    if (!connectOne(choice, now, false, null)) {
      connectOne(choice, now, true, null);
    } else if (anySoon(choice, now)) {
      return null;
    }
    return rotate(choice, choice.order.length, now, true);
  }

  /**
   * A path for a slice that failed before.
   *
   * @param patient whether to wait for just the rails that were decided upon
   */
  PathSlot pickFor(PooledSlice slice, long now, boolean patient) {
    var choice = choice(slice.request);
    var fitting = nth(choice, slice, now);
    if (fitting != null) {
      return fitting;
    }
    var coming = connectOne(choice, now, false, slice);
    if (patient && (coming || anyFittingUp(choice, slice, now))) {
      return null;
    }
    return pickAny(choice, now);
  }

  /**
   * Attempt n after the first begins with entry (n - 1) of the rails, preferred ones first, as in
   * Mooncake's engines, and takes the next one that can be had.
   */
  private PathSlot nth(PathChoice choice, PooledSlice slice, long now) {
    int from = slice.attempts - 1;
    for (int i = 0; i < choice.locals.length; i++) {
      int ours = choice.locals[(from + i) % choice.locals.length];
      for (int j = 0; j < choice.remotes.length; j++) {
        int theirs = choice.remotes[(from + j) % choice.remotes.length];
        var slot = slots[places[ours][theirs]];
        if (slot.ready() && !slot.paused(now) && fits(slot, slice)) {
          return slot;
        }
      }
    }
    return null;
  }

  /** Whether a path that does not rest was asked for just now: it is waited for a moment. */
  private boolean anySoon(PathChoice choice, long now) {
    for (int place : choice.order) {
      var slot = slots[place];
      if (slot.state == PathSlot.State.CONNECTING
          && !slot.unused()
          && !slot.paused(now)
          && waitedFor(slot) - now > 0) {
        return true;
      }
    }
    return false;
  }

  private long waitedFor(PathSlot slot) {
    return slot.connectBy - limits.connectTimeout() + CONNECT_PATIENCE;
  }

  private boolean anyFittingUp(PathChoice choice, PooledSlice slice, long now) {
    for (int place : choice.order) {
      var slot = slots[place];
      if (slot.state == PathSlot.State.UP
          && !slot.unused()
          && !slot.paused(now)
          && fits(slot, slice)) {
        return true;
      }
    }
    return false;
  }

  private static boolean fits(PathSlot slot, PooledSlice slice) {
    if (slice == null) {
      return true;
    }
    return (slice.onlyRemoteRail == PooledSlice.ANY || slot.remoteRail == slice.onlyRemoteRail)
        && slot.localRail != slice.notLocalRail
        && slot.remoteRail != slice.notRemoteRail;
  }

  private PathSlot rotate(PathChoice choice, int among, long now, boolean pausedToo) {
    for (int i = 0; i < among; i++) {
      var slot = slots[choice.order[(rotor + i) % among]];
      if (slot.ready() && (pausedToo || !slot.paused(now))) {
        rotor = (rotor + i + 1) % among;
        return slot;
      }
    }
    return null;
  }

  /** Asks for one channel more where none fits; true if one is on its way. */
  private boolean connectOne(PathChoice choice, long now, boolean pausedToo, PooledSlice slice) {
    PathSlot idle = null;
    for (int place : choice.order) {
      var slot = slots[place];
      if (!fits(slot, slice) || slot.unused() || (!pausedToo && slot.paused(now))) {
        continue;
      }
      if (slot.state == PathSlot.State.CONNECTING) {
        return true;
      }
      if (idle == null && slot.state == PathSlot.State.IDLE && slot.notBefore - now <= 0) {
        idle = slot;
      }
    }
    if (idle == null) {
      return false;
    }
    connect(idle, now);
    return true;
  }

  private void connect(PathSlot slot, long now) {
    slot.state = PathSlot.State.CONNECTING;
    slot.connectBy = now + limits.connectTimeout();
    slot.link = port.connect(slot.localRail, slot.remoteRail, slot.connectBy);
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
          if (wanting && waitedFor(slot) - now > 0) {
            next = Math.min(next, waitedFor(slot));
          }
        }
      }
    }
    return next;
  }
}
