package dev.shunt.transport.rdma;

import dev.shunt.transport.rdma.verbs.Gid;
import dev.shunt.transport.rdma.verbs.GidEntry;
import dev.shunt.transport.rdma.verbs.QpAttributes;
import dev.shunt.transport.rdma.verbs.QpCapacity;
import dev.shunt.transport.rdma.verbs.QpPeer;
import dev.shunt.transport.rdma.verbs.VerbsCq;
import dev.shunt.transport.rdma.verbs.VerbsException;
import dev.shunt.transport.rdma.verbs.VerbsQp;
import java.util.ArrayList;
import java.util.List;

/** The QPs of one side of a link. They are connected once: after a failure there are others. */
final class QpSet {
  private final RdmaRail rail;
  private final GidEntry from;
  private final RdmaDevice device;
  private final QpAttributes attributes;
  private final List<VerbsQp> qps = new ArrayList<>();
  private QpOwner owner;

  /**
   * What came of connecting.
   *
   * @param error empty, or what failed
   * @param addressRefused whether the device would not take the addresses: another one of ours may
   *     do
   */
  record Outcome(String error, boolean addressRefused) {
    static final Outcome CONNECTED = new Outcome("", false);

    static Outcome failed(String error) {
      return new Outcome(error, false);
    }

    boolean connected() {
      return error.isEmpty();
    }
  }

  private QpSet(RdmaRail rail, GidEntry from, QpAttributes attributes) {
    this.rail = rail;
    this.from = from;
    device = rail.device();
    this.attributes = attributes;
  }

  /**
   * Makes QPs and takes them to INIT; all, or none.
   *
   * @param from the address that they will send from
   * @throws VerbsException if one cannot be made
   */
  static QpSet make(
      RdmaRail rail,
      GidEntry from,
      VerbsCq cq,
      int count,
      QpCapacity capacity,
      QpAttributes attributes) {
    var set = new QpSet(rail, from, attributes);
    try {
      for (int i = 0; i < count; i++) {
        var qp = set.device.verbs().createQp(cq, capacity);
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

  /** The address that they send from. */
  GidEntry from() {
    return from;
  }

  /** Of what context they are. */
  RdmaDevice device() {
    return device;
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
  void owner(QpOwner told) {
    owner = told;
    for (var qp : qps) {
      device.owners().put(qp.number(), told);
    }
  }

  /**
   * Connects each with the peer's QP at the same place. May block while the kernel looks for the
   * way to the peer.
   */
  Outcome connect(List<Integer> peers, Gid gid, int lid, int mtu) {
    for (int i = 0; i < qps.size(); i++) {
      var peer = new QpPeer(peers.get(i), gid, lid, mtu);
      int error = qps.get(i).readyToReceive(attributes, peer);
      if (error != 0) {
        return new Outcome(
            "taking a QP of " + rail + " to RTR: " + VerbsException.text(error),
            error == VerbsException.EINVAL);
      }
      error = qps.get(i).readyToSend(attributes);
      if (error != 0) {
        return Outcome.failed("taking a QP of " + rail + " to RTS: " + VerbsException.text(error));
      }
    }
    return Outcome.CONNECTED;
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
        // A device gives numbers again: what has this one now may be another's.
        device.owners().remove(qp.number(), owner);
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
