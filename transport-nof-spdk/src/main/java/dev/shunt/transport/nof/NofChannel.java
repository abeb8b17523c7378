package dev.shunt.transport.nof;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Channel;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LaneListener;
import dev.shunt.api.spi.Link;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.RetireReason;
import dev.shunt.api.spi.Slice;
import dev.shunt.transport.nof.core.NvmeStatus;
import dev.shunt.transport.nof.core.Queue;
import dev.shunt.transport.nof.core.QueueEvents;
import java.lang.foreign.Arena;

/** An I/O qpair. On its lane's thread only. */
final class NofChannel implements Channel, QueueEvents {
  private final NofQueuePlan plan;
  private final NofLane lane;
  private final LaneListener listener;
  private final Link link;
  private final Queue queue;
  private final QueueStream stream;
  private final long namespace;
  private final long size;
  private final int blockShift;
  private final long blockMask;
  private boolean up;

  NofChannel(NofQueuePlan plan, NofLane lane, LaneListener listener) {
    this.plan = plan;
    this.lane = lane;
    this.listener = listener;
    link = NofLink.of(plan.request());
    // Collected with the qpair: lanes may be closed by another thread than the one that ran them.
    var memory = Arena.ofAuto().allocate(Queue.bytes(plan.setup().entries()), 64);
    queue = new Queue(plan.setup(), memory, this);
    stream = new QueueStream(queue, plan.setup().where());
    namespace = plan.namespace().namespace();
    size = plan.namespace().size();
    blockShift = Integer.numberOfTrailingZeros(plan.namespace().blockSize());
    blockMask = plan.namespace().blockSize() - 1L;
  }

  NofQueuePlan plan() {
    return plan;
  }

  /** Begins to connect. */
  void connect(long now) {
    stream.connect(lane.loop(), plan.local(), plan.portal(), now);
    lane.look(stream.stopped() ? now : queue.nextDeadline());
  }

  /** Keeps the deadlines; reports what ended. */
  void tick(long now) {
    stream.settle(now);
    queue.tick(now);
  }

  long nextDeadline() {
    return queue.nextDeadline();
  }

  @Override
  public Link link() {
    return link;
  }

  @Override
  public int room() {
    return up && !stream.stopped() ? queue.room() : 0;
  }

  @Override
  public void post(Slice slice, long now) {
    if (room() == 0) {
      throw new IllegalStateException(plan.setup().where() + " has no room for a slice");
    }
    long length = slice.length();
    long address = slice.remoteAddress();
    if (length > plan.maxSlice() || length < 1 || ((address | length) & blockMask) != 0) {
      listener.failed(slice, misfit(slice));
      return;
    }
    // Not left to the target: the Linux kernel's answers an internal error, and blames itself.
    if (address < 0 || address > size - length) {
      listener.failed(slice, outside(slice));
      return;
    }
    boolean write = slice.write();
    var slot = queue.take(slice);
    Queue.transfer(slot, write, namespace, address >>> blockShift, length >>> blockShift);
    slot.data(write, slice.memory(), slice.offset(), length);
    queue.submit(slot, now);
    lane.look(queue.nextDeadline());
  }

  private Fault outside(Slice slice) {
    return new Fault(
        Fault.Blame.REQUEST,
        FailureCode.REMOTE_RANGE,
        Fault.Effect.NONE,
        plan.setup().where()
            + ": bytes "
            + Long.toUnsignedString(slice.remoteAddress())
            + " + "
            + slice.length()
            + " leave the namespace, which has "
            + size);
  }

  private Fault misfit(Slice slice) {
    return new Fault(
        Fault.Blame.REQUEST,
        FailureCode.REJECTED,
        Fault.Effect.NONE,
        plan.setup().where()
            + ": offset "
            + slice.remoteAddress()
            + " and length "
            + slice.length()
            + " must be multiples of the block size, "
            + plan.namespace().blockSize()
            + ", and the length at most "
            + plan.maxSlice());
  }

  @Override
  public void flush(long now) {
    stream.write(now);
    if (stream.stopped()) {
      lane.look(now);
    }
  }

  /** Nothing in NVMe over Fabrics takes a write back in bounded time. */
  @Override
  public boolean fence(LinkId stale, long now) {
    return false;
  }

  @Override
  public void retire(RetireReason reason, long now) {
    var code =
        switch (reason) {
          case CLOSED -> FailureCode.CLOSED;
          case STALLED -> FailureCode.UNREACHABLE;
          case RAIL_INACTIVE -> FailureCode.NO_RAIL;
          case STALE_GENERATION -> FailureCode.STALE_GENERATION;
          case EVICTED -> FailureCode.CONNECTION;
          case PROTOCOL -> FailureCode.PROTOCOL;
        };
    var text = plan.setup().where() + ": the qpair was retired (" + reason + ")";
    stop(new Fault(Fault.Blame.NEUTRAL, code, Fault.Effect.NONE, text), now);
  }

  /** Ends the stream at once; the slices are reported by the lane's next work. */
  void stop(Fault fault, long now) {
    stream.stop(fault);
    lane.look(now);
  }

  @Override
  public void live(int controller, long now) {
    if (controller != plan.setup().controller()) {
      var text = plan.setup().where() + ": the I/O queue belongs to controller " + controller;
      stream.stop(new Fault(Fault.Blame.REMOTE, FailureCode.PROTOCOL, Fault.Effect.NONE, text));
      return;
    }
    up = true;
    listener.channelUp(plan.request(), this);
  }

  @Override
  public void completed(Object owner, int status, long result, long now) {
    var slice = (Slice) owner;
    if (NvmeStatus.good(status)) {
      listener.completed(slice);
    } else {
      listener.failed(slice, NvmeStatus.ofTransfer(status, slice.write(), plan.setup().where()));
    }
  }

  @Override
  public void closing(long now) {
    stream.close();
  }

  @Override
  public void aborted(Object owner, Fault.Effect effect, Fault cause, long now) {
    listener.failed(
        (Slice) owner,
        new Fault(cause.blame(), cause.code(), effect, cause.text(), cause.vendorCode()));
  }

  @Override
  public void over(Fault cause, long now) {
    lane.gone(this);
    if (up) {
      up = false;
      listener.channelDown(this, cause);
    } else {
      listener.connectFailed(plan.request(), cause);
    }
  }
}
