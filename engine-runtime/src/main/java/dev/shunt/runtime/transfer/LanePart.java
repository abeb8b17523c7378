package dev.shunt.runtime.transfer;

import dev.shunt.api.Failure;
import dev.shunt.api.FailureCode;
import dev.shunt.api.Operation;
import dev.shunt.api.Outcome;
import dev.shunt.runtime.observe.Ending;
import dev.shunt.runtime.observe.TransferTrace;
import dev.shunt.runtime.transfer.core.BatchSink;
import dev.shunt.runtime.transfer.core.Part;
import dev.shunt.runtime.transfer.core.RequestState;
import java.util.List;

/**
 * A part of a batch on its way to its lane, and afterwards the batch's ear there. It belongs to one
 * lane for ever, and to one batch after the other: {@link Lane#part} gives it to a caller, who
 * fills it and hands it over; the lane takes it back when nothing of it is left.
 */
public final class LanePart extends LaneTask implements BatchSink {
  private final Lane lane;
  private final int place;
  private final Part core = new Part(this);
  private BatchHandle batch;
  private LaneRoute route;
  private LaneFlow flow;
  private TransferTrace trace;
  private long submitted;
  private int room;
  private LaneRoute roomOf;

  LanePart(Lane lane, int place) {
    this.lane = lane;
    this.place = place;
  }

  // ---- the caller's, until it hands the part over

  /** Begins a part of a batch. */
  void begin(BatchHandle of, LaneRoute to) {
    batch = of;
    route = to;
    roomOf = to;
    trace = lane.services().journal().begin(to.remote().name(), lane.services().transport());
  }

  /**
   * One request more, to be set.
   *
   * @param expected how many there may be in the end
   */
  public RequestState add(int expected) {
    return core.add(expected);
  }

  /** How many requests it has. */
  public int size() {
    return core.size();
  }

  /** By which way it goes. */
  public LaneRoute route() {
    return route;
  }

  /** Notes how much it took of the route's room, given back when it is done. */
  public void room(int taken) {
    room = taken;
  }

  /** How much it took of the route's room. */
  public int room() {
    return room;
  }

  /**
   * Hands it over; false if the lane has ended. Not to be touched from here on.
   *
   * @param now nanoseconds
   * @param deadline nanoseconds
   * @param order settles ties among deadlines
   */
  public boolean submit(long now, long deadline, long order) {
    submitted = now;
    core.begin(deadline, order);
    return lane.submit(this, now);
  }

  /**
   * Takes requests on to other ways, as parts of the same batch. They keep their deadline and the
   * room that they have where they were submitted. In a turn of the lane.
   *
   * @param requests of this part, without anything on a channel
   */
  void move(List<RequestState> requests, Detour detour) {
    LanePart onward = null;
    for (int i = 0; i < requests.size(); i++) {
      var request = requests.get(i);
      var turn = detour.next(request).orElse(null);
      if (turn == null) {
        continue;
      }
      if (onward == null || onward.route != turn.route()) {
        leave(onward);
        onward = turn.lane().part(batch, turn.route());
        onward.roomOf = roomOf;
      }
      request.continueAs(onward.add(requests.size() - i), turn.localKeys(), turn.remoteKeys());
      var next = onward.core.requests(onward.size() - 1);
      next.way(turn.place());
      next.rails(turn.localRails(), turn.remoteRails());
      tellMoved(request, turn.lane().services().transport());
    }
    leave(onward);
  }

  private void tellMoved(RequestState request, String next) {
    var services = lane.services();
    services
        .journal()
        .requestMoved(
            route.remote().name(),
            services.transport(),
            next,
            request.write(),
            request.length(),
            request.attempts());
  }

  /** The batch counts it before it loses what is moved, and knows it before the lane does. */
  private void leave(LanePart onward) {
    if (onward == null) {
      return;
    }
    var size = onward.size();
    onward.room = Math.min(room, size);
    room -= onward.room;
    onward.submitted = submitted;
    onward.core.begin(core.deadline(), core.order());
    onward.route.queuedRequests().addAndGet(size);
    batch.expect(1);
    var wanted = batch.moved(onward);
    if (!onward.lane.send(onward)) {
      onward.refuse(Failure.of(FailureCode.CLOSED, "the engine is closed"));
    } else if (!wanted) {
      onward.cancel(batch);
    }
  }

  /** Ends it without a lane, which has ended. */
  public void refuse(Failure failure) {
    core.refuse(failure);
  }

  /** It is not handed over: what it holds is let go of. */
  public void drop() {
    core.release();
    clear();
    lane.takeBack(this);
  }

  // ---- any thread

  /** Gives it up if it is still that batch's, and has not ended. */
  void cancel(BatchHandle of) {
    lane.execute(
        () -> {
          if (batch == of && flow != null) {
            lane.cancel(this);
          }
        });
  }

  // ---- on the lane

  /** Its flow takes it. */
  @Override
  void run() {
    lane.take(this);
  }

  int place() {
    return place;
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

  /** Forgets its batch; for the next one. */
  void clear() {
    core.clear();
    batch = null;
    route = null;
    roomOf = null;
    flow = null;
    trace = null;
    room = 0;
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
    roomOf.room().release(room);
    route.queuedRequests().addAndGet(-core.size());
    batch.partDone();
  }

  @Override
  public void partSettled(boolean quarantined) {
    batch.partSettled(quarantined);
    lane.spent(this);
  }
}
