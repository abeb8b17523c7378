package dev.shunt.transport.rdma;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Fault.Effect;
import dev.shunt.api.spi.NotifyOrigin;
import dev.shunt.transport.rdma.QpSet.Outcome;
import dev.shunt.transport.rdma.core.EndpointLife.State;
import dev.shunt.transport.rdma.core.NicPath;
import dev.shunt.transport.rdma.verbs.Gid;
import dev.shunt.transport.rdma.verbs.VerbsException;
import dev.shunt.transport.rdma.wire.BootstrapDesc;
import dev.shunt.transport.rdma.wire.BootstrapException;
import java.util.List;
import java.util.function.Consumer;

/**
 * The notify QP of a connection with a plain peer, which is told of it in the handshake and never
 * again: so it is there from the start, with few receives, and without slots to send from until
 * something is sent. It serves both directions. The connection does without, where there is none to
 * be had.
 */
final class PlainNotify implements NotifyEndpoint.Owner {
  private final Notifications all;
  private final NicPair pair;
  private final Consumer<Fault> broken;
  private NotifyEndpoint endpoint;

  private PlainNotify(Notifications all, NicPair pair, Consumer<Fault> broken) {
    this.all = all;
    this.pair = pair;
    this.broken = broken;
  }

  /**
   * Makes one, if notifications are wanted here.
   *
   * @param pair names the connection
   * @param broken told when the QP ends before its connection does
   */
  static PlainNotify make(
      Notifications all, NicPair pair, RdmaRail rail, int lane, Consumer<Fault> broken) {
    var it = new PlainNotify(all, pair, broken);
    if (all.enabled()) {
      try {
        it.endpoint = all.make(pair + ", notifications", rail, lane, false, true, it);
      } catch (VerbsException | BootstrapException e) {
        all.warn(pair + ": it comes without notifications: " + e.getMessage());
      }
    }
    return it;
  }

  /** Its number for the handshake; 0 if there is none. */
  int number() {
    return endpoint == null ? 0 : endpoint.number();
  }

  /** What is told of frames in the handshake. */
  int protocol() {
    return endpoint == null ? 0 : all.protocol();
  }

  /**
   * Connects it with the peer's, if both sides have one.
   *
   * @param then called when it is, or will not be, connected; at once where there is nothing to do
   */
  void connect(BootstrapDesc theirs, Gid gid, int mtu, long deadline, Runnable then) {
    if (endpoint == null) {
      then.run();
      return;
    }
    if (theirs.notifyQpNumber() == 0) {
      retire("the peer has no QP for notifications");
      then.run();
      return;
    }
    endpoint.busy(true);
    all.attempts()
        .run(
            endpoint.toString(),
            endpoint.qps(),
            List.of(theirs.notifyQpNumber()),
            gid,
            theirs.localLid(),
            mtu,
            deadline,
            new QpAttempts.Done() {
              @Override
              public void ended(Outcome outcome, boolean inHand) {
                endpoint.busy(inHand);
                connected(outcome, theirs);
                then.run();
              }

              @Override
              public void released() {
                endpoint.busy(false);
                all.ended(endpoint);
              }
            });
  }

  private void connected(Outcome outcome, BootstrapDesc theirs) {
    if (endpoint.life().state() == State.DESTROYED) {
      if (!endpoint.busy()) {
        all.ended(endpoint);
      }
    } else if (!outcome.connected()) {
      all.warn(endpoint + ": " + outcome.error());
      retire(outcome.error());
    } else {
      endpoint.life().connected();
      var node = NicPath.parse(pair.theirs()).map(NicPath::node).orElse(pair.theirs());
      var end = endpoint.end();
      end.between(
          new NotifyOrigin(node, 0, 0, endpoint.rail(), all.protocol()), theirs.notifyProtocol());
      var lane = all.lane(endpoint.lane());
      if (all.onLane(endpoint, () -> lane.adopt(end))) {
        all.plain(pair, endpoint);
      } else {
        endpoint.abandonedByLane();
      }
    }
  }

  /** Ends it with its connection: what landed on it is still handed up. */
  void retire(String why) {
    if (endpoint != null) {
      endpoint.retire(
          new Fault(Blame.NEUTRAL, FailureCode.CONNECTION, Effect.NONE, endpoint + ": " + why));
    }
  }

  @Override
  public boolean shared() {
    return true;
  }

  @Override
  public void lost(Fault fault) {
    // The connection does without.
  }

  @Override
  public void ends(Fault cause) {
    all.plainEnds(pair, endpoint);
    broken.accept(cause);
  }

  @Override
  public void gone(boolean destroyed) {
    if (endpoint != null) {
      all.plainEnds(pair, endpoint);
    }
  }
}
