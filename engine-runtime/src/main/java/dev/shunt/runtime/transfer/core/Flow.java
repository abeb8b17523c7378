package dev.shunt.runtime.transfer.core;

import static dev.shunt.runtime.transfer.core.Counter.ATTEMPTS_FAILED;
import static dev.shunt.runtime.transfer.core.Counter.BYTES_COMPLETED;
import static dev.shunt.runtime.transfer.core.Counter.LATE_REPORTS;
import static dev.shunt.runtime.transfer.core.Counter.SLICES_COMPLETED;

import dev.shunt.api.Failure;
import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Channel;
import dev.shunt.api.spi.FailoverPolicy;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Limits.Fencing;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.RetireReason;

/**
 * All of the traffic to one remote by one transport, on one lane: takes requests and reports in,
 * cuts slices and posts them as the window and the paths allow. How requests end is the business of
 * {@link Endings}, what becomes of slices that fail that of {@link FailedSlices}, and what is still
 * to be fenced that of {@link StaleLinks}.
 */
public final class Flow {
  /** Posted in one go: then that goes out, and other flows of the lane have their turn. */
  private static final int SLICES_AT_A_TIME = 64;

  private static final long BYTES_AT_A_TIME = 1L << 20;

  private static final Fault UNANSWERED =
      new Fault(
          Fault.Blame.LOCAL,
          FailureCode.INTERNAL,
          Fault.Effect.NONE,
          "the transport did not answer a request for a channel by its deadline");

  private static final Fault UNTOLD =
      new Fault(
          Fault.Blame.NEUTRAL,
          FailureCode.INTERNAL,
          Fault.Effect.POSSIBLE,
          "its channel ended without a word of it");

  private final FlowLimits limits;
  private final FlowPort port;
  private final SlicePool pool;
  private final Tally counters;
  private final Paths paths;
  private final Endings endings;
  private final LateWrites late;
  private final StaleLinks stale;
  private final PartQueue queue;
  private final FailedSlices failures;
  private final Moves moves;
  private Failure retired;

  /**
   * A flow without traffic.
   *
   * @param remote its name, for messages
   * @param localRails how many rails we have
   * @param places for each of the remote's rails where it is: those with the same number are ways
   *     to the same place
   */
  public Flow(
      String remote,
      int localRails,
      int[] places,
      FlowLimits limits,
      FailoverPolicy policy,
      FlowPort port,
      SlicePool pool,
      Tally counters) {
    this.limits = withoutWords(limits, port);
    this.port = port;
    this.pool = pool;
    this.counters = counters;
    this.paths = new Paths(localRails, places, this.limits, port, counters);
    this.endings = new Endings(port, pool, counters);
    var grace = policy.unfencedGrace().toNanos();
    this.late = new LateWrites(this.limits, grace, endings, paths);
    this.stale = new StaleLinks(this.limits, grace, port, endings, late, counters);
    this.queue = new PartQueue(limits.sliceSize());
    this.moves = new Moves(remote, port, counters, endings, stale, late, pool);
    this.failures =
        new FailedSlices(
            remote, this.limits, policy, port, counters, paths, endings, stale, late, queue, moves);
  }

  /** Who cannot be asked for a word is waited for, as one that has no words. */
  private static FlowLimits withoutWords(FlowLimits limits, FlowPort port) {
    return limits.fencing() != Fencing.BY_WORD || port.canFence()
        ? limits
        : limits.with(Fencing.GRACE);
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
        && failures.isEmpty()
        && moves.isEmpty()
        && stale.holdsNothing()
        && late.isEmpty()
        && endings.inFlightSlices() == 0
        && paths.posted() == 0;
  }

  /** Whether a {@link #pump} may get on without anything happening to this very flow. */
  public boolean waits() {
    return !queue.isEmpty() || failures.undecided() || failures.awaitsRedo();
  }

  /** Whether a request would be cut and posted at once, and nothing else be done. */
  public boolean ready(long now) {
    return retired == null && !waits() && endings.windowOpen(limits) && paths.picker().ready(now);
  }

  // ---- what comes in

  /** Takes a part over. */
  public void submit(Part part, long now) {
    if (retired != null) {
      endings.fail(part, retired);
    } else if (part.deadline - now <= 0) {
      endings.expire(part, now);
    } else {
      if (queue.first() == null && !failures.awaitsRedo()) {
        failures.stranded().begin();
      }
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
  public boolean channelUp(LinkId attempt, Channel channel, long now) {
    var slot = paths.connecting(attempt);
    if (slot == null) {
      return false;
    }
    slot.up(channel);
    counters.add(Counter.CHANNELS_UP, 1);
    port.pathUp(slot.localRail, slot.remoteRail, slot.link.attempt(), now);
    failures.stranded().pathUp();
    return true;
  }

  /** The channel that was asked for cannot be had. */
  public void connectFailed(LinkId attempt, Fault fault, long now) {
    var slot = paths.connecting(attempt);
    if (slot == null) {
      return;
    }
    counters.add(Counter.CONNECTS_FAILED, 1);
    var link = attempt.attempt();
    slot.lastFault = fault;
    slot.failures++;
    slot.idle(now + Paths.backOff(slot.failures));
    failures.stranded().pathFailed();
    if (fault.code() == FailureCode.STALE_GENERATION) {
      port.remoteIsStale(fault.text());
    } else {
      port.pathFailed(slot.localRail, slot.remoteRail, link, fault, now);
    }
    if (fault.blame() == Fault.Blame.LOCAL) {
      port.railFailed(slot.localRail, fault);
    }
  }

  /** A slice is done. */
  public void completed(PooledSlice slice, long now) {
    slice.check();
    var slot = slice.slot;
    slot.remove(slice);
    if (slice.state != PooledSlice.State.POSTED) {
      counters.add(LATE_REPORTS, 1);
      slice.fault = null;
      if (slice.stale != null && slice.state == PooledSlice.State.DRAINING) {
        stale.alone(slice);
      }
      late.ended(slice);
      return;
    }
    slot.localFaults = 0;
    slot.carried += slice.length;
    port.railCarried(slot.localRail);
    counters.add(SLICES_COMPLETED, 1);
    counters.add(BYTES_COMPLETED, slice.length);
    if (!slot.proven) {
      slot.proven = true;
      port.pathSucceeded(slot.localRail, slot.remoteRail, now);
    }
    if (slice.request.moving) {
      endings.letGo(slice);
    } else if (slice.stale == null) {
      endings.completed(slice);
    } else if (stale.alone(slice)) {
      stale.completed(slice);
    } else {
      stale.hold(slice);
    }
  }

  /** A slice ended otherwise. What becomes of it is decided in the next {@link #pump}. */
  public void failed(PooledSlice slice, Fault told, long now) {
    slice.check();
    var slot = slice.slot;
    var fault = slot.retired == RetireReason.RAIL_INACTIVE ? PathSlot.ours(told) : told;
    slot.remove(slice);
    counters.add(ATTEMPTS_FAILED, 1);
    port.attemptFailed(slot.localRail, slot.remoteRail, slice, slice.attempts, fault);
    if (slice.state != PooledSlice.State.POSTED) {
      counters.add(LATE_REPORTS, 1);
      slice.fault = fault;
      if (slice.write() && fault.effect() == Fault.Effect.POSSIBLE) {
        stale.suspect(slice, slot, now);
      }
      late.ended(slice);
      return;
    }
    if (fault.blame() == Fault.Blame.LOCAL) {
      slot.localFaults++;
      slot.localFault = fault;
    }
    failures.add(slice, slot, fault, now);
  }

  /**
   * A channel is over; all that was posted on it was reported before, or ends here, so that a
   * transport that loses a slice costs nobody memory for good.
   */
  public void channelDown(PathSlot slot, Fault fault, long now) {
    counters.add(Counter.CHANNELS_DOWN, 1);
    while (slot.oldest != null) {
      failed(slot.oldest, UNTOLD, now);
    }
    slot.localFaults = 0;
    if (paths.endGivenUp(slot)) {
      return;
    }
    if (fault.blame() == Fault.Blame.LOCAL) {
      port.railFailed(slot.localRail, fault);
    }
    if (fault.blame() == Fault.Blame.REQUEST) {
      // A request that its transport pays for with the channel: the path is as good as before, and
      // what waits for it has nothing to do with that.
      slot.idle(now);
      return;
    }
    if (slot.retired == RetireReason.RAIL_INACTIVE) {
      // The steward said so itself, and nobody is to blame.
      slot.lastFault = fault;
      slot.idle(now);
      failures.stranded().pathFailed();
      return;
    }
    var link = slot.link.attempt();
    slot.lastFault = fault;
    slot.failures++;
    slot.idle(now + (slot.proven ? 0 : Paths.backOff(slot.failures)));
    failures.stranded().pathFailed();
    if (fault.code() == FailureCode.STALE_GENERATION) {
      port.remoteIsStale(fault.text());
    } else if (fault.blame() != Fault.Blame.NEUTRAL) {
      port.pathFailed(slot.localRail, slot.remoteRail, link, fault, now);
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
    late.retire(reason);
    endAll(retired);
    paths.retireAll(reason, now);
  }

  /**
   * The remote is about to end: all requests do so now. What was posted drains, and what may still
   * land is fenced, as ever.
   */
  public void endAll(Failure failure) {
    queue.failAll(failure, endings);
    failures.endAll(failure);
    stale.failHeld(failure);
    moves.endAll(failure);
    for (var slot : paths.slots()) {
      for (var slice = slot.oldest; slice != null; slice = slice.nextOnSlot) {
        endings.fail(slice.part, failure);
      }
    }
  }

  /** The engine is about to close: what ended waits for nobody who was asked in vain. */
  public void hurry() {
    late.hurry();
  }

  // ---- moving on

  /** Moves on whatever can be moved on. */
  public int pump(long now) {
    paths.watch(now, endings);
    paths.tellLocalFaults();
    dropUnanswered(now);
    int done = 0;
    if (failures.undecided()) {
      done += failures.decide(now);
    }
    stale.pump(now);
    if (failures.awaitsRedo()) {
      done += failures.redo(now);
    }
    if (!moves.isEmpty()) {
      done += moves.pump(now);
    }
    if (!queue.isEmpty()) {
      done += postNew(now);
    }
    if (!late.isEmpty()) {
      late.admit(now);
      stale.pump(now);
      late.pump(now);
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
    var next = paths.nextWatch(now, !queue.isEmpty() || failures.awaitsRedo());
    return Math.min(
        next,
        Math.min(failures.nextDeadline(now), Math.min(stale.nextDeadline(), late.nextDeadline())));
  }

  private int postNew(long now) {
    int done = 0;
    int passed = 0;
    long bytes = 0;
    Part part;
    while (endings.windowOpen(limits)
        && done < SLICES_AT_A_TIME
        && bytes < BYTES_AT_A_TIME
        && (part = queue.first()) != null) {
      var request = part.next();
      var slot = paths.picker().pickAny(request, now);
      if (slot == null) {
        if (!paths.picker().choosy()
            || ++passed > SLICES_AT_A_TIME
            || !passBy(part, request, now)) {
          break;
        }
        continue;
      }
      if (request.write && !stale.fenceLate(slot, now)) {
        break;
      }
      var slice = cut(part, request);
      bytes += slice.length;
      queue.cut(slice.length);
      endings.posted(slice);
      slot.post(slice, now);
      done++;
    }
    return done;
  }

  /**
   * Memory that has rails of its own must not hold up what goes by others.
   *
   * @return false if nobody waits behind it
   */
  private boolean passBy(Part part, RequestState request, long now) {
    if (paths.picker().deserted(request)) {
      failures.stranded().endWithoutRail(part, request, now);
      return true;
    }
    return queue.passBy();
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
}
