package dev.shunt.transport.rdma;

import dev.shunt.transport.rdma.verbs.Gid;
import dev.shunt.transport.rdma.verbs.QpAttributes;
import dev.shunt.transport.rdma.verbs.QpCapacity;
import dev.shunt.transport.rdma.verbs.QpPeer;
import dev.shunt.transport.rdma.verbs.VerbsCq;
import dev.shunt.transport.rdma.verbs.VerbsException;
import dev.shunt.transport.rdma.verbs.VerbsQp;
import java.util.ArrayList;
import java.util.List;

/** The QPs of one side of a link. */
final class QpSet {
  private final RdmaRail rail;
  private final QpAttributes attributes;
  private final List<VerbsQp> qps = new ArrayList<>();

  private QpSet(RdmaRail rail, QpAttributes attributes) {
    this.rail = rail;
    this.attributes = attributes;
  }

  /**
   * Makes QPs and takes them to INIT; all, or none.
   *
   * @throws VerbsException if one cannot be made
   */
  static QpSet make(
      RdmaRail rail, VerbsCq cq, int count, QpCapacity capacity, QpAttributes attributes) {
    var set = new QpSet(rail, attributes);
    try {
      for (int i = 0; i < count; i++) {
        var qp = rail.device().verbs().createQp(cq, capacity);
        set.qps.add(qp);
        int error = qp.init(attributes);
        if (error != 0) {
          throw new VerbsException("taking a QP of " + rail + " to INIT", error);
        }
      }
    } catch (VerbsException e) {
      set.close();
      throw e;
    }
    return set;
  }

  int size() {
    return qps.size();
  }

  VerbsQp get(int index) {
    return qps.get(index);
  }

  /** Their numbers, in order. */
  List<Integer> numbers() {
    return qps.stream().map(VerbsQp::number).toList();
  }

  /** Names who is told when one breaks. */
  void owner(QpOwner owner) {
    for (var qp : qps) {
      rail.device().owners().put(qp.number(), owner);
    }
  }

  /**
   * Connects each with the peer's QP at the same place. May block while the kernel looks for the
   * way to the peer.
   *
   * @return empty, or what failed
   */
  String connect(List<Integer> peers, Gid gid, int lid, int mtu) {
    for (int i = 0; i < qps.size(); i++) {
      var peer = new QpPeer(peers.get(i), gid, lid, mtu);
      int error = qps.get(i).readyToReceive(attributes, peer);
      if (error != 0) {
        return "taking a QP of " + rail + " to RTR: " + VerbsException.text(error);
      }
      error = qps.get(i).readyToSend(attributes);
      if (error != 0) {
        return "taking a QP of " + rail + " to RTS: " + VerbsException.text(error);
      }
    }
    return "";
  }

  /** Takes all to ERR; answers with the last error number, or 0. */
  int error() {
    int last = 0;
    for (var qp : qps) {
      int error = qp.error();
      last = error != 0 ? error : last;
    }
    return last;
  }

  /** Destroys all; answers with the last error number, or 0 if all are gone. */
  int close() {
    int last = 0;
    for (var qp : qps) {
      int error = qp.close();
      if (error == 0) {
        rail.device().owners().remove(qp.number());
      }
      last = error != 0 ? error : last;
    }
    return last;
  }

  /** Destroys all on a lane that closes: the supervisor forgets their owners later. */
  int closeOnLane() {
    int last = 0;
    for (var qp : qps) {
      int error = qp.close();
      last = error != 0 ? error : last;
    }
    return last;
  }
}
