package dev.shunt.runtime.transfer.core;

import static dev.shunt.runtime.transfer.core.Counter.ATTEMPTS_FAILED;
import static dev.shunt.runtime.transfer.core.Counter.BYTES_COMPLETED;
import static dev.shunt.runtime.transfer.core.Counter.LATE_REPORTS;
import static dev.shunt.runtime.transfer.core.Counter.SLICES_COMPLETED;
import static dev.shunt.runtime.transfer.core.Counter.SLICES_REDONE;

import dev.shunt.api.Failure;
import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Channel;
import dev.shunt.api.spi.Decision;
import dev.shunt.api.spi.FailoverPolicy;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.RetireReason;
import dev.shunt.api.spi.SliceFailure;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * All of the traffic to one remote by one transport, on one lane: the queue of requests, the
 * window, the paths, and what becomes of slices that fail.
 */
public final class Flow {
  /** Posted in one go: then that goes out, and other flows of the lane have their turn. */
  private static final int SLICES_AT_A_TIME = 64;

  private static final long BYTES_AT_A_TIME = 1L << 20;

  private static final long HAND_OFF_PATIENCE = 500_000_000L;
  private static final Fault UNANSWERED =
      new Fault(
          Fault.Blame.LOCAL,
          FailureCode.INTERNAL,
          Fault.Effect.NONE,
          "the transport did not answer a request for a channel by its deadline");

  private final String remote;
  private final FlowLimits limits;
  private final FailoverPolicy policy;
  private final FlowPort port;
  private final SlicePool pool;
  private final Tally counters;
  private final Paths paths;
  private final Endings endings;
  private final StaleLinks stale;
  private final ArrayDeque<Part> queue = new ArrayDeque<>();
  private final ArrayDeque<PooledSlice> waiting = new ArrayDeque<>();
  private final ArrayDeque<PooledSlice> failed = new ArrayDeque<>();
  private int deadRounds;
  private boolean newTrouble;
  private Failure retired;

  /** Bytes that the first of the queue has had of its turn. */
  private long turn;

  /**
   * A flow without traffic.
   *
   * @param remote its name, for messages
   * @param localRails how many rails we have
   * @param remoteRails how many rails the remote has
   */
  public Flow(
      String remote,
      int localRails,
      int remoteRails,
      FlowLimits limits,
      FailoverPolicy policy,
      FlowPort port,
      SlicePool pool,
      Tally counters) {
    this.remote = remote;
    this.limits = limits;
    this.policy = policy;
    this.port = port;
    this.pool = pool;
    this.counters = counters;
    this.paths = new Paths(localRails, remoteRails, limits, port, counters);
    this.endings = new Endings(port, pool, counters);
    this.stale = new StaleLinks(limits, policy.unfencedGrace().toNanos(), port, endings, counters);
  }

  /** Its paths, for the status and for the lane. */
  public Paths paths() {
    return paths;
  }

  FlowPort port() {
    return port;
  }

  /** Bytes posted, or held for a fence. */
  public long inFlightBytes() {
    return endings.inFlightBytes();
  }

  /** Slices posted, or held for a fence. */
  public int inFlightSlices() {
    return endings.inFlightSlices();
  }

  /** Whether nothing is queued, in flight or draining. */
  public boolean idle() {
    return queue.isEmpty()
        && waiting.isEmpty()
        && failed.isEmpty()
        && stale.holdsNothing()
        && endings.inFlightSlices() == 0
        && paths.posted() == 0;
  }

  /** Whether a {@link #pump} may get on without anything happening to this very flow. */
  public boolean waits() {
    return newTrouble || !queue.isEmpty() || !waiting.isEmpty() || !failed.isEmpty();
  }

  /** Whether a request would be cut and posted at once, and nothing else be done. */
  public boolean ready(long now) {
    return retired == null && !waits() && endings.windowOpen(limits) && paths.ready(now);
  }

  // ---- what comes in

  /** Takes a part over. */
  public void submit(Part part, long now) {
    if (retired != null) {
      endings.fail(part, retired);
    } else if (part.deadline - now <= 0) {
      endings.expire(part, now);
    } else {
      part.inQueue = true;
      queue.add(part);
    }
  }

  /** The deadline of a part has come. */
  public void expire(Part part, long now) {
    endings.expire(part, now);
  }

  /** The caller gave a part up. */
  public void cancel(Part part) {
    endings.cancel(part);
  }

  /** The channel that was asked for is there; false if it is not wanted any more. */
  public boolean channelUp(LinkId attempt, Channel channel) {
    var slot = paths.connecting(attempt);
    if (slot == null) {
      return false;
    }
    slot.up(channel);
    counters.add(Counter.CHANNELS_UP, 1);
    deadRounds = 0;
    return true;
  }

  /** The channel that was asked for cannot be had. */
  public void connectFailed(LinkId attempt, Fault fault, long now) {
    var slot = paths.connecting(attempt);
    if (slot == null) {
      return;
    }
    counters.add(Counter.CONNECTS_FAILED, 1);
    slot.lastFault = fault;
    slot.failures++;
    slot.idle(now + Paths.backOff(slot.failures));
    newTrouble = true;
    if (fault.code() == FailureCode.STALE_GENERATION) {
      port.remoteIsStale(fault.text());
    } else {
      port.pathFailed(slot.localRail, slot.remoteRail, fault, now);
    }
  }

  /** A slice is done. */
  public void completed(PooledSlice slice, long now) {
    slice.check();
    var slot = slice.slot;
    slot.remove(slice);
    if (slice.state != PooledSlice.State.POSTED) {
      counters.add(LATE_REPORTS, 1);
      endings.drained(slice);
      return;
    }
    counters.add(SLICES_COMPLETED, 1);
    counters.add(BYTES_COMPLETED, slice.length);
    if (!slot.proven) {
      slot.proven = true;
      port.pathSucceeded(slot.localRail, slot.remoteRail, now);
    }
    if (slice.stale == null) {
      endings.completed(slice);
    } else if (stale.alone(slice)) {
      stale.completed(slice);
    } else {
      stale.hold(slice);
    }
  }

  /** A slice ended otherwise. What becomes of it is decided in the next {@link #pump}. */
  public void failed(PooledSlice slice, Fault fault, long now) {
    slice.check();
    var slot = slice.slot;
    slot.remove(slice);
    counters.add(ATTEMPTS_FAILED, 1);
    port.attemptFailed(slot.localRail, slot.remoteRail, slice, slice.attempts, fault);
    if (slice.state != PooledSlice.State.POSTED) {
      counters.add(LATE_REPORTS, 1);
      endings.drained(slice);
      return;
    }
    slice.state = PooledSlice.State.FAILED;
    slice.fault = fault;
    slice.failedAt = now;
    remember(slice, slot, fault);
    if (slice.write() && fault.effect() == Fault.Effect.POSSIBLE) {
      stale.suspect(slice, slot, now);
    }
    failed.add(slice);
  }

  /** A channel is over; all that was posted on it was reported before. */
  public void channelDown(PathSlot slot, Fault fault, long now) {
    counters.add(Counter.CHANNELS_DOWN, 1);
    if (paths.endGivenUp(slot)) {
      return;
    }
    if (fault.blame() == Fault.Blame.REQUEST) {
      // A request that its transport pays for with the channel: the path is as good as before, and
      // what waits for it has nothing to do with that.
      slot.idle(now);
      return;
    }
    slot.lastFault = fault;
    slot.failures++;
    slot.idle(now + (slot.proven ? 0 : Paths.backOff(slot.failures)));
    newTrouble = true;
    if (fault.code() == FailureCode.STALE_GENERATION) {
      port.remoteIsStale(fault.text());
    } else if (fault.blame() != Fault.Blame.NEUTRAL) {
      port.pathFailed(slot.localRail, slot.remoteRail, fault, now);
    }
  }

  /** The remote answered a request for a fence. */
  public void fenced(StaleLink link, boolean word, long now) {
    stale.answered(link, word, now);
  }

  /** The remote is not what it was: nothing more is sent to it, all requests end. */
  public void retire(FailureCode code, String text, RetireReason reason, long now) {
    if (retired != null) {
      return;
    }
    retired = Failure.of(code, text);
    Part queued;
    while ((queued = queue.poll()) != null) {
      queued.inQueue = false;
      endings.fail(queued, retired);
    }
    endAll(waiting);
    endAll(failed);
    stale.failHeld(retired);
    for (var slot : paths.slots()) {
      for (var slice = slot.oldest; slice != null; slice = slice.nextOnSlot) {
        endings.fail(slice.part, retired);
      }
    }
    paths.retireAll(reason, now);
  }

  private void endAll(ArrayDeque<PooledSlice> slices) {
    for (var slice : List.copyOf(slices)) {
      if (!slice.request.ended) {
        endings.fail(slice.part, retired);
      }
    }
    while (!slices.isEmpty()) {
      endings.discard(slices.poll());
    }
  }

  // ---- moving on

  /** Moves on whatever can be moved on. */
  public int pump(long now) {
    paths.watch(now, endings);
    dropUnanswered(now);
    int done = 0;
    if (!failed.isEmpty()) {
      done += decideFailed(now);
    }
    if (newTrouble) {
      newTrouble = false;
      giveUpWherePathsAre(now);
    }
    stale.pump(now);
    if (!waiting.isEmpty()) {
      done += postWaiting(now);
    }
    if (!queue.isEmpty()) {
      done += postNew(now);
    }
    paths.flush(now);
    return done;
  }

  private void dropUnanswered(long now) {
    PathSlot slot;
    while ((slot = paths.unanswered(now)) != null) {
      var link = slot.link;
      port.forget(link);
      connectFailed(link, UNANSWERED, now);
    }
  }

  /** When {@link #pump} is wanted even if nothing happens. */
  public long nextDeadline(long now) {
    var next = paths.nextWatch(now, !queue.isEmpty() || !waiting.isEmpty());
    // Asked for before each rest of the lane: mostly nothing waits, and an iterator were garbage.
    if (!waiting.isEmpty()) {
      next = Math.min(next, nextWaiting(now));
    }
    return Math.min(next, stale.nextDeadline());
  }

  private long nextWaiting(long now) {
    var next = Long.MAX_VALUE;
    for (var slice : waiting) {
      // What a slice waits for besides (a window, a channel, room on one) gives the lane a turn.
      var patience = slice.failedAt + HAND_OFF_PATIENCE;
      var wanted = slice.notBefore - now > 0 ? slice.notBefore : patience;
      if (wanted - now > 0) {
        next = Math.min(next, wanted);
      }
    }
    return next;
  }

  private int postNew(long now) {
    int done = 0;
    long bytes = 0;
    while (!queue.isEmpty()
        && endings.windowOpen(limits)
        && done < SLICES_AT_A_TIME
        && bytes < BYTES_AT_A_TIME) {
      var part = queue.peek();
      var request = part.next();
      if (request == null) {
        unqueue(part);
        turn = 0;
        continue;
      }
      var slot = paths.pickAny(now);
      if (slot == null) {
        break;
      }
      var slice = cut(part, request);
      turn += slice.length;
      bytes += slice.length;
      // Out of the queue as soon as all of it is cut: it may end before the queue is seen again.
      if (part.next() == null) {
        unqueue(part);
        turn = 0;
      } else if (turn >= limits.sliceSize() && queue.size() > 1) {
        queue.add(queue.poll());
        turn = 0;
      }
      post(slice, slot, now);
      done++;
    }
    return done;
  }

  private void unqueue(Part first) {
    queue.poll();
    first.inQueue = false;
  }

  private PooledSlice cut(Part part, RequestState request) {
    var slice = pool.take();
    slice.state = PooledSlice.State.WAITING;
    slice.flow = this;
    slice.part = part;
    slice.use = part.use;
    slice.request = request;
    slice.offset = request.offset + request.cut;
    slice.remoteAddress = request.remoteAddress + request.cut;
    slice.length = Slicer.next(request.length - request.cut, limits.sliceSize(), limits.maxSlice());
    request.cut += slice.length;
    request.slices++;
    request.add(slice);
    return slice;
  }

  private void post(PooledSlice slice, PathSlot slot, long now) {
    var request = slice.request;
    slice.slot = slot;
    slice.attempts++;
    slice.postedAt = now;
    slice.localKey = request.localKeys[slot.localRail];
    slice.remoteKey =
        slot.remoteRail < request.remoteKeys.length ? request.remoteKeys[slot.remoteRail] : 0;
    slice.state = PooledSlice.State.POSTED;
    request.posted = true;
    if (request.attempts++ == 0) {
      request.firstPostedAt = now;
    }
    slot.append(slice);
    slot.unflushed = true;
    endings.posted(slice);
    slot.channel.post(slice, now);
  }

  private int postWaiting(long now) {
    int done = 0;
    for (int i = waiting.size(); i > 0; i--) {
      var slice = waiting.poll();
      if (slice.request.ended) {
        endings.discard(slice);
        continue;
      }
      if (slice.notBefore - now > 0 || !endings.windowOpen(limits)) {
        waiting.add(slice);
        continue;
      }
      var slot = paths.pickFor(slice, now, now - slice.failedAt < HAND_OFF_PATIENCE);
      if (slot == null || !stale.fenceAhead(slice, slot, now)) {
        waiting.add(slice);
        continue;
      }
      counters.add(SLICES_REDONE, 1);
      post(slice, slot, now);
      done++;
    }
    return done;
  }

  // ---- failures

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

  private int decideFailed(long now) {
    int done = 0;
    PooledSlice slice;
    while ((slice = failed.poll()) != null) {
      done++;
      if (slice.request.ended) {
        endings.discard(slice);
        continue;
      }
      var slot = slice.slot;
      var decision =
          policy.decide(
              new SliceFailure(
                  slice.write(),
                  slice.attempts,
                  slice.fault,
                  paths.alternatives(slot, true, now),
                  paths.alternatives(slot, false, now),
                  0,
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
          await(slice);
        }
        case Decision.Redispatch() -> {
          slice.notRemoteRail = slot.remoteRail;
          await(slice);
        }
        case Decision.Retry(var delay) -> {
          slice.notBefore = now + delay;
          await(slice);
        }
        case Decision.NextTransport() ->
            giveUp(slice, FailureCode.NO_RAIL, "no path of this transport is left, nor another");
        case Decision.GiveUp(var code, var reason) -> giveUp(slice, code, reason);
      }
    }
    return done;
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
    endings.discard(slice);
  }

  /**
   * With no path up or coming up, what waits is decided upon as if it had failed on the last one.
   */
  private void giveUpWherePathsAre(long now) {
    if (paths.anyUpOrConnecting() || (queue.isEmpty() && waiting.isEmpty())) {
      return;
    }
    deadRounds++;
    var fault = paths.lastFault();
    var decision =
        policy.decide(
            new SliceFailure(
                false, deadRounds, fault, 0, 0, 0, limits.fencing(), now, Long.MAX_VALUE));
    switch (decision) {
      case Decision.Retry(var delay) -> paths.postpone(now + delay);
      case Decision.GiveUp(var code, var reason) -> giveUpAll(code, reason, fault);
      case Decision.HandOff() -> paths.postpone(now);
      case Decision.Redispatch() -> paths.postpone(now);
      case Decision.NextTransport() ->
          giveUpAll(FailureCode.NO_RAIL, "no rail is left towards " + remote, fault);
    }
  }

  private void giveUpAll(FailureCode code, String reason, Fault fault) {
    deadRounds = 0;
    var failure = Failure.of(code, remote + ": " + reason + " (" + fault.text() + ")");
    Part part;
    while ((part = queue.poll()) != null) {
      part.inQueue = false;
      endings.fail(part, failure);
    }
    PooledSlice slice;
    while ((slice = waiting.poll()) != null) {
      if (!slice.request.ended) {
        endings.failRequest(slice, code, failure.message(), slice.stale != null);
      }
      endings.discard(slice);
    }
  }
}
