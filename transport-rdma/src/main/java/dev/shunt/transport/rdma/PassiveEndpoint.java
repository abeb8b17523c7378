package dev.shunt.transport.rdma;

import dev.shunt.transport.rdma.wire.BootstrapDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Our half of a connection that a peer asked for: QPs, and nothing that is posted on them. */
final class PassiveEndpoint implements QpOwner {
  private final Acceptor acceptor;
  private final Object key;
  private final RdmaRail rail;
  private final QpSet qps;
  private final BootstrapDesc asked;
  private final List<Consumer<Boolean>> fences = new ArrayList<>();
  private boolean connected;
  private boolean busy;
  private boolean doomed;

  PassiveEndpoint(Acceptor acceptor, Object key, RdmaRail rail, QpSet qps, BootstrapDesc asked) {
    this.acceptor = acceptor;
    this.key = key;
    this.rail = rail;
    this.qps = qps;
    this.asked = asked;
    qps.owner(this);
  }

  /** A link's id, or a pair of NICs for a plain peer. */
  Object key() {
    return key;
  }

  RdmaRail rail() {
    return rail;
  }

  QpSet qps() {
    return qps;
  }

  BootstrapDesc asked() {
    return asked;
  }

  /** Who waits until it is gone. */
  List<Consumer<Boolean>> fences() {
    return fences;
  }

  boolean connected() {
    return connected;
  }

  void connected(boolean now) {
    connected = now;
  }

  /** Whether an attempt has its QPs in hand. */
  boolean busy() {
    return busy;
  }

  void busy(boolean now) {
    busy = now;
  }

  /** Whether it goes as soon as the attempt lets go of it. */
  boolean doomed() {
    return doomed;
  }

  void doom() {
    doomed = true;
  }

  @Override
  public void qpBroken(String event) {
    acceptor.destroy(this, event);
  }

  @Override
  public String toString() {
    return asked.localNicPath() + " -> " + rail.name();
  }
}
