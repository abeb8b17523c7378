package dev.shunt.runtime.transfer.core;

import static dev.shunt.runtime.transfer.core.Counter.DRAINING_BYTES;
import static dev.shunt.runtime.transfer.core.Counter.QUARANTINED_BYTES;
import static dev.shunt.runtime.transfer.core.Counter.QUARANTINED_REMOTE_BYTES;

import dev.shunt.api.Failure;
import dev.shunt.api.FailureCode;
import dev.shunt.api.Outcome;
import java.util.List;
import java.util.Optional;

/**
 * The two ends of requests: when each has its outcome, and when nothing of it touches local memory
 * any more. Keeps the window's account, since what has ended holds none of it.
 */
final class Endings {
  private final FlowPort port;
  private final SlicePool pool;
  private final Tally counters;
  private long inFlightBytes;
  private int inFlightSlices;
  private Outcome.Completed lastCompleted = new Outcome.Completed(0);

  Endings(FlowPort port, SlicePool pool, Tally counters) {
    this.port = port;
    this.pool = pool;
    this.counters = counters;
  }

  long inFlightBytes() {
    return inFlightBytes;
  }

  int inFlightSlices() {
    return inFlightSlices;
  }

  boolean windowOpen(FlowLimits limits) {
    return inFlightSlices == 0
        || (inFlightSlices < limits.windowSlices()
            && inFlightBytes + limits.sliceSize() <= limits.windowBytes());
  }

  void posted(PooledSlice slice) {
    inFlightBytes += slice.length;
    inFlightSlices++;
  }

  void unposted(PooledSlice slice) {
    inFlightBytes -= slice.length;
    inFlightSlices--;
  }

  /** A slice whose bytes are where they belong, and whose old attempts are fenced. */
  void completed(PooledSlice slice) {
    unposted(slice);
    var request = slice.request;
    var part = slice.part;
    request.completed += slice.length;
    part.sink.progress(slice.length);
    release(slice);
    if (request.completed == request.length) {
      end(part, request, completed(request.length));
    }
  }

  /** Requests that follow one another have the same length as a rule, and share their outcome. */
  private Outcome.Completed completed(long length) {
    if (lastCompleted.bytes() != length) {
      lastCompleted = new Outcome.Completed(length);
    }
    return lastCompleted;
  }

  /** Nothing of a slice can land any more, nor be changed by it; its request has ended. */
  void drained(PooledSlice slice) {
    switch (slice.state) {
      case FAILED, HELD -> unposted(slice);
      case DRAINING -> counters.add(DRAINING_BYTES, -slice.length);
      case QUARANTINED -> quarantined(slice, -slice.length);
      case FREE, WAITING, POSTED -> {}
    }
    forget(slice);
  }

  /** A slice of a request that has ended is out of sight; where it is counted, it stays so. */
  void forget(PooledSlice slice) {
    var part = slice.part;
    var request = slice.request;
    if (slice.lingers) {
      slice.lingers = false;
      request.lingering--;
    }
    release(slice);
    settle(part, request);
  }

  /** The transport let go of a slice of a request that has ended, and its bytes may still land. */
  void linger(PooledSlice slice) {
    switch (slice.state) {
      case FAILED, HELD -> unposted(slice);
      case DRAINING -> counters.add(DRAINING_BYTES, -slice.length);
      case FREE, WAITING, POSTED, QUARANTINED -> {}
    }
    slice.state = PooledSlice.State.DRAINING;
    counters.add(DRAINING_BYTES, slice.length);
    slice.lingers = true;
    slice.request.lingering++;
    settle(slice.part, slice.request);
  }

  /** The transport does not let go of a slice. */
  void quarantine(PooledSlice slice) {
    var request = slice.request;
    if (!request.ended) {
      failRequest(
          slice,
          request.write ? FailureCode.UNKNOWN_EFFECT : FailureCode.DEVICE,
          "the transport did not let go of a slice of " + slice.length + " bytes",
          request.write);
    }
    if (slice.state == PooledSlice.State.DRAINING) {
      counters.add(DRAINING_BYTES, -slice.length);
      quarantined(slice, slice.length);
      slice.state = PooledSlice.State.QUARANTINED;
      settleQuarantined(slice.part, request);
    }
  }

  /** Of one that lingers local memory was given back: the remote's alone may still change. */
  private void quarantined(PooledSlice slice, long bytes) {
    counters.add(QUARANTINED_BYTES, bytes);
    if (slice.lingers) {
      counters.add(QUARANTINED_REMOTE_BYTES, bytes);
    }
  }

  void failRequest(PooledSlice slice, FailureCode code, String reason, boolean effect) {
    var failure =
        new Failure(code, reason, effect || mayHaveChanged(slice), Optional.empty(), List.of());
    end(slice.part, slice.request, new Outcome.Error(Past.complete(failure, slice.request, slice)));
  }

  /** Whether the rest of a slice's request has, or may have, changed something at the remote. */
  private static boolean mayHaveChanged(PooledSlice failed) {
    var request = failed.request;
    if (!request.write) {
      return false;
    }
    if (request.completed > 0 || request.touched) {
      return true;
    }
    for (var slice = request.first; slice != null; slice = slice.nextOfRequest) {
      if (slice != failed && slice.mayHaveEffect()) {
        return true;
      }
    }
    return false;
  }

  void fail(Part part, Failure failure) {
    for (int i = 0; i < part.size; i++) {
      var request = part.requests[i];
      if (!request.ended) {
        fail(part, request, failure);
      }
    }
  }

  /** Ends one request of a part. */
  void fail(Part part, RequestState request, Failure failure) {
    end(part, request, new Outcome.Error(told(request, failure.code(), failure.message(), "")));
  }

  void expire(Part part, long now) {
    for (int i = 0; i < part.size; i++) {
      var request = part.requests[i];
      if (!request.ended) {
        var failure =
            told(request, FailureCode.DEADLINE, "the deadline passed", obstacles(request));
        end(part, request, new Outcome.TimedOut(failure));
      }
    }
  }

  void cancel(Part part) {
    for (int i = 0; i < part.size; i++) {
      var request = part.requests[i];
      if (!request.ended) {
        var failure = told(request, FailureCode.CANCELLED, "cancelled by the caller", "");
        end(part, request, new Outcome.Cancelled(failure));
      }
    }
  }

  /** What kept a request from its end for so long, beside what became of its attempts. */
  private String obstacles(RequestState request) {
    var unfenced = LateWrites.unfenced(request);
    var silence = port.silence();
    return (unfenced.isEmpty() ? "" : "; " + unfenced) + (silence.isEmpty() ? "" : "; " + silence);
  }

  private static Failure told(RequestState request, FailureCode code, String text, String more) {
    var effect = request.write && request.posted;
    var message = text + progress(request) + more;
    var failure = new Failure(code, message, effect, Optional.empty(), List.of());
    return Past.complete(failure, request, null);
  }

  private static String progress(RequestState request) {
    return "; " + request.completed + " of " + request.length + " bytes were done";
  }

  /** A slice of a request that leaves for another transport: what it knows is kept for that. */
  void letGo(PooledSlice slice) {
    switch (slice.state) {
      case POSTED, FAILED, HELD -> unposted(slice);
      case FREE, WAITING, DRAINING, QUARANTINED -> {}
    }
    slice.request.inherit(slice);
    release(slice);
  }

  /** A request went on elsewhere, with its hold: here it is over without an outcome. */
  void moved(Part part, RequestState request) {
    request.ended = true;
    request.leaveLinks();
    part.sink.progress(-request.completed);
    if (--part.open == 0) {
      part.sink.partDone();
    }
    settle(part, request);
  }

  private void end(Part part, RequestState request, Outcome outcome) {
    request.ended = true;
    for (var slice = request.first; slice != null; slice = slice.nextOfRequest) {
      if (slice.state == PooledSlice.State.POSTED) {
        slice.state = PooledSlice.State.DRAINING;
        unposted(slice);
        counters.add(DRAINING_BYTES, slice.length);
      }
    }
    part.sink.requestEnded(request, outcome);
    if (--part.open == 0) {
      part.sink.partDone();
    }
    settle(part, request);
  }

  private void release(PooledSlice slice) {
    if (slice.history != null && !slice.request.ended && !slice.request.moving) {
      slice.request.remember(slice);
    }
    slice.request.remove(slice);
    pool.give(slice);
  }

  private void settle(Part part, RequestState request) {
    if (!request.ended) {
      return;
    }
    if (request.live == request.lingering && !request.released) {
      request.released = true;
      request.hold.released();
    }
    // What was to leave for another transport is looked after where it waits for that.
    if (request.live == 0 && request.stale == null && !request.quarantined) {
      settled(part);
    }
  }

  /** The hold stays: the memory is not the caller's again until the transport lets go after all. */
  private void settleQuarantined(Part part, RequestState request) {
    if (request.quarantined) {
      return;
    }
    request.quarantined = true;
    part.quarantined = true;
    settled(part);
  }

  private static void settled(Part part) {
    if (--part.unsettled == 0) {
      part.sink.partSettled(part.quarantined);
    }
  }
}
