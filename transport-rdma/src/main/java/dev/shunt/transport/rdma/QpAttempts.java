package dev.shunt.transport.rdma;

import dev.shunt.api.spi.TransportContext;
import dev.shunt.transport.rdma.QpSet.Outcome;
import dev.shunt.transport.rdma.verbs.Gid;
import java.util.ArrayDeque;
import java.util.List;

/**
 * Connects QPs on threads that may be given up, a few at a time: there are not many such threads,
 * and a crowd of peers that come at once is no reason to refuse any. Who waits here has an
 * endpoint, of which a rail has no more than its bound. The supervisor's.
 */
final class QpAttempts {
  /** At a time. Fewer than an engine's threads for such calls, since others need some too. */
  private static final int AT_ONCE = 16;

  private final TransportContext context;
  private final ArrayDeque<QpAttempt> waiting = new ArrayDeque<>();
  private int running;

  QpAttempts(TransportContext context) {
    this.context = context;
  }

  /** What comes of it, on the supervisor. */
  interface Done {
    /**
     * Once.
     *
     * @param inHand whether {@link #released} is still to come
     */
    void ended(Outcome outcome, boolean inHand);

    /** The call that would not end has ended after all. Not called if it was not in hand. */
    void released();
  }

  /**
   * Connects QPs with the peer's of these numbers. Until {@link Done#ended}, and where that says so
   * until {@link Done#released}, they must not be destroyed.
   */
  void run(
      String what,
      QpSet qps,
      List<Integer> peers,
      Gid gid,
      int lid,
      int mtu,
      long deadline,
      Done done) {
    var attempt =
        new QpAttempt(
            "connecting the QPs of " + what,
            () -> qps.connect(peers, gid, lid, mtu),
            deadline,
            done);
    if (running < AT_ONCE) {
      begin(attempt);
    } else {
      waiting.add(attempt);
      attempt.timer(context.supervisor().at(deadline, () -> tooLate(attempt)));
    }
  }

  private void tooLate(QpAttempt attempt) {
    if (waiting.remove(attempt)) {
      attempt.neverBegan(AT_ONCE);
    }
  }

  private void begin(QpAttempt attempt) {
    running++;
    attempt.begin(context.attempts(), this::freed);
  }

  private void freed() {
    running--;
    var next = waiting.poll();
    if (next != null) {
      begin(next);
    }
  }
}
