package dev.shunt.transport.rdma;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.ControlPlane;
import dev.shunt.api.spi.Refusal;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.transport.rdma.QpSet.Outcome;
import dev.shunt.transport.rdma.core.GidTrials;
import dev.shunt.transport.rdma.core.PathMtu;
import dev.shunt.transport.rdma.verbs.Gid;
import dev.shunt.transport.rdma.verbs.GidEntry;
import dev.shunt.transport.rdma.verbs.QpCapacity;
import dev.shunt.transport.rdma.verbs.Verbs;
import dev.shunt.transport.rdma.verbs.VerbsException;
import dev.shunt.transport.rdma.wire.BootstrapDesc;
import dev.shunt.transport.rdma.wire.BootstrapException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the QPs that a peer asks for, and connects them. The supervisor's. */
final class Accepting {
  private static final Logger LOG = LoggerFactory.getLogger(Accepting.class);

  /** Peers write into our memory and read it, as far as each registration allows. */
  private static final int ACCESS =
      Verbs.ACCESS_LOCAL_WRITE | Verbs.ACCESS_REMOTE_WRITE | Verbs.ACCESS_REMOTE_READ;

  private final TransportContext context;
  private final RdmaSettings settings;
  private final Endpoints endpoints;
  private final QpAttempts attempts;
  private final PassiveEndpoints accepted;
  private final Acceptor acceptor;
  private final Notifications notifications;

  Accepting(
      TransportContext context,
      RdmaSettings settings,
      Endpoints endpoints,
      QpAttempts attempts,
      PassiveEndpoints accepted,
      Acceptor acceptor,
      Notifications notifications) {
    this.context = context;
    this.settings = settings;
    this.endpoints = endpoints;
    this.attempts = attempts;
    this.accepted = accepted;
    this.acceptor = acceptor;
    this.notifications = notifications;
  }

  /**
   * What a question comes to.
   *
   * @param gid the peer's
   * @param mtu of the path, as {@link PathMtu} has it
   */
  record Terms(Gid gid, int mtu) {}

  /**
   * Holds a question against what can be had, before anything that was there goes for it. Whoever
   * asked for what cannot be is told so.
   */
  Optional<Terms> terms(BootstrapDesc asked, RdmaRail rail, ControlPlane.Reply reply) {
    var why = Refusal.MALFORMED;
    try {
      var gid = Answers.gid(asked);
      int theirs = Answers.peerMtu(asked);
      why = Refusal.ENDPOINT_UNAVAILABLE;
      int mtu = PathMtu.settle(Answers.mtu(rail, settings), theirs);
      check(asked, rail);
      return Optional.of(new Terms(gid, mtu));
    } catch (BootstrapException e) {
      acceptor.refuse(reply, asked, Optional.of(rail), why, FailureCode.CONNECTION, e.getMessage());
      return Optional.empty();
    }
  }

  /**
   * Makes one and connects it; the answer comes of that.
   *
   * @param fresh whether it takes the place of an older one that has just gone
   */
  void begin(
      Object key,
      BootstrapDesc asked,
      Terms terms,
      RdmaRail rail,
      boolean fresh,
      ControlPlane.Reply reply) {
    var why = unavailable(fresh);
    try {
      why = unavailable(accepted.makeRoom(rail) || fresh);
      var qps = make(asked, rail, rail.gid());
      var endpoint = new PassiveEndpoint(accepted, key, rail, qps, asked, terms.mtu());
      endpoint.waiting().add(new PassiveEndpoint.Waiting(asked, reply));
      accepted.add(endpoint);
      long deadline = context.now() + settings.endpoint().bootstrapTimeout().toNanos();
      connect(new Step(endpoint, terms.gid(), new GidTrials(rail.gid()), deadline, why));
    } catch (BootstrapException | VerbsException e) {
      var text =
          why == Refusal.FRESH_ENDPOINT_UNAVAILABLE
              ? "an older endpoint went, and still there is no fresh one: " + e.getMessage()
              : e.getMessage();
      acceptor.refuse(reply, asked, Optional.of(rail), why, FailureCode.CONNECTION, text);
    }
  }

  private static Refusal unavailable(boolean fresh) {
    return fresh ? Refusal.FRESH_ENDPOINT_UNAVAILABLE : Refusal.ENDPOINT_UNAVAILABLE;
  }

  private static void check(BootstrapDesc asked, RdmaRail rail) throws BootstrapException {
    if (!rail.active()) {
      throw new BootstrapException("the NIC " + rail + " is inactive");
    }
    if (asked.qpNumbers().isEmpty()) {
      throw new BootstrapException("qp_num is empty; it names one QP at least");
    }
  }

  private QpSet make(BootstrapDesc asked, RdmaRail rail, GidEntry from) {
    return QpSet.make(
        rail,
        from,
        rail.device().passiveCq(),
        asked.qpNumbers().size(),
        new QpCapacity(1, 1),
        settings.endpoint().attributes(rail, from, ACCESS));
  }

  /**
   * One that is being connected.
   *
   * @param refusal what it is refused with if that fails
   */
  private record Step(
      PassiveEndpoint endpoint, Gid gid, GidTrials trials, long deadline, Refusal refusal) {}

  private void connect(Step step) {
    var endpoint = step.endpoint();
    var asked = endpoint.asked();
    endpoint.busy(true);
    attempts.run(
        endpoint.toString(),
        endpoint.qps(),
        asked.qpNumbers(),
        step.gid(),
        asked.localLid(),
        endpoint.mtu(),
        step.deadline(),
        new QpAttempts.Done() {
          @Override
          public void ended(Outcome outcome, boolean inHand) {
            endpoint.busy(inHand);
            connected(step, outcome);
          }

          @Override
          public void released() {
            endpoint.busy(false);
            accepted.destroy(endpoint, "given up");
          }
        });
  }

  private void connected(Step step, Outcome outcome) {
    var endpoint = step.endpoint();
    if (endpoint.life().doomed()) {
      acceptor.failed(endpoint, step.refusal(), "the link was ended meanwhile");
    } else if (outcome.connected()) {
      endpoints.addressWorks(endpoint.rail(), endpoint.qps().from(), step.trials());
      notify(step);
    } else if (!outcome.addressRefused() || !otherAddress(step, outcome.error())) {
      acceptor.failed(endpoint, step.refusal(), outcome.error());
    }
  }

  /** A plain peer has a QP for notifications beside those for data, or names none. */
  private void notify(Step step) {
    var endpoint = step.endpoint();
    var asked = endpoint.asked();
    if (asked.extension().isPresent() || asked.notifyQpNumber() == 0) {
      acceptor.connected(endpoint);
      return;
    }
    var pair = PlainLinks.pair(asked, endpoint.rail());
    var lane = notifications.nextLane();
    endpoint.notifying(PlainNotify.make(notifications, pair, endpoint.rail(), lane, cause -> {}));
    endpoint.busy(true);
    endpoint
        .notifying()
        .connect(
            asked,
            step.gid(),
            endpoint.mtu(),
            step.deadline(),
            () -> {
              endpoint.busy(false);
              if (endpoint.life().doomed()) {
                acceptor.failed(endpoint, step.refusal(), "the link was ended meanwhile");
              } else {
                acceptor.connected(endpoint);
              }
            });
  }

  /** The peer knows none of our QPs yet, so it need not hear of this. */
  private boolean otherAddress(Step step, String why) {
    var endpoint = step.endpoint();
    var rail = endpoint.rail();
    var next = endpoints.otherAddress(rail, step.trials());
    if (next.isEmpty()) {
      return false;
    }
    LOG.info("{}: begun anew with fresh QPs: {}", endpoint, why);
    try {
      var fresh = make(endpoint.asked(), rail, next.get());
      int error = endpoint.qps().close();
      if (error != 0) {
        endpoints.quarantined(rail, endpoint + ": " + VerbsException.text(error));
      }
      endpoint.qps(fresh);
    } catch (VerbsException e) {
      LOG.warn("{}: no fresh QPs: {}", endpoint, e.getMessage());
      return false;
    }
    connect(step);
    return true;
  }
}
