package dev.shunt.runtime.transfer.core;

import dev.shunt.api.Failure;
import dev.shunt.api.Outcome;
import java.util.Arrays;

/**
 * The requests of a batch that go by one flow. Filled by a caller, owned by that flow's lane once
 * it is handed over, and used again for another batch when the lane has no use for it: each use has
 * a number, which slices carry.
 */
public final class Part extends Timed {
  /** A part that has had more requests does not wait with all of them for its next use. */
  private static final int KEPT = 64;

  final BatchSink sink;
  RequestState[] requests;
  int size;
  int use;
  int cursor;
  int open;
  int unsettled;
  boolean quarantined;
  boolean inQueue;

  /** A part without requests. */
  public Part(BatchSink sink) {
    this.sink = sink;
    this.requests = new RequestState[1];
  }

  /**
   * A part that nothing was done of.
   *
   * @param requests each of length 1 or more; at least one
   * @param deadline nanoseconds
   * @param order settles ties among deadlines
   */
  public Part(BatchSink sink, RequestState[] requests, long deadline, long order) {
    this.sink = sink;
    this.requests = requests;
    this.size = requests.length;
    begin(deadline, order);
  }

  /** One request more, to be set. */
  public RequestState add(int expected) {
    if (size == requests.length) {
      requests = Arrays.copyOf(requests, Math.max(size + 1, Math.max(expected, size + size / 2)));
    }
    var request = requests[size];
    if (request == null) {
      request = new RequestState();
      requests[size] = request;
    }
    size++;
    return request;
  }

  /**
   * It is complete, and about to be handed over.
   *
   * @param deadline nanoseconds
   * @param order settles ties among deadlines
   */
  public void begin(long deadline, long order) {
    this.deadline = deadline;
    this.order = order;
    open = size;
    unsettled = size;
  }

  /** Who hears of it. */
  public BatchSink sink() {
    return sink;
  }

  /** How many requests it has. */
  public int size() {
    return size;
  }

  /** One of them. */
  public RequestState requests(int place) {
    return requests[place];
  }

  /** Lets go of all that it holds: nothing was handed over. */
  public void release() {
    for (int i = 0; i < size; i++) {
      requests[i].hold.released();
    }
  }

  /** Ends it before any flow took it. */
  public void refuse(Failure failure) {
    for (int i = 0; i < size; i++) {
      var request = requests[i];
      request.ended = true;
      request.hold.released();
      sink.requestEnded(request.index, new Outcome.Error(failure));
    }
    sink.partDone();
    sink.partSettled(false);
  }

  /**
   * Whether nobody will touch it any more. Not one that was given up while a transport holds its
   * slices, nor one that waits in a queue though its requests have ended.
   */
  public boolean spent() {
    return unsettled == 0 && !quarantined && !inQueue;
  }

  /**
   * Forgets its requests, for the next use. What reports for this use from here on is found out.
   */
  public void clear() {
    use++;
    for (int i = 0; i < size; i++) {
      requests[i].clear();
    }
    if (requests.length > KEPT) {
      requests = Arrays.copyOf(requests, KEPT);
    }
    size = 0;
    cursor = 0;
    open = 0;
    unsettled = 0;
  }

  /** The next request with something to cut, or null. */
  RequestState next() {
    while (cursor < size) {
      var request = requests[cursor];
      if (!request.ended && !request.moving && request.cut < request.length) {
        return request;
      }
      cursor++;
    }
    return null;
  }
}
