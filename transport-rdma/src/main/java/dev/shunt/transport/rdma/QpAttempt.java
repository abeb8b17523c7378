package dev.shunt.transport.rdma;

import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.transport.rdma.verbs.Gid;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Connects QPs on a thread that may be given up. Until {@link Done#released} the QPs are in its
 * hand and must not be destroyed.
 */
final class QpAttempt {
  private final AtomicBoolean claimed = new AtomicBoolean();
  private final Done done;

  /** What comes of it, on the supervisor. */
  interface Done {
    /**
     * Once: empty when the QPs are connected, or why they are not.
     *
     * @param inHand whether {@link #released} is still to come
     */
    void ended(String error, boolean inHand);

    /** The call that would not end has ended after all. Not called if it was not in hand. */
    void released();
  }

  private QpAttempt(Done done) {
    this.done = done;
  }

  static void run(
      TransportContext context,
      String what,
      QpSet qps,
      List<Integer> peers,
      Gid gid,
      int lid,
      int mtu,
      long deadline,
      Done done) {
    var attempt = new QpAttempt(done);
    context
        .attempts()
        .run(
            "connecting the QPs of " + what,
            () -> attempt.connect(qps, peers, gid, lid, mtu),
            deadline,
            attempt::answer,
            late -> done.released());
  }

  private String connect(QpSet qps, List<Integer> peers, Gid gid, int lid, int mtu) {
    if (!claimed.compareAndSet(false, true)) {
      return "given up before it began";
    }
    try {
      return qps.connect(peers, gid, lid, mtu);
    } catch (RuntimeException e) {
      return "connecting failed: " + e;
    }
  }

  private void answer(String error, Fault fault) {
    if (fault == null) {
      done.ended(error, false);
    } else {
      // Where it never began, it never will.
      boolean never = claimed.compareAndSet(false, true);
      done.ended(fault.text(), !never);
    }
  }
}
