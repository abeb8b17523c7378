package dev.shunt.transport.rdma;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.ControlPlane;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Fault.Effect;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.NotifyOrigin;
import dev.shunt.api.spi.Refusal;
import dev.shunt.transport.rdma.QpSet.Outcome;
import dev.shunt.transport.rdma.core.EndpointLife.State;
import dev.shunt.transport.rdma.core.NicPath;
import dev.shunt.transport.rdma.core.PathMtu;
import dev.shunt.transport.rdma.verbs.Gid;
import dev.shunt.transport.rdma.verbs.VerbsException;
import dev.shunt.transport.rdma.wire.BootstrapDesc;
import dev.shunt.transport.rdma.wire.BootstrapException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The asked side of links for notifications, and what came of them. None is forgotten at once: what
 * landed on it is handed up first.
 */
final class NotifyAcceptor {
  private final Acceptor acceptor;
  private final Answers answers;
  private final Notifications all;
  private final LinkedHashMap<LinkId, Accepted> accepted = new LinkedHashMap<>();

  NotifyAcceptor(Acceptor acceptor, Answers answers, Notifications all) {
    this.acceptor = acceptor;
    this.answers = answers;
    this.all = all;
  }

  void meet(LinkId link, BootstrapDesc asked, RdmaRail rail, ControlPlane.Reply reply) {
    var existing = accepted.get(link);
    if (existing == null) {
      accept(link, asked, rail, reply);
    } else if (existing.endpoint.connected()
        && existing.asked.notifyQpNumber() == asked.notifyQpNumber()) {
      existing.answer(reply);
    } else {
      var text = "the link that was there does not match, or is being made or ended; try again";
      acceptor.unavailable(reply, asked, rail, text);
    }
  }

  private void accept(LinkId link, BootstrapDesc asked, RdmaRail rail, ControlPlane.Reply reply) {
    var why = Refusal.MALFORMED;
    try {
      var gid = Answers.gid(asked);
      int theirs = Answers.peerMtu(asked);
      if (asked.notifyQpNumber() == 0 || !asked.qpNumbers().isEmpty()) {
        throw new BootstrapException(
            "a link for notifications names a notify_qp_num, and no qp_num");
      }
      why = Refusal.ENDPOINT_UNAVAILABLE;
      if (!all.enabled()) {
        throw new BootstrapException("nobody here takes notifications over RDMA");
      }
      if (!rail.active()) {
        throw new BootstrapException("the NIC " + rail + " is inactive");
      }
      acceptor.newest(asked, link.generation());
      makeRoom(rail);
      new Accepted(link, asked, rail, reply).connect(gid, theirs);
    } catch (BootstrapException | VerbsException e) {
      var at = Optional.of(rail);
      acceptor.refuse(reply, asked, at, why, FailureCode.CONNECTION, e.getMessage());
    }
  }

  /** Links of earlier processes of that node: nobody sends on them any more. */
  void retireOlder(BootstrapDesc asked, long generation) {
    var node = node(asked);
    for (var other : List.copyOf(accepted.values())) {
      if (Long.compareUnsigned(other.link.generation(), generation) < 0
          && node(other.asked).equals(node)) {
        other.retire(FailureCode.STALE_GENERATION, "its node is another process now");
      }
    }
  }

  /** Nothing of a process is there any more that could be tried: it is taken for ended. */
  void peerGone(String node, long generation) {
    for (var other : List.copyOf(accepted.values())) {
      if (other.link.generation() == generation && node(other.asked).equals(node)) {
        other.retire(FailureCode.UNREACHABLE, "its peer is not there any more");
      }
    }
  }

  private static String node(BootstrapDesc asked) {
    return NicPath.parse(asked.localNicPath()).map(NicPath::node).orElse("");
  }

  /**
   * Where there is no room the oldest goes; its sender asks for another one. Those that end have
   * memory as well, for as long as what landed is not taken: there are not more of them than
   * others.
   */
  private void makeRoom(RdmaRail rail) throws BootstrapException {
    Accepted oldest = null;
    int count = 0;
    int ending = 0;
    for (var other : accepted.values()) {
      if (other.endpoint.rail() == rail && other.retired) {
        ending++;
      } else if (other.endpoint.rail() == rail) {
        count++;
        oldest = oldest == null && other.endpoint.connected() ? other : oldest;
      }
    }
    if (ending >= all.settings().notifications().links()) {
      throw new BootstrapException(
          "on the NIC " + rail + " " + ending + " links end whose messages nobody took yet");
    }
    if (count < all.settings().notifications().links()) {
      return;
    }
    if (oldest == null) {
      throw new BootstrapException("the NIC " + rail + " has too many handshakes under way");
    }
    oldest.retire(FailureCode.CONNECTION, "others need its place");
  }

  /** The sender is done with a link; what landed on it is handed up. */
  void closed(LinkId link) {
    var it = accepted.get(link);
    if (it != null) {
      it.retire(FailureCode.CLOSED, "closed by the peer");
    }
  }

  /**
   * Whether there is such a link; then it ends, and the answer comes when it is gone.
   *
   * @param answer called with true when it is destroyed
   */
  boolean fence(LinkId link, Consumer<Boolean> answer) {
    var it = accepted.get(link);
    if (it == null) {
      return false;
    }
    it.fences.add(answer);
    it.retire(FailureCode.CONNECTION, "fenced");
    return true;
  }

  /** One that a peer asked for. */
  private final class Accepted implements NotifyEndpoint.Owner, QpAttempts.Done {
    private final LinkId link;
    private final BootstrapDesc asked;
    private final ControlPlane.Reply reply;
    private final NotifyEndpoint endpoint;
    private final List<Consumer<Boolean>> fences = new ArrayList<>();
    private int mtu;
    private boolean retired;

    Accepted(LinkId link, BootstrapDesc asked, RdmaRail rail, ControlPlane.Reply reply)
        throws BootstrapException {
      this.link = link;
      this.asked = asked;
      this.reply = reply;
      endpoint = all.make(toString(), rail, all.nextLane(), false, true, this);
      accepted.put(link, this);
    }

    void connect(Gid gid, int theirs) {
      var context = all.context();
      long wait = all.settings().endpoint().bootstrapTimeout().toNanos();
      mtu = PathMtu.settle(endpoint.mtu(), theirs);
      endpoint.busy(true);
      all.attempts()
          .run(
              toString(),
              endpoint.qps(),
              List.of(asked.notifyQpNumber()),
              gid,
              asked.localLid(),
              mtu,
              context.now() + wait,
              this);
    }

    void retire(FailureCode code, String why) {
      retired = true;
      endpoint.retire(new Fault(Blame.NEUTRAL, code, Effect.NONE, this + ": " + why));
    }

    void answer(ControlPlane.Reply to) {
      answers.notifying(to, asked, endpoint, mtu, all.protocol());
    }

    @Override
    public void ended(Outcome outcome, boolean inHand) {
      endpoint.busy(inHand);
      if (endpoint.life().state() == State.DESTROYED) {
        // It was retired meanwhile, and the peer was told.
        if (!inHand) {
          all.ended(endpoint);
        }
      } else if (!outcome.connected()) {
        endpoint.retire(HandshakeFault.local(FailureCode.CONNECTION, outcome.error()));
      } else {
        connected();
      }
    }

    private void connected() {
      endpoint.life().connected();
      var end = endpoint.end();
      end.between(
          new NotifyOrigin(
              node(asked), link.generation(), link.attempt(), endpoint.rail(), all.protocol()),
          asked.notifyProtocol());
      var lane = all.lane(endpoint.lane());
      if (all.onLane(endpoint, () -> lane.adopt(end))) {
        answer(reply);
      } else {
        acceptor.unavailable(reply, asked, endpoint.rail(), "this node closes");
        endpoint.abandonedByLane();
      }
    }

    @Override
    public void released() {
      endpoint.busy(false);
      all.ended(endpoint);
    }

    @Override
    public void lost(Fault fault) {
      acceptor.unavailable(reply, asked, endpoint.rail(), fault.text());
    }

    @Override
    public void gone(boolean destroyed) {
      if (destroyed) {
        accepted.remove(link, this);
      }
      fences.forEach(answer -> answer.accept(destroyed));
      fences.clear();
    }

    @Override
    public String toString() {
      return asked.localNicPath() + " -> notifications";
    }
  }
}
