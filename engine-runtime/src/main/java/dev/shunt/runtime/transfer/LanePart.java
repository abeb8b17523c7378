package dev.shunt.runtime.transfer;

import dev.shunt.api.Failure;
import dev.shunt.api.Operation;
import dev.shunt.api.Outcome;
import dev.shunt.runtime.observe.Ending;
import dev.shunt.runtime.observe.TransferTrace;
import dev.shunt.runtime.transfer.core.BatchSink;
import dev.shunt.runtime.transfer.core.Part;
import dev.shunt.runtime.transfer.core.RequestState;

/** A part of a batch on its way to its lane, and afterwards the batch's ear there. */
public final class LanePart implements BatchSink, Runnable {
  private final BatchHandle batch;
  private final LaneRoute route;
  private final Lane lane;
  private final Part core;
  private final int room;
  private final long submitted;
  private final TransferTrace trace;
  private LaneFlow flow;

  /**
   * A part that its lane has not taken yet.
   *
   * @param room how much it took of the route's room, given back when it is done
   * @param submitted when its caller began to submit it, in nanoseconds
   * @param order settles ties among deadlines
   */
  public LanePart(
      BatchHandle batch,
      LaneRoute route,
      Lane lane,
      RequestState[] requests,
      int room,
      long submitted,
      long deadline,
      long order) {
    this.batch = batch;
    this.route = route;
    this.lane = lane;
    this.room = room;
    this.submitted = submitted;
    this.trace =
        lane.services().journal().begin(route.remote().name(), lane.services().transport());
    this.core = new Part(this, requests, deadline, order);
  }

  /** Hands it over; false if the lane has ended. */
  public boolean submit() {
    return lane.execute(this);
  }

  /** Ends it without a lane. */
  public void refuse(Failure failure) {
    core.refuse(failure);
  }

  /** Gives it up, unless it has ended. Any thread. */
  public void cancel() {
    lane.execute(
        () -> {
          if (flow != null) {
            flow.flow.cancel(core);
          }
        });
  }

  /** On the lane: its flow takes it. */
  @Override
  public void run() {
    lane.take(this);
  }

  LaneRoute route() {
    return route;
  }

  Part core() {
    return core;
  }

  LaneFlow flow() {
    return flow;
  }

  void flow(LaneFlow taken) {
    flow = taken;
  }

  @Override
  public void requestEnded(int index, Outcome outcome) {
    batch.requestEnded(index, outcome);
  }

  @Override
  public void requestEnded(RequestState request, Outcome outcome) {
    var now = lane.now();
    // A turn takes its time at its beginning; what was submitted meanwhile took no time.
    var nanos = Math.max(0, now - submitted);
    var operation = request.write() ? Operation.WRITE : Operation.READ;
    lane.meter().ended(operation, Ending.of(outcome), request.length(), nanos);
    if (trace != null) {
      var posted = request.attempts() == 0 ? now : request.firstPostedAt();
      trace.ended(
          request.write(),
          request.length(),
          request.slices(),
          request.attempts(),
          outcome.code(),
          outcome instanceof Outcome.Failed failed ? failed.failure().code().name() : "",
          Math.max(0, posted - submitted),
          now - posted);
    }
    batch.requestEnded(request.index(), outcome);
  }

  @Override
  public void progress(long bytes) {
    batch.progress(bytes);
  }

  @Override
  public void partDone() {
    lane.ended(core);
    route.room().release(room);
    route.queuedRequests().addAndGet(-core.size());
    batch.partDone();
  }

  @Override
  public void partSettled(boolean quarantined) {
    batch.partSettled(quarantined);
  }
}
