package dev.shunt.runtime.transfer.core;

import dev.shunt.api.Failure;
import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Decision;
import dev.shunt.api.spi.FailoverPolicy;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Limits.Fencing;
import dev.shunt.api.spi.SliceFailure;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * What becomes of a flow's slices that failed: the policy decides about each, and what it does not
 * give up waits here until it is redone, or goes on by another transport ({@link Moves}). When no
 * path is left that is the business of {@link Stranded}.
 */
final class FailedSlices {
  /** For so long a slice that is to be handed off waits for that very rail. */
  private static final long HAND_OFF_PATIENCE = 500_000_000L;

  /** For so long one that was refused for its keys waits for newer ones, and looks so often. */
  private static final long KEY_PATIENCE = 1_000_000_000L;

  private static final long KEY_INTERVAL = 10_000_000L;

  private final FlowLimits limits;
  private final FailoverPolicy policy;
  private final FlowPort port;
  private final Tally counters;
  private final Paths paths;
  private final Endings endings;
  private final StaleLinks stale;
  private final LateWrites late;
  private final Moves moves;
  private final ArrayDeque<PooledSlice> waiting = new ArrayDeque<>();
  private final ArrayDeque<PooledSlice> failed = new ArrayDeque<>();
  private final Stranded stranded;

  FailedSlices(
      String remote,
      FlowLimits limits,
      FailoverPolicy policy,
      FlowPort port,
      Tally counters,
      Paths paths,
      Endings endings,
      StaleLinks stale,
      LateWrites late,
      PartQueue queue,
      Moves moves) {
    this.limits = limits;
    this.policy = policy;
    this.port = port;
    this.counters = counters;
    this.paths = paths;
    this.endings = endings;
    this.stale = stale;
    this.late = late;
    this.moves = moves;
    this.stranded =
        new Stranded(remote, limits, policy, port, paths, endings, queue, moves, waiting, this);
  }

  /** Whether it has no slice. */
  boolean isEmpty() {
    return waiting.isEmpty() && failed.isEmpty();
  }

  /** Whether a slice waits to be redone. */
  boolean awaitsRedo() {
    return !waiting.isEmpty();
  }

  /** Whether {@link #decide} has something to look at. */
  boolean undecided() {
    return stranded.undecided() || !failed.isEmpty();
  }

  // ---- what comes in

  /** A slice's attempt failed; its channel has let go of it. */
  void add(PooledSlice slice, PathSlot slot, Fault fault, long now) {
    slice.state = PooledSlice.State.FAILED;
    slice.fault = fault;
    slice.failedAt = now;
    remember(slice, slot, fault);
    if (slice.write() && fault.effect() == Fault.Effect.POSSIBLE) {
      stale.suspect(slice, slot, now);
    }
    failed.add(slice);
  }

  private void remember(PooledSlice slice, PathSlot slot, Fault fault) {
    if (slice.history == null) {
      slice.history = new ArrayList<>(2);
    }
    slice.history.add(
        new Failure.Attempt(
            slice.attempts,
            port.describe(slot.localRail, slot.remoteRail),
            fault.code(),
            fault.text()));
  }

  /** What becomes of all that waits when no path is left. */
  Stranded stranded() {
    return stranded;
  }

  /** Ends the requests of all that it has. */
  void endAll(Failure failure) {
    endAll(waiting, failure);
    endAll(failed, failure);
  }

  private void endAll(ArrayDeque<PooledSlice> slices, Failure failure) {
    for (var slice : List.copyOf(slices)) {
      if (!slice.request.ended) {
        endings.fail(slice.part, failure);
      }
    }
    while (!slices.isEmpty()) {
      late.ended(slices.poll());
    }
  }

  // ---- deciding

  /** Decides about what failed, and about what waits where there are no paths. */
  int decide(long now) {
    int done = 0;
    PooledSlice slice;
    while ((slice = failed.poll()) != null) {
      done++;
      if (slice.request.ended) {
        late.ended(slice);
      } else if (slice.request.moving) {
        endings.letGo(slice);
      } else {
        decide(slice, now);
      }
    }
    stranded.look(now);
    return done;
  }

  private void decide(PooledSlice slice, long now) {
    var slot = slice.slot;
    if (keys(slice.fault.code())) {
      port.refused();
    }
    var decision =
        policy.decide(
            new SliceFailure(
                slice.write(),
                slice.attempts,
                slice.fault,
                paths.picker().alternatives(slice, true, now),
                paths.picker().alternatives(slice, false, now),
                port.otherWays(slice.request),
                limits.fencing(),
                now,
                slice.deadline()));
    slice.onlyRemoteRail = PooledSlice.ANY;
    slice.notLocalRail = PooledSlice.ANY;
    slice.notRemoteRail = PooledSlice.ANY;
    slice.notBefore = now;
    switch (decision) {
      case Decision.HandOff() -> {
        slice.onlyRemoteRail = slot.remoteRail;
        slice.notLocalRail = slot.localRail;
        tell(slice, Counter.HANDED_OFF);
        await(slice);
      }
      case Decision.Redispatch() -> {
        slice.notRemoteRail = slot.remoteRail;
        tell(slice, Counter.REDISPATCHED);
        await(slice);
      }
      case Decision.Retry(var delay) -> {
        slice.notBefore = now + delay;
        await(slice);
      }
      case Decision.NextTransport() -> {
        port.unusable(now);
        paths.doubt();
        if (mayLeave(slice, now)) {
          moves.begin(slice.part, slice.request);
          endings.letGo(slice);
        }
      }
      case Decision.GiveUp(var code, var reason) -> giveUp(slice, code, reason);
    }
  }

  /** Whether a failure speaks of the remote's keys and ranges: its descriptor may tell others. */
  private static boolean keys(FailureCode code) {
    return code == FailureCode.REMOTE_RANGE || code == FailureCode.REMOTE_ACCESS;
  }

  private void tell(PooledSlice slice, Counter counter) {
    counters.add(counter, 1);
    var from = slice.slot;
    port.handedOff(
        from.localRail, from.remoteRail, slice, slice.attempts, counter == Counter.HANDED_OFF);
  }

  /**
   * Whether a slice may be done again by another transport: where streams are fenced in their own
   * order, and no word can be had, there is but patience, and the policy may not want that.
   */
  boolean mayLeave(PooledSlice slice, long now) {
    if (limits.fencing() != Fencing.ORDERED || port.canFence() || !slice.mayHaveEffect()) {
      return true;
    }
    var fault = slice.fault;
    var unknown = new Fault(fault.blame(), fault.code(), Fault.Effect.POSSIBLE, fault.text());
    var decision =
        policy.decide(
            new SliceFailure(
                true,
                slice.attempts,
                unknown,
                0,
                0,
                port.otherWays(slice.request),
                Fencing.GRACE,
                now,
                slice.deadline()));
    if (slice.write() && decision instanceof Decision.GiveUp(var code, var reason)) {
      giveUp(slice, code, reason);
      return false;
    }
    return true;
  }

  private void await(PooledSlice slice) {
    endings.unposted(slice);
    slice.state = PooledSlice.State.WAITING;
    waiting.add(slice);
  }

  private void giveUp(PooledSlice slice, FailureCode code, String reason) {
    var effect = slice.write() && slice.fault.effect() == Fault.Effect.POSSIBLE;
    endings.failRequest(slice, code, reason, effect || slice.stale != null);
    late.ended(slice);
  }

  /** Lets go of one that waits here no more. */
  void letGo(PooledSlice slice) {
    if (slice.request.ended) {
      late.ended(slice);
    } else {
      endings.letGo(slice);
    }
  }

  // ---- redoing

  /** Posts what waits, as far as there is a path for it, and room. */
  int redo(long now) {
    int done = 0;
    for (int i = waiting.size(); i > 0; i--) {
      var slice = waiting.poll();
      if (slice.request.ended || slice.request.moving) {
        letGo(slice);
        continue;
      }
      if (slice.notBefore - now > 0 || !endings.windowOpen(limits)) {
        waiting.add(slice);
        continue;
      }
      var slot = paths.picker().pickFor(slice, now, now - slice.failedAt < HAND_OFF_PATIENCE);
      if (slot == null && paths.picker().choosy() && paths.picker().deserted(slice.request)) {
        stranded.endWithoutRail(slice.part, slice.request, now);
        letGo(slice);
        continue;
      }
      if (slot == null || !stale.fenceAhead(slice, slot, now)) {
        waiting.add(slice);
        continue;
      }
      if (renewKeys(slice, now)) {
        slice.notBefore = now + KEY_INTERVAL;
        waiting.add(slice);
        continue;
      }
      counters.add(Counter.SLICES_REDONE, 1);
      endings.posted(slice);
      slot.post(slice, now);
      done++;
    }
    return done;
  }

  /**
   * A key of memory that was registered anew since is good for no second try. Answers whether to
   * wait for a newer one: other rails' keys are no older, so one more try is enough without.
   */
  private boolean renewKeys(PooledSlice slice, long now) {
    if (!keys(slice.fault.code())) {
      return false;
    }
    var latest = port.keys(slice.request);
    if (latest == null) {
      return false;
    }
    slice.request.renewKeys(latest);
    int rail = slice.slot.remoteRail;
    return slice.attempts > 1
        && rail < latest.length
        && latest[rail] == slice.remoteKey
        && now - slice.failedAt < KEY_PATIENCE;
  }

  /** When {@link #redo} may get on even if nothing happens. */
  long nextDeadline(long now) {
    var next = stranded.nextDeadline(now);
    // Asked for before each rest of the lane: mostly nothing waits, and an iterator were garbage.
    if (!waiting.isEmpty()) {
      for (var slice : waiting) {
        // What a slice waits for besides (a window, a channel, room on one) gives the lane a turn.
        var patience = slice.failedAt + HAND_OFF_PATIENCE;
        var wanted = slice.notBefore - now > 0 ? slice.notBefore : patience;
        if (wanted - now > 0) {
          next = Math.min(next, wanted);
        }
      }
    }
    return next;
  }
}
