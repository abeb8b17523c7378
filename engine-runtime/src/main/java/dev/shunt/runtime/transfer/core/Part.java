package dev.shunt.runtime.transfer.core;

import dev.shunt.api.Failure;
import dev.shunt.api.Outcome;

/**
 * The requests of a batch that go by one flow. Owned by that flow's lane once it is handed over.
 */
public final class Part implements Comparable<Part> {
  final BatchSink sink;
  final RequestState[] requests;
  final long deadline;
  final long order;
  int cursor;
  int open;
  int unsettled;
  boolean quarantined;
  boolean inQueue;
  int place = Deadlines.NOWHERE;

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
    this.deadline = deadline;
    this.order = order;
    this.open = requests.length;
    this.unsettled = requests.length;
  }

  /** Who hears of it. */
  public BatchSink sink() {
    return sink;
  }

  /** How many requests it has. */
  public int size() {
    return requests.length;
  }

  /** When it is given up. */
  public long deadline() {
    return deadline;
  }

  /** Ends it before any flow took it. */
  public void refuse(Failure failure) {
    for (var request : requests) {
      request.ended = true;
      request.hold.released();
      sink.requestEnded(request.index, new Outcome.Error(failure));
    }
    sink.partDone();
    sink.partSettled(false);
  }

  /** The next request with something to cut, or null. */
  RequestState next() {
    while (cursor < requests.length) {
      var request = requests[cursor];
      if (!request.ended && request.cut < request.length) {
        return request;
      }
      cursor++;
    }
    return null;
  }

  @Override
  public int compareTo(Part other) {
    var byDeadline = Long.signum(deadline - other.deadline);
    return byDeadline != 0 ? byDeadline : Long.compare(order, other.order);
  }

  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(order);
  }
}
