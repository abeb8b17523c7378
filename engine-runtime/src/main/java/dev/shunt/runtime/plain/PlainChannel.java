package dev.shunt.runtime.plain;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Channel;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Fault.Effect;
import dev.shunt.api.spi.LaneListener;
import dev.shunt.api.spi.Link;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Rail;
import dev.shunt.api.spi.Refusal;
import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.RemoteRail;
import dev.shunt.api.spi.RetireReason;
import dev.shunt.api.spi.Slice;
import dev.shunt.api.spi.Wire;
import dev.shunt.api.spi.WireException;
import dev.shunt.api.spi.WireHandler;
import dev.shunt.runtime.plain.core.PeerRanges;
import dev.shunt.runtime.plain.core.PlainRequester;

/**
 * A connection to a peer's control plane that carries data. It is up once the peer's descriptor has
 * come by it: before that nothing is known of what the peer has. When it ends, its wire is closed
 * at once, and the lane reports the rest from its next work.
 */
final class PlainChannel implements Channel, Link, WireHandler {
  private final ConnectRequest request;
  private final PlainLane lane;
  private final String peer;
  private final long generation;
  private Wire wire;
  private PlainRequester.Parts parts;
  private PlainRequester requester;
  private Runnable sending;
  private Runnable receiving;
  private Fault fault;
  private boolean up;
  private long lastUse;

  PlainChannel(ConnectRequest request, PlainLane lane) {
    this.request = request;
    this.lane = lane;
    this.peer = request.remote().name();
    this.generation = request.remote() instanceof Remote.Node node ? node.generation() : 0;
  }

  void begun(Wire begunWire) {
    wire = begunWire;
  }

  long deadline() {
    return request.deadline();
  }

  /** Since when nothing was asked or answered; now, if something is under way. */
  long idleSince(long now) {
    return requester.idle() ? lastUse : now;
  }

  /** Nothing was asked of it for long enough. */
  void rest() {
    broke(
        PlainFaults.none(
            Blame.NEUTRAL, FailureCode.CONNECTION, "nothing was asked by it for a while"));
  }

  // ---- before it is up

  @Override
  public void connected(Wire connectedWire, long now) {
    if (fault != null) {
      return;
    }
    parts = lane.parts();
    requester =
        new PlainRequester(
            connectedWire, peer, parts, lane.listener(), text -> lane.read(this, peer, text));
    if (request.remote() instanceof Remote.Node node
        && node.verdict().version(Refusal.CAPABILITY_ID) > 0) {
      requester.codes();
    }
    sending = requester::send;
    receiving = requester::receive;
    requester.describe();
    act(sending);
  }

  /** Its deadline has passed, and it is not up. */
  void expire() {
    broke(
        requester == null
            ? PlainFaults.none(
                Blame.REMOTE, FailureCode.HANDSHAKE, peer + " did not connect in time")
            : PlainFaults.none(
                Blame.NEUTRAL,
                FailureCode.UNREACHABLE,
                peer + " did not tell its descriptor in time"));
  }

  /** A descriptor that was asked for here has come. */
  void described(PeerRanges ranges) {
    if (fault != null) {
      return;
    }
    if (generation != 0 && ranges.generation() != generation) {
      broke(
          PlainFaults.none(
              Blame.NEUTRAL,
              FailureCode.STALE_GENERATION,
              peer
                  + " describes itself as generation "
                  + Long.toUnsignedString(ranges.generation())
                  + " by now, and was met as "
                  + Long.toUnsignedString(generation)));
      return;
    }
    act(
        () -> {
          requester.described(ranges);
          requester.send();
        });
    if (!up && fault == null) {
      up = true;
      lane.up(this, request);
    }
  }

  /** What came makes no sense. */
  void unreadable(String text) {
    broke(new Fault(Blame.REMOTE, FailureCode.PROTOCOL, Effect.POSSIBLE, text));
  }

  // ---- as a channel

  @Override
  public Link link() {
    return this;
  }

  @Override
  public int room() {
    return fault != null || !up ? 0 : requester.room();
  }

  @Override
  public void post(Slice slice, long now) {
    lastUse = now;
    requester.post(slice);
  }

  @Override
  public void flush(long now) {
    if (fault == null) {
      act(sending);
    }
  }

  /** There is no word for it in TENT. */
  @Override
  public boolean fence(LinkId stale, long now) {
    return false;
  }

  @Override
  public void retire(RetireReason reason, long now) {
    broke(PlainFaults.of(reason));
  }

  // ---- as a wire's handler

  @Override
  public void readable(Wire readableWire, long now) {
    lastUse = now;
    if (fault == null && requester != null) {
      act(receiving);
    }
  }

  @Override
  public void writable(Wire writableWire, long now) {
    if (fault == null && requester != null) {
      act(sending);
    }
  }

  @Override
  public void failed(Wire failedWire, WireException cause, long now) {
    broke(broken(cause));
  }

  private void act(Runnable step) {
    try {
      step.run();
    } catch (WireException e) {
      broke(broken(e));
      return;
    } catch (RuntimeException e) {
      lane.defect(e);
      broke(PlainFaults.defect(e));
      return;
    }
    requester.fault().ifPresent(this::broke);
  }

  /** A peer that leaves while nothing is asked of it does nobody any harm. */
  private Fault broken(WireException cause) {
    var known = PlainFaults.of(cause);
    if (!up) {
      return PlainFaults.none(known.blame(), FailureCode.UNREACHABLE, known.text());
    }
    return requester.idle() ? PlainFaults.none(Blame.NEUTRAL, known.code(), known.text()) : known;
  }

  /** Ends it; the lane reports it later. */
  void broke(Fault cause) {
    if (fault != null) {
      return;
    }
    fault = cause;
    if (requester != null) {
      requester.end(cause);
    }
    if (wire != null) {
      wire.abort();
    }
    lane.ended(this);
  }

  /** Reports what is left. Once, after the end, not from within another call of its own. */
  void report(LaneListener listener) {
    if (requester != null) {
      requester.abandon();
      lane.give(parts);
    }
    if (up) {
      listener.channelDown(this, fault);
    } else {
      listener.connectFailed(
          request,
          new Fault(fault.blame(), fault.code(), Effect.NONE, fault.text(), fault.vendorCode()));
    }
  }

  // ---- as a link

  @Override
  public LinkId id() {
    return request.id();
  }

  @Override
  public Remote remote() {
    return request.remote();
  }

  @Override
  public Rail local() {
    return request.local();
  }

  @Override
  public RemoteRail remoteRail() {
    return request.remoteRail();
  }
}
