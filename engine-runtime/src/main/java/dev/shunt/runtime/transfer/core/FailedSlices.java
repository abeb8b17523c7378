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
 * give up waits here until it is redone, or goes on by another transport ({@link Moves}). It also
 * decides about all that waits, in the queue too, when no path is left.
 */
final class FailedSlices {
  /** For so long a slice that is to be handed off waits for that very rail. */
  private static final long HAND_OFF_PATIENCE = 500_000_000L;

  private final String remote;
  private final FlowLimits limits;
  private final FailoverPolicy policy;
  private final FlowPort port;
  private final Tally counters;
  private final Paths paths;
  private final Endings endings;
  private final StaleLinks stale;
  private final LateWrites late;
  private final PartQueue queue;
  private final Moves moves;
  private final ArrayDeque<PooledSlice> waiting = new ArrayDeque<>();
  private final ArrayDeque<PooledSlice> failed = new ArrayDeque<>();
  private int deadRounds;
  private boolean newTrouble;
  private boolean rests;
  private long roundAt;

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
    this.remote = remote;
    this.limits = limits;
    this.policy = policy;
    this.port = port;
    this.counters = counters;
    this.paths = paths;
    this.endings = endings;
    this.stale = stale;
    this.late = late;
    this.queue = queue;
    this.moves = moves;
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
    return newTrouble || !failed.isEmpty() || paths.deserted();
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

  /** A path is up. */
  void pathUp() {
    deadRounds = 0;
  }

  /** A path failed, or did not come up. */
  void pathFailed() {
    newTrouble = true;
    rests = false;
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
    // Where all of our rails are out of use nothing happens any more that would make a round.
    if (newTrouble || (paths.deserted() && (!rests || roundAt - now <= 0))) {
      newTrouble = false;
      giveUpWherePathsAre(now);
    }
    return done;
  }

  private void decide(PooledSlice slice, long now) {
    var slot = slice.slot;
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
  private boolean mayLeave(PooledSlice slice, long now) {
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
    if (code == FailureCode.REMOTE_RANGE || code == FailureCode.REMOTE_ACCESS) {
      port.refused();
    }
    var effect = slice.write() && slice.fault.effect() == Fault.Effect.POSSIBLE;
    endings.failRequest(slice, code, reason, effect || slice.stale != null);
    late.ended(slice);
  }

  /**
   * With no path up or coming up, what waits is decided upon as if it had failed on the last one.
   */
  private void giveUpWherePathsAre(long now) {
    if (paths.anyUpOrConnecting() || (queue.isEmpty() && waiting.isEmpty())) {
      return;
    }
    if (paths.desertedByTheRemote()) {
      // News of the rails that it uses again may have been lost.
      port.refused();
    }
    deadRounds++;
    decideOnAll(paths.lastFault(), port.otherWays(null), now);
  }

  private void decideOnAll(Fault fault, int otherWays, long now) {
    var decision =
        policy.decide(
            new SliceFailure(
                false, deadRounds, fault, 0, 0, otherWays, limits.fencing(), now, Long.MAX_VALUE));
    switch (decision) {
      case Decision.Retry(var delay) -> postpone(now + delay);
      case Decision.GiveUp(var code, var reason) -> giveUpAll(code, reason, fault);
      case Decision.HandOff() -> postpone(now);
      case Decision.Redispatch() -> postpone(now);
      case Decision.NextTransport() -> {
        if (otherWays > 0) {
          moveAll(fault, now);
        } else {
          giveUpAll(FailureCode.NO_RAIL, "no rail is left, nor another transport", fault);
        }
      }
    }
  }

  private void postpone(long until) {
    rests = true;
    roundAt = until;
    paths.postpone(until);
  }

  private void giveUpAll(FailureCode code, String reason, Fault fault) {
    deadRounds = 0;
    var cause = reason.contains(fault.text()) ? "" : " (" + fault.text() + ")";
    var failure = Failure.of(code, remote + ": " + reason + cause);
    queue.failAll(failure, endings);
    PooledSlice slice;
    while ((slice = waiting.poll()) != null) {
      if (!slice.request.ended && !slice.request.moving) {
        endings.failRequest(slice, code, failure.message(), slice.stale != null);
      }
      letGo(slice);
    }
  }

  /** All that waits goes on by another transport; what has none is decided upon once more. */
  private void moveAll(Fault fault, long now) {
    port.unusable(now);
    for (int i = queue.size(); i > 0; i--) {
      var part = queue.poll();
      for (int j = 0; j < part.size; j++) {
        var request = part.requests[j];
        // What is cut as a whole is on channels, or waits below.
        if (!request.ended && request.cut < request.length && port.otherWays(request) > 0) {
          moves.begin(part, request);
        }
      }
      if (part.next() != null) {
        queue.add(part);
      }
    }
    for (int i = waiting.size(); i > 0; i--) {
      var slice = waiting.poll();
      if (!slice.request.ended && !slice.request.moving && port.otherWays(slice.request) == 0) {
        waiting.add(slice);
      } else if (slice.request.ended || slice.request.moving || mayLeave(slice, now)) {
        if (!slice.request.ended) {
          moves.begin(slice.part, slice.request);
        }
        letGo(slice);
      }
    }
    if (queue.isEmpty() && waiting.isEmpty()) {
      deadRounds = 0;
    } else {
      decideOnAll(fault, 0, now);
    }
  }

  /** None of the rails for a request's memory is in use, while others are, and go on. */
  void endWithoutRail(Part part, RequestState request, long now) {
    var fault = paths.noRail();
    var decision =
        policy.decide(
            new SliceFailure(
                false,
                1,
                fault,
                0,
                0,
                port.otherWays(request),
                limits.fencing(),
                now,
                Long.MAX_VALUE));
    if (decision instanceof Decision.NextTransport) {
      moves.begin(part, request);
    } else {
      endings.fail(part, request, Failure.of(FailureCode.NO_RAIL, remote + ": " + fault.text()));
    }
  }

  private void letGo(PooledSlice slice) {
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
        endWithoutRail(slice.part, slice.request, now);
        letGo(slice);
        continue;
      }
      if (slot == null || !stale.fenceAhead(slice, slot, now)) {
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

  /** When {@link #redo} may get on even if nothing happens. */
  long nextDeadline(long now) {
    var next = Long.MAX_VALUE;
    if (rests && paths.deserted() && roundAt - now > 0 && !(queue.isEmpty() && waiting.isEmpty())) {
      next = roundAt;
    }
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
