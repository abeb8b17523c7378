package dev.shunt.runtime.transfer.core;

import java.util.ArrayList;
import java.util.List;

/**
 * Which of a flow's paths carries a slice. Asks for channels where none of those that fit is there.
 */
final class PathPicker {
  /** For so long what has only paths that rest waits for one that is being connected. */
  private static final long CONNECT_PATIENCE = 500_000_000L;

  /** Orders of rails that are remembered; with more of them they are made again. */
  private static final int MOST_CHOICES = 256;

  private final PathSlot[] slots;
  private final SamePlace samePlace;
  private final int[][] places;
  private final PathChoice all;
  private final List<PathChoice> choices = new ArrayList<>();
  private final FlowLimits limits;
  private final FlowPort port;
  private PathChoice latest;
  private int rotor;

  /**
   * Fills the array with the paths, in the order in which they are chosen where no request wants
   * another.
   *
   * @param slots whose elements the owner replaces at times
   * @param remotes by remote rail, the number of its place
   */
  PathPicker(PathSlot[] slots, int localRails, int[] remotes, FlowLimits limits, FlowPort port) {
    int remoteRails = remotes.length;
    this.slots = slots;
    this.samePlace = new SamePlace(remotes);
    this.limits = limits;
    this.port = port;
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

  /** A path for a slice that has no history; asks for channels where that helps. */
  PathSlot pickAny(RequestState request, long now) {
    return pickAny(choice(request), now);
  }

  private PathSlot pickAny(PathChoice choice, long now) {
    int usable = 0;
    for (int i = 0; i < choice.primaries; i++) {
      var slot = slots[choice.order[i]];
      if (slot.state == PathSlot.State.IDLE && slot.promising(now)) {
        connect(slot, now);
      }
      if (!slot.unused() && !slot.paused(now) && slot.state == PathSlot.State.UP) {
        usable++;
      }
    }
    if (usable > 0) {
      var next = share(choice, usable, now);
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

  /** Until when what has only paths that rest waits for one that is being connected. */
  long waitedFor(PathSlot slot) {
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

  /** The next of the usual paths that has not its share of the window yet. */
  private PathSlot share(PathChoice choice, int usable, long now) {
    for (int i = 0; i < choice.primaries; i++) {
      var slot = slots[choice.order[(rotor + i) % choice.primaries]];
      if (slot.ready() && !slot.paused(now) && !slot.full(limits, usable)) {
        rotor = (rotor + i + 1) % choice.primaries;
        return slot;
      }
    }
    return null;
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
}
