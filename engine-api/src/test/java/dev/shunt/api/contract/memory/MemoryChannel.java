package dev.shunt.api.contract.memory;

import dev.shunt.api.FailureCode;
import dev.shunt.api.sim.Event;
import dev.shunt.api.spi.Channel;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Fault.Effect;
import dev.shunt.api.spi.Lease;
import dev.shunt.api.spi.Link;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Rail;
import dev.shunt.api.spi.Regions.Refusal;
import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.RemoteRail;
import dev.shunt.api.spi.RetireReason;
import dev.shunt.api.spi.Slice;

/**
 * A channel, with what it has under way. Operations are applied in order; between them, and within
 * a long one, time passes. What was under way when the channel was retired may still be applied:
 * its bytes are on their way and no longer in local memory.
 */
final class MemoryChannel extends Event implements Channel {
  private static final int PIECE = 16_384;
  private static final Fault RANGE = refusal(FailureCode.REMOTE_RANGE, "no such memory");
  private static final Fault ACCESS = refusal(FailureCode.REMOTE_ACCESS, "not allowed there");
  private static final Fault UNCHECKED =
      new Fault(Blame.REMOTE, FailureCode.REMOTE_RANGE, Effect.NONE, "no such memory");

  private final MemoryFabric fabric;
  private final MemoryLane lane;
  private final MemoryTransport server;
  private final MemoryLane serverLane;
  private final MemoryFabric.Way way;
  private final MemoryLink link;
  private final MemoryOp[] ops = new MemoryOp[MemoryTransport.DEPTH];
  private final Lease lease = new Lease();
  // Positions only grow: reported, applied at the remote, posted.
  private int reported;
  private int applied;
  private int posted;
  private long leasedAt;
  private boolean over;
  private boolean wireGone;
  private int spoiled;

  MemoryChannel(
      MemoryFabric fabric,
      MemoryLane lane,
      MemoryTransport server,
      MemoryFabric.Way way,
      ConnectRequest request) {
    this.fabric = fabric;
    this.lane = lane;
    this.server = server;
    this.way = way;
    link = new MemoryLink(request.id(), request.remote(), request.local(), request.remoteRail());
    for (int i = 0; i < ops.length; i++) {
      ops[i] = new MemoryOp();
    }
    serverLane = server.lane(request.lane());
    serverLane.serve(this);
    fabric.opened(this);
  }

  private record MemoryLink(LinkId id, Remote remote, Rail local, RemoteRail remoteRail)
      implements Link {}

  private static Fault refusal(FailureCode code, String text) {
    return new Fault(Blame.REQUEST, code, Effect.NONE, text);
  }

  MemoryFabric.Way way() {
    return way;
  }

  MemoryTransport server() {
    return server;
  }

  MemoryTransport client() {
    return lane.transport();
  }

  @Override
  public Link link() {
    return link;
  }

  @Override
  public int room() {
    return fabric.has(Flaw.ROOM_LIES)
        ? ops.length
        : ops.length - (posted - reported) - (fabric.has(Flaw.ROOM_SHRINKS) ? spoiled : 0);
  }

  private MemoryOp op(int position) {
    return ops[position % ops.length];
  }

  @Override
  public void post(Slice slice, long now) {
    op(posted).take(slice);
    if (fabric.has(Flaw.POST_ALLOCATES)) {
      fabric.litter = new LinkId(now, posted);
    }
    posted++;
    if (posted - applied == 1) {
      moves();
    }
  }

  @Override
  public void flush(long now) {
    // Everything went out already.
  }

  @Override
  public boolean fence(LinkId stale, long now) {
    if (over || wireGone || room() == 0) {
      return false;
    }
    op(posted).take(stale);
    posted++;
    if (posted - applied == 1) {
      moves();
    }
    return true;
  }

  /** The next step comes after a while, if there is one. */
  void moves() {
    if (!wireGone && applied != posted && !scheduled()) {
      fabric.world().schedule(this, fabric.world().now() + fabric.travel());
    }
  }

  @Override
  protected void fire(long now) {
    if (way.held || way.silent || wireGone) {
      return;
    }
    if (fabric.stage().process(server.context().node()).frozen()) {
      if (fabric.has(Flaw.IMPATIENT)) {
        cut();
      } else {
        fabric.world().schedule(this, now + 1_000_000);
      }
      return;
    }
    var op = op(applied);
    if (step(op, now)) {
      op.atRemote = true;
      applied++;
      lane.ready();
      if (over && applied == posted) {
        drained();
      }
    }
    moves();
  }

  /** One step at the remote; true when the operation is through. */
  private boolean step(MemoryOp op, long now) {
    if (op.fence != null) {
      server.fenced(op.fence);
      return true;
    }
    if (fabric.has(Flaw.SENDS_LATE) && op.slice != null && op.write) {
      op.sendFrom(op.slice);
    }
    if (!op.begun) {
      op.begun = true;
      op.refusal = acquire(op);
      if (op.refusal != Refusal.NONE) {
        return true;
      }
      serverLane.ready();
    }
    int n = Math.min(PIECE, op.length - op.moved);
    boolean last = op.moved + n == op.length;
    if (last) {
      n += fabric.has(Flaw.MOVES_ONE_BYTE_MORE) ? 1 : 0;
      n -= fabric.has(Flaw.LOSES_THE_LAST_BYTE) ? 1 : 0;
    }
    if (lease.held()) {
      op.apply(lease.memory(), lease.offset(), n);
    } else {
      op.moved += n;
    }
    leasedAt = now;
    if (last && !fabric.has(Flaw.KEEPS_LEASE)) {
      lease.release();
    }
    return last;
  }

  private Refusal acquire(MemoryOp op) {
    if (lease.held()) {
      return Refusal.NONE;
    }
    long key = fabric.has(Flaw.NO_KEY_CHECK) ? 0 : op.key;
    var refusal = server.context().regions().acquire(op.address, op.length, key, op.write, lease);
    boolean waved =
        refusal == Refusal.RANGE && fabric.has(Flaw.NO_RANGE_CHECK)
            || refusal == Refusal.ACCESS && fabric.has(Flaw.NO_ACCESS_CHECK);
    return waved ? Refusal.NONE : refusal;
  }

  /** When the remote gives up on what it waits for. */
  long deadline(long patience) {
    return lease.held() ? leasedAt + patience : Long.MAX_VALUE;
  }

  /** Reports what is through, on the lane. */
  int report() {
    int done = 0;
    while (!over && reported != posted && (op(reported).atRemote || early())) {
      var op = op(reported);
      if (op.slice != null) {
        report(op);
        done++;
      }
      if (over) {
        return done;
      }
      reported++;
    }
    if (wireGone && !over) {
      end(new Fault(blame(), FailureCode.CONNECTION, Effect.POSSIBLE, "the path was cut"));
      done++;
    }
    return done;
  }

  private Blame blame() {
    return fabric.has(Flaw.BLAMES_ITSELF) ? Blame.LOCAL : Blame.REMOTE;
  }

  private boolean early() {
    return fabric.has(Flaw.COMPLETES_EARLY) && op(reported).write;
  }

  private void report(MemoryOp op) {
    var slice = op.slice;
    if (fabric.has(Flaw.FORGETS_A_REPORT) && op.length % 7 == 3) {
      return;
    }
    if (fabric.has(Flaw.ROOM_SHRINKS)) {
      spoiled++;
    }
    if (op.refusal == Refusal.NONE && op.length > 65_536 && fabric.has(Flaw.LIMITS_LIE)) {
      op.refusal = Refusal.RANGE;
    }
    if (op.refusal != Refusal.NONE) {
      var fault = op.refusal == Refusal.ACCESS ? ACCESS : RANGE;
      lane.listener().failed(slice, fabric.has(Flaw.BLAMES_THE_REMOTE) ? UNCHECKED : fault);
      if (fabric.has(Flaw.REFUSAL_ENDS_CHANNEL)) {
        reported++;
        cut();
        end(new Fault(Blame.NEUTRAL, FailureCode.PROTOCOL, Effect.POSSIBLE, "a refusal"));
      }
      return;
    }
    if (!op.write) {
      op.receiveInto(slice);
    }
    if (fabric.has(Flaw.COMPLETION_ALLOCATES)) {
      fabric.litter = new LinkId(1, op.length);
    }
    var listener =
        fabric.has(Flaw.WRONG_LANE) ? lane.transport().lane(1).listener() : lane.listener();
    listener.completed(slice);
    if (fabric.has(Flaw.REPORTS_TWICE)) {
      listener.completed(slice);
    }
  }

  /** The path is gone for good: nothing more is applied. */
  void cut() {
    if (wireGone || fabric.has(Flaw.IGNORES_DEATH)) {
      return;
    }
    wireGone = true;
    fabric.world().cancel(this);
    lease.release();
    serverLane.servesNoMore(this);
    fabric.gone(this);
    lane.ready();
  }

  /** All that was under way when the channel was retired has arrived. */
  private void drained() {
    serverLane.servesNoMore(this);
    fabric.gone(this);
    wireGone = true;
  }

  @Override
  public void retire(RetireReason reason, long now) {
    if (!over) {
      end(new Fault(Blame.NEUTRAL, FailureCode.CANCELLED, Effect.POSSIBLE, "retired: " + reason));
      if (!wireGone && applied == posted) {
        drained();
      }
    }
  }

  private void end(Fault fault) {
    over = true;
    var harmless = new Fault(fault.blame(), fault.code(), Effect.NONE, fault.text());
    boolean late = fabric.has(Flaw.REPORTS_AFTER_DOWN);
    if (late) {
      lane.listener().channelDown(this, fault);
    }
    for (int i = reported; i != posted; i++) {
      var op = op(i);
      var slice = op.slice;
      if (slice == null) {
        continue;
      }
      boolean sure = !op.write || wireGone && !op.begun || op.refusal != Refusal.NONE;
      lane.listener().failed(slice, sure || fabric.has(Flaw.EFFECT_LIE) ? harmless : fault);
      if (!fabric.has(Flaw.TOUCHES_LATE) && !fabric.has(Flaw.SENDS_LATE)) {
        op.slice = null;
      } else if (fabric.has(Flaw.TOUCHES_LATE)) {
        fabric.world().at(fabric.world().now() + 1_000_000_000L, () -> op.receiveInto(slice));
      }
    }
    reported = posted;
    lane.down(this);
    if (!late && !fabric.has(Flaw.NEVER_DOWN)) {
      lane.listener().channelDown(this, fault);
    }
    if (fabric.has(Flaw.DOWN_TWICE)) {
      lane.listener().channelDown(this, fault);
    }
  }
}
