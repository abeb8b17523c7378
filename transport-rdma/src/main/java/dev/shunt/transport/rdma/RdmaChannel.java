package dev.shunt.transport.rdma;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Channel;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Fault.Effect;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.RetireReason;
import dev.shunt.api.spi.Slice;
import dev.shunt.transport.rdma.core.SlotTable;
import dev.shunt.transport.rdma.core.WcStatus;
import dev.shunt.transport.rdma.verbs.VerbsException;
import dev.shunt.transport.rdma.verbs.VerbsQp;
import dev.shunt.transport.rdma.verbs.WorkBatch;

/**
 * A lane's half of a connection. Each slice is one signalled work request, whose id has the
 * channel's place in the lane and the slice's slot. A run of slices goes to one QP with one call,
 * at the latest when the lane flushes; the next run to the next QP.
 *
 * <p>The first failure ends it: an RC QP that erred stays in error, and its siblings are taken
 * there by the supervisor. It is down when everything has come back.
 */
final class RdmaChannel implements Channel {
  /** Slices that go out with one call: with more, the first would wait for the last for long. */
  private static final int BATCH = 16;

  /** Stands for the slot of a keep-alive, which has none. */
  private static final int PROBE = -1;

  private final RdmaLane lane;
  private final LaneQueue queue;
  private final Endpoint endpoint;
  private SlotTable slots;
  private final int[] outstanding;
  private final int depth;
  private final WorkBatch batch;
  private final int[] batched;
  private int batchQp;
  private final int remoteContext;
  private long active;
  private boolean probing;
  private int place = -1;
  private int next;
  private Fault ending;
  private boolean down;

  RdmaChannel(RdmaLane lane, LaneQueue queue, Endpoint endpoint, int depth) {
    this.lane = lane;
    this.queue = queue;
    this.endpoint = endpoint;
    this.depth = depth;
    remoteContext = endpoint.remoteContext();
    int qps = endpoint.qps().size();
    slots = new SlotTable(Math.min(qps * depth, queue.cq().depth()));
    outstanding = new int[qps];
    batch = new WorkBatch(Math.min(BATCH, depth));
    batched = new int[batch.capacity()];
  }

  void place(int index, long now) {
    place = index;
    active = now;
  }

  int place() {
    return place;
  }

  Endpoint endpoint() {
    return endpoint;
  }

  @Override
  public RdmaLink link() {
    return endpoint.link();
  }

  @Override
  public int room() {
    return ending == null ? Math.min(slots.room(), queue.room()) : 0;
  }

  @Override
  public void post(Slice slice, long now) {
    if (room() == 0) {
      throw new IllegalStateException("no room on " + link() + "; ask room() first");
    }
    if (slice.length() > lane.maxSlice()) {
      tooLong(slice);
      return;
    }
    int context = (int) (slice.remoteKey() >>> Integer.SIZE);
    if (context != remoteContext) {
      otherContext(slice, context);
      return;
    }
    if (batch.size() > 0 && (batch.size() == batched.length || outstanding[batchQp] == depth)) {
      postBatch();
      if (ending != null) {
        lane.listener().failed(slice, ending);
        return;
      }
    }
    if (batch.size() == 0) {
      batchQp = nextQp();
    }
    active = now;
    int slot = slots.take(slice, batchQp);
    outstanding[batchQp]++;
    queue.promise();
    batched[batch.size()] = slot;
    batch.add(
        id(slot),
        slice.write() ? VerbsQp.WRITE : VerbsQp.READ,
        slice.memory().address() + slice.offset(),
        ((RdmaKey) slice.localKey()).lkey(),
        (int) slice.length(),
        slice.remoteAddress(),
        (int) slice.remoteKey());
  }

  /** What the device does not take was never handed to the fabric. */
  private void postBatch() {
    int size = batch.size();
    if (size == 0) {
      return;
    }
    int error = endpoint.qps().get(batchQp).post(batch);
    int posted = batch.posted();
    batch.clear();
    if (error != 0) {
      var text = link() + ": posting a work request: " + VerbsException.text(error);
      var fault = new Fault(Blame.LOCAL, FailureCode.DEVICE, Effect.NONE, text, error);
      // First of all, so that nothing more is posted from within the reports.
      end(fault);
      failBatched(posted, size, ending);
      lookForEnd();
    }
  }

  private void failBatched(int from, int to, Fault fault) {
    for (int i = from; i < to; i++) {
      var slice = slots.slice(batched[i]);
      giveBack(batched[i]);
      lane.listener().failed(slice, fault);
    }
  }

  /** A work request has 32 bits for it: cut short it would complete, with bytes missing. */
  private void tooLong(Slice slice) {
    var text =
        link()
            + ": a slice of "
            + slice.length()
            + " bytes; it has "
            + lane.maxSlice()
            + " at most";
    lane.listener()
        .failed(slice, new Fault(Blame.REQUEST, FailureCode.REJECTED, Effect.NONE, text));
  }

  /**
   * A key and this connection are of two contexts of the peer's rail. With an older key nothing is
   * wrong here; an older connection has lost its peer, which need not show before the next
   * keep-alive.
   */
  private void otherContext(Slice slice, int context) {
    if (Integer.compareUnsigned(context, remoteContext) < 0) {
      var text =
          link()
              + ": the remote's key is not of the context that its rail has now; its descriptor"
              + " tells another one";
      lane.listener()
          .failed(slice, new Fault(Blame.REMOTE, FailureCode.REMOTE_RANGE, Effect.NONE, text));
      return;
    }
    var text = link() + ": the remote's rail has another context since this connection was made";
    var fault = new Fault(Blame.NEUTRAL, FailureCode.CONNECTION, Effect.NONE, text);
    // In this order: with nothing else on it the channel is down as soon as it ends.
    lane.listener().failed(slice, fault);
    end(fault);
  }

  private long id(int slot) {
    return (long) place << Integer.SIZE | Integer.toUnsignedLong(slot);
  }

  /** In turn, but past those that are full; one has room, since the channel has. */
  private int nextQp() {
    int index = next;
    while (outstanding[index] == depth) {
      index = index + 1 == outstanding.length ? 0 : index + 1;
    }
    next = index + 1 == outstanding.length ? 0 : index + 1;
    return index;
  }

  private void giveBack(int slot) {
    outstanding[slots.qp(slot)]--;
    slots.release(slot);
    queue.fulfil();
  }

  @Override
  public void flush(long now) {
    postBatch();
  }

  @Override
  public boolean fence(LinkId stale, long now) {
    return false;
  }

  @Override
  public void retire(RetireReason reason, long now) {
    end(retired(link(), reason));
  }

  /** What it means to whoever waits for something on a link that is retired. */
  static Fault retired(RdmaLink link, RetireReason reason) {
    var blame = reason == RetireReason.RAIL_INACTIVE ? Blame.LOCAL : Blame.NEUTRAL;
    var code =
        switch (reason) {
          case CLOSED -> FailureCode.CLOSED;
          case STALE_GENERATION -> FailureCode.STALE_GENERATION;
          case PROTOCOL -> FailureCode.PROTOCOL;
          case STALLED, RAIL_INACTIVE, EVICTED -> FailureCode.CONNECTION;
        };
    return new Fault(blame, code, Effect.NONE, link + " is retired: " + reason);
  }

  /** Whether it could go without anybody's noticing: nothing is posted, nor was since a time. */
  boolean idle(long since) {
    return ending == null && !probing && slots.taken() == 0 && active - since <= 0;
  }

  /** When something was last posted, or else when it came up. */
  long active() {
    return active;
  }

  /** Looks whether the peer's QP is there, if nothing was posted since a time. */
  void keepAlive(long since, long now) {
    if (ending != null
        || probing
        || slots.taken() > 0
        || active - since > 0
        || queue.room() == 0
        || link().remote().generation() == 0) {
      return;
    }
    active = now;
    int error = endpoint.qps().get(nextQp()).probe(id(PROBE));
    if (error == 0) {
      probing = true;
      queue.promise();
    } else {
      var text = link() + ": posting a keep-alive: " + VerbsException.text(error);
      end(new Fault(Blame.LOCAL, FailureCode.DEVICE, Effect.NONE, text, error));
    }
  }

  private boolean probed(int status, int vendorError) {
    if (!probing) {
      return false;
    }
    probing = false;
    queue.fulfil();
    if (status != 0) {
      end(fault(status, vendorError, false));
    }
    lookForEnd();
    return true;
  }

  /** A completion of one of its slots came; false if there is nothing in that slot. */
  boolean completed(int slot, int status, int vendorError) {
    if (slot == PROBE) {
      return probed(status, vendorError);
    }
    var slice = slots.slice(slot);
    if (slice == null) {
      return false;
    }
    giveBack(slot);
    if (status == 0) {
      lane.listener().completed(slice);
    } else {
      var fault = fault(status, vendorError, slice.write());
      lane.listener().failed(slice, fault);
      end(fault);
    }
    lookForEnd();
    return true;
  }

  private Fault fault(int status, int vendorError, boolean write) {
    var rail = queue.rail();
    return WcStatus.fault(
        status, vendorError, write, link().toString(), rail.active(), rail.vendorTable());
  }

  private void lookForEnd() {
    if (ending != null && slots.taken() == 0 && !probing) {
      goDown();
    }
  }

  /** Ends it; what is posted comes back first. Does nothing to one that ends already. */
  void end(Fault cause) {
    if (ending != null) {
      return;
    }
    ending = cause;
    dropBatch(cause);
    lane.toSupervisor(endpoint::drain);
    lookForEnd();
  }

  /** What was not posted yet never is. */
  private void dropBatch(Fault cause) {
    int size = batch.size();
    batch.clear();
    if (size > 0) {
      var why =
          new Fault(cause.blame(), cause.code(), Effect.NONE, cause.text(), cause.vendorCode());
      failBatched(0, size, why);
    }
  }

  private void goDown() {
    if (down) {
      return;
    }
    down = true;
    // Whoever keeps a dead channel keeps no more than its name.
    slots = new SlotTable(0);
    lane.forget(this);
    lane.toSupervisor(endpoint::drained);
    lane.listener().channelDown(this, ending);
  }

  /**
   * Ends it at once, with its lane: the QPs are destroyed here, after which the device touches
   * nothing for them, and what is still posted is reported.
   */
  void close() {
    int error = endpoint.qps().closeOnLane();
    if (error != 0) {
      lane.warn(link() + ": a QP could not be destroyed: " + VerbsException.text(error));
    }
    var text = link() + " is closed with its lane";
    if (ending == null) {
      ending = new Fault(Blame.NEUTRAL, FailureCode.CLOSED, Effect.NONE, text);
      dropBatch(ending);
      lane.toSupervisor(endpoint::drain);
    }
    reportAll(Blame.NEUTRAL, FailureCode.CLOSED, text);
    goDown();
  }

  /**
   * Its QPs are gone, and its device touches nothing for them: what has not come back by now never
   * will. Only after {@link #end}.
   */
  void gone() {
    if (down) {
      return;
    }
    lane.empty(queue);
    if (!down) {
      reportAll(ending.blame(), ending.code(), ending.text());
      goDown();
    }
  }

  private void reportAll(Blame blame, FailureCode code, String text) {
    for (int slot = 0; slot < slots.size(); slot++) {
      var slice = slots.slice(slot);
      if (slice != null) {
        giveBack(slot);
        var effect = slice.write() ? Effect.POSSIBLE : Effect.NONE;
        lane.listener().failed(slice, new Fault(blame, code, effect, text));
      }
    }
  }
}
