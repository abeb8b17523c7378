package dev.shunt.api.contract.memory;

import dev.shunt.api.FailureCode;
import dev.shunt.api.sim.Event;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Fault.Effect;
import dev.shunt.api.spi.Link;
import dev.shunt.api.spi.NotifyFrame;
import dev.shunt.api.spi.NotifyOrigin;
import dev.shunt.api.spi.NotifyPort;
import dev.shunt.api.spi.RetireReason;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;

/** A port: frames move into the mailbox of a lane of the other node, one after the other. */
final class MemoryPort extends Event implements NotifyPort {
  private static final int LARGEST = 16_384;
  private static final int SLOTS = 4;
  private static final int WAITING = 8;
  private static final long AGAIN = 100_000;

  private final MemoryFabric fabric;
  private final MemoryLane lane;
  private final MemoryTransport server;
  private final MemoryLane serverLane;
  private final MemoryFabric.Way way;
  private final Link link;
  private final NotifyOrigin origin;
  private final ArrayDeque<NotifyFrame> taken = new ArrayDeque<>();
  private final ArrayDeque<NotifyFrame> sent = new ArrayDeque<>();
  private final ArrayDeque<NotifyFrame> waiting = new ArrayDeque<>();
  private boolean cut;
  private boolean over;
  private Fault ended;

  MemoryPort(
      MemoryFabric fabric,
      MemoryLane lane,
      MemoryTransport server,
      MemoryFabric.Way way,
      ConnectRequest request,
      Link link) {
    this.fabric = fabric;
    this.lane = lane;
    this.server = server;
    this.way = way;
    this.link = link;
    serverLane = server.lane(request.lane());
    var node = lane.transport().context();
    origin =
        new NotifyOrigin(
            node.node(), node.generation(), request.id().attempt(), server.rail(request), 0);
    fabric.opened(this);
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
  public int protocol() {
    return 0;
  }

  @Override
  public int maxFrame() {
    return LARGEST;
  }

  @Override
  public int room() {
    return over ? 0 : SLOTS - sent.size() - taken.size() + WAITING - waiting.size();
  }

  @Override
  public void post(NotifyFrame frame, long now) {
    if (over) {
      fail(frame, ended);
    } else if (frame.bytes().byteSize() > LARGEST && !fabric.has(Flaw.FRAMES_OF_ANY_LENGTH)) {
      fail(frame, new Fault(Blame.REQUEST, FailureCode.REJECTED, Effect.NONE, "too long"));
    } else if (sent.size() + taken.size() < SLOTS && waiting.isEmpty()) {
      sent.add(frame);
      moves();
    } else if (waiting.size() < WAITING || fabric.has(Flaw.FRAMES_WAIT_FOR_EVER)) {
      waiting.add(frame);
    } else {
      fail(frame, busy());
    }
  }

  private static Fault busy() {
    return new Fault(Blame.NEUTRAL, FailureCode.BUSY, Effect.NONE, "no slot is free");
  }

  private void fail(NotifyFrame frame, Fault fault) {
    lane.notifications().failed(this, frame, fault);
  }

  void moves() {
    if (!cut && !over && !sent.isEmpty() && !scheduled()) {
      fabric.world().schedule(this, fabric.world().now() + fabric.travel());
    }
  }

  @Override
  protected void fire(long now) {
    if (way.held || way.silent || cut || over || sent.isEmpty()) {
      return;
    }
    boolean frozen = fabric.stage().process(server.context().node()).frozen();
    var bytes = sent.peek().bytes().toArray(ValueLayout.JAVA_BYTE);
    if (frozen || !serverLane.arrives(origin, bytes)) {
      fabric.world().schedule(this, now + AGAIN);
      return;
    }
    if (fabric.has(Flaw.FRAME_ARRIVES_TWICE)) {
      serverLane.arrives(origin, bytes);
    }
    taken.add(sent.poll());
    lane.ready();
    moves();
  }

  /** Reports what was taken, on the lane; answers how much. */
  int report(long now) {
    int done = taken.size();
    for (var frame = taken.poll(); frame != null; frame = taken.poll()) {
      lane.notifications().delivered(this, frame);
    }
    while (sent.size() < SLOTS && !waiting.isEmpty()) {
      sent.add(fabric.has(Flaw.FRAMES_OVERTAKE) ? waiting.pollLast() : waiting.poll());
    }
    moves();
    if (!waiting.isEmpty() && !fabric.has(Flaw.FRAMES_WAIT_FOR_EVER)) {
      int before = waiting.size();
      for (var frame : waiting.toArray(NotifyFrame[]::new)) {
        if (frame.slotDeadline() - now <= 0 && waiting.remove(frame)) {
          fail(frame, busy());
        }
      }
      done += before - waiting.size();
    }
    if (cut && !over) {
      end(new Fault(Blame.REMOTE, FailureCode.CONNECTION, Effect.NONE, "the path was cut"));
      done++;
    }
    return done;
  }

  /** When the first frame has waited long enough. */
  long deadline() {
    long first = Long.MAX_VALUE;
    for (var frame : waiting) {
      first = Math.min(first, frame.slotDeadline());
    }
    return fabric.has(Flaw.FRAMES_WAIT_FOR_EVER) ? Long.MAX_VALUE : first;
  }

  /** The path is gone. */
  void cut() {
    if (!cut) {
      cut = true;
      fabric.world().cancel(this);
      lane.ready();
    }
  }

  @Override
  public void retire(RetireReason reason, long now) {
    report(now);
    end(new Fault(Blame.NEUTRAL, FailureCode.CANCELLED, Effect.NONE, "retired: " + reason));
  }

  void end(Fault fault) {
    if (over) {
      return;
    }
    over = true;
    ended = fault;
    fabric.world().cancel(this);
    fabric.gone(this);
    var unsure = new Fault(fault.blame(), fault.code(), Effect.POSSIBLE, fault.text());
    for (var frame = sent.poll(); frame != null; frame = sent.poll()) {
      if (!fabric.has(Flaw.FORGETS_FRAMES)) {
        fail(frame, fabric.has(Flaw.FRAME_EFFECT_LIE) ? fault : unsure);
      }
    }
    for (var frame = waiting.poll(); frame != null; frame = waiting.poll()) {
      fail(frame, fault);
    }
    if (fabric.has(Flaw.RETIRED_FRAMES_ARE_LOST)) {
      serverLane.forgets(origin);
    }
    lane.down(this);
    if (!fabric.has(Flaw.PORT_NEVER_DOWN)) {
      lane.notifications().portDown(this, fault);
    }
  }
}
