package dev.shunt.transport.rdma;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Fault.Effect;
import dev.shunt.api.spi.Supervisor;
import dev.shunt.transport.rdma.core.EndpointLife;
import dev.shunt.transport.rdma.observe.LinkChangedEvent;
import dev.shunt.transport.rdma.verbs.VerbsException;

/**
 * The supervisor's half of a connection that we asked for. It owns the QPs; the lane that posts on
 * them tells it when to drain, and when nothing is posted any more.
 */
final class Endpoint implements QpOwner {
  private final Endpoints all;
  private final ConnectRequest request;
  private final RdmaLink link;
  private final QpSet qps;
  private final int mtu;
  private final EndpointLife life =
      new EndpointLife(state -> LinkChangedEvent.record(node(), link(), true, state));
  private Supervisor.Timer timer = () -> {};
  private PlainNotify notifying;
  private boolean busy;
  private boolean lost;
  private int remoteContext;
  private RdmaChannel channel;
  private Watcher watcher;

  /** Who asked for it. */
  interface Watcher {
    /** The handshake came to nothing. */
    void failed(Fault fault);

    /** Its QPs are gone, or are kept aside. */
    void over();
  }

  /**
   * Made, and asked for by nobody yet.
   *
   * @param mtu what our port takes, as the peer is told
   */
  Endpoint(Endpoints all, ConnectRequest request, RdmaLink link, QpSet qps, int mtu) {
    this.all = all;
    this.request = request;
    this.link = link;
    this.qps = qps;
    this.mtu = mtu;
    qps.owner(this);
  }

  private String node() {
    return all.context().node();
  }

  ConnectRequest request() {
    return request;
  }

  RdmaLink link() {
    return link;
  }

  QpSet qps() {
    return qps;
  }

  /** Which context of its NIC the peer's QPs are of: the upper half of keys that go with them. */
  int remoteContext() {
    return remoteContext;
  }

  void remoteContext(int number) {
    remoteContext = number;
  }

  /** What the peer was told that our port takes: a constant of verbs. */
  int mtu() {
    return mtu;
  }

  EndpointLife life() {
    return life;
  }

  /** Whether an attempt has its QPs in hand: they must not be destroyed meanwhile. */
  boolean busy() {
    return busy;
  }

  void busy(boolean now) {
    busy = now;
  }

  /** The notify QP that goes with it, toward a plain peer; otherwise null. */
  PlainNotify notifying() {
    return notifying;
  }

  void notifying(PlainNotify with) {
    notifying = with;
  }

  /** Nothing is notified any more; what landed is handed up. */
  void quiet() {
    if (notifying != null) {
      notifying.retire("its connection ends");
    }
  }

  void timer(Supervisor.Timer next) {
    timer.cancel();
    timer = next;
  }

  void watcher(Watcher told) {
    watcher = told;
  }

  Watcher watcher() {
    return watcher;
  }

  /** Set, and read, on the lane only. */
  void channel(RdmaChannel adopted) {
    channel = adopted;
  }

  /** Ends it, whatever it is in; the lane is told, or whoever waits for the handshake. */
  void retire(Fault fault) {
    switch (life.state()) {
      case INITIALIZING, CONNECTING -> all.abandon(this, fault);
      case CONNECTED ->
          all.context()
              .lane(request.lane())
              .execute(
                  () -> {
                    if (channel != null) {
                      channel.end(fault);
                    }
                  });
      case DRAINING, QUARANTINED, DESTROYED -> {}
    }
  }

  /**
   * Ends it with its rail's context: what is posted may never come back by itself, so its QPs are
   * destroyed as soon as its lane posts on them no more.
   */
  void lose(Fault fault) {
    lost = true;
    switch (life.state()) {
      case INITIALIZING, CONNECTING, CONNECTED -> retire(fault);
      case DRAINING, QUARANTINED -> destroy();
      case DESTROYED -> {}
    }
  }

  /** Nothing is posted any more; a device that let go of a QP touches nothing for it. */
  private void destroy() {
    int error = qps.close();
    if (error != 0) {
      all.warn(link + ": a QP could not be destroyed: " + VerbsException.text(error));
      return;
    }
    all.context()
        .lane(request.lane())
        .execute(
            () -> {
              if (channel != null) {
                channel.gone();
              }
            });
    drained();
  }

  @Override
  public RdmaRail rail() {
    return link.local();
  }

  @Override
  public void qpBroken(String event) {
    var text = link + ": " + event;
    retire(new Fault(Blame.LOCAL, FailureCode.DEVICE, Effect.NONE, text));
  }

  @Override
  public String qpState() {
    return switch (life.state()) {
      case INITIALIZING, CONNECTING -> "INIT";
      case CONNECTED -> "RTS";
      case DRAINING, QUARANTINED, DESTROYED -> "ERR";
    };
  }

  /** From the lane: no new work comes. */
  void drain() {
    if (!life.drain()) {
      return;
    }
    quiet();
    int error = qps.error();
    if (error != 0) {
      all.warn(link + ": a QP could not be taken to ERR: " + VerbsException.text(error));
    }
    long wait = all.settings().endpoint().drainTimeout().toNanos();
    timer(all.context().supervisor().at(all.context().now() + wait, this::overdue));
    if (lost) {
      destroy();
    }
  }

  /** From the lane: nothing is posted any more. */
  void drained() {
    boolean quarantined = life.state() == EndpointLife.State.QUARANTINED;
    if (!life.drained()) {
      return;
    }
    timer(() -> {});
    if (quarantined) {
      link.local().life().released();
    }
    all.ended(this);
  }

  private void overdue() {
    if (life.overdue()) {
      all.quarantined(link.local(), link.toString());
    }
  }

  /** From the lane: it closed before it could take it. */
  void abandonedByLane() {
    all.context()
        .supervisor()
        .execute(
            () -> {
              life.drain();
              drained();
            });
  }
}
