package dev.shunt.runtime.transfer.core;

import dev.shunt.api.Failure;
import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Decision;
import dev.shunt.api.spi.FailoverPolicy;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.SliceFailure;
import java.util.ArrayDeque;

/**
 * What becomes of all that waits in a flow, cut or not, when no path is left: the policy decides
 * about it as a whole, in rounds.
 */
final class Stranded {
  private final String remote;
  private final FlowLimits limits;
  private final FailoverPolicy policy;
  private final FlowPort port;
  private final Paths paths;
  private final Endings endings;
  private final PartQueue queue;
  private final Moves moves;
  private final ArrayDeque<PooledSlice> waiting;
  private final FailedSlices slices;
  private int deadRounds;
  private boolean newTrouble;
  private boolean rests;
  private long roundAt;

  /**
   * Nothing is stranded yet.
   *
   * @param waiting slices that were cut and are on no channel
   * @param slices whose they are
   */
  Stranded(
      String remote,
      FlowLimits limits,
      FailoverPolicy policy,
      FlowPort port,
      Paths paths,
      Endings endings,
      PartQueue queue,
      Moves moves,
      ArrayDeque<PooledSlice> waiting,
      FailedSlices slices) {
    this.remote = remote;
    this.limits = limits;
    this.policy = policy;
    this.port = port;
    this.paths = paths;
    this.endings = endings;
    this.queue = queue;
    this.moves = moves;
    this.waiting = waiting;
    this.slices = slices;
  }

  /** A path is up. */
  void pathUp() {
    deadRounds = 0;
  }

  /** Something comes where nothing waited: it has rounds of its own before it. */
  void begin() {
    deadRounds = 0;
  }

  /** A path failed, or did not come up. */
  void pathFailed() {
    newTrouble = true;
    rests = false;
  }

  /** Whether {@link #look} may have something to decide. */
  boolean undecided() {
    return newTrouble || paths.deserted();
  }

  /** Decides, where it is time. */
  void look(long now) {
    // Where all rails are out of use nothing happens any more that would make a round.
    if (newTrouble || (paths.deserted() && (!rests || roundAt - now <= 0))) {
      newTrouble = false;
      decide(now);
    }
  }

  /** When {@link #look} is wanted even if nothing happens. */
  long nextDeadline(long now) {
    var waits = !queue.isEmpty() || !waiting.isEmpty();
    return rests && waits && paths.deserted() && roundAt - now > 0 ? roundAt : Long.MAX_VALUE;
  }

  /**
   * With no path up or coming up, what waits is decided upon as if it had failed on the last one.
   */
  private void decide(long now) {
    if (paths.anyUpOrConnecting() || (queue.first() == null && waiting.isEmpty())) {
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
      slices.letGo(slice);
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
      } else if (slice.request.ended || slice.request.moving || slices.mayLeave(slice, now)) {
        if (!slice.request.ended) {
          moves.begin(slice.part, slice.request);
        }
        slices.letGo(slice);
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
}
