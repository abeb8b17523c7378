package dev.shunt.transport.rdma;

import dev.shunt.api.spi.ControlPlane;
import dev.shunt.api.spi.Supervisor;
import dev.shunt.transport.rdma.core.AcceptedLife;
import dev.shunt.transport.rdma.observe.LinkChangedEvent;
import dev.shunt.transport.rdma.wire.BootstrapDesc;
import dev.shunt.transport.rdma.wire.BootstrapExtension;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Our half of a connection that a peer asked for: QPs, and nothing that is posted on them but now
 * and then a try whether the peer is still there.
 */
final class PassiveEndpoint implements QpOwner {
  private final PassiveEndpoints all;
  private final Object key;
  private final RdmaRail rail;
  private final BootstrapDesc asked;
  private final int mtu;
  private final AcceptedLife life =
      new AcceptedLife(state -> LinkChangedEvent.record(node(), this, false, state));
  private final List<Consumer<Boolean>> fences = new ArrayList<>();
  private final List<Waiting> waiting = new ArrayList<>();
  private Supervisor.Timer timer = () -> {};
  private QpSet qps;
  private PlainNotify notifying;
  private boolean busy;
  private long tryAt;
  private long tried;

  /** A question that waits for this one to be connected. */
  record Waiting(BootstrapDesc asked, ControlPlane.Reply reply) {}

  /**
   * One that is to be connected.
   *
   * @param mtu what both sides use
   */
  PassiveEndpoint(
      PassiveEndpoints all, Object key, RdmaRail rail, QpSet qps, BootstrapDesc asked, int mtu) {
    this.all = all;
    this.key = key;
    this.rail = rail;
    this.asked = asked;
    this.mtu = mtu;
    qps(qps);
  }

  private String node() {
    return all.node();
  }

  /** A link's id, or a pair of NICs for a plain peer. */
  Object key() {
    return key;
  }

  @Override
  public RdmaRail rail() {
    return rail;
  }

  QpSet qps() {
    return qps;
  }

  /** Has these instead: no peer was told of the others. */
  void qps(QpSet fresh) {
    qps = fresh;
    qps.owner(this);
  }

  BootstrapDesc asked() {
    return asked;
  }

  int mtu() {
    return mtu;
  }

  AcceptedLife life() {
    return life;
  }

  /** Who waits until it is gone. */
  List<Consumer<Boolean>> fences() {
    return fences;
  }

  /** Who waits until it is connected. */
  List<Waiting> waiting() {
    return waiting;
  }

  /** The notify QP that goes with it, of a plain peer; otherwise null. */
  PlainNotify notifying() {
    return notifying;
  }

  void notifying(PlainNotify with) {
    notifying = with;
  }

  void timer(Supervisor.Timer next) {
    timer.cancel();
    timer = next;
  }

  /** Whether an attempt has its QPs in hand. */
  boolean busy() {
    return busy;
  }

  void busy(boolean now) {
    busy = now;
  }

  /** When it is to be seen whether its peer is still there. */
  long tryAt() {
    return tryAt;
  }

  void tryAt(long time) {
    tryAt = time;
  }

  /** The number of the try that is under way; 0 if none is. */
  long tried() {
    return tried;
  }

  void tried(long number) {
    tried = number;
  }

  /** Which try of the peer's it is for. */
  int round() {
    return asked.extension().map(BootstrapExtension::round).orElse(0);
  }

  /** Whether it is what a question is about. */
  boolean fits(BootstrapDesc question) {
    return asked.qpNumbers().equals(question.qpNumbers());
  }

  @Override
  public void qpBroken(String event) {
    all.destroy(this, event);
  }

  @Override
  public String qpState() {
    if (life.doomed()) {
      return "ERR";
    }
    return life.usable() ? "RTS" : "INIT";
  }

  @Override
  public String toString() {
    return asked.localNicPath() + " -> " + rail.name();
  }
}
