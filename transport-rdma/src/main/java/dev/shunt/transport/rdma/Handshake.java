package dev.shunt.transport.rdma;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.ControlPlane;
import dev.shunt.api.spi.Fault;
import dev.shunt.transport.rdma.QpSet.Outcome;
import dev.shunt.transport.rdma.core.EndpointLife.State;
import dev.shunt.transport.rdma.core.GidTrials;
import dev.shunt.transport.rdma.core.PathMtu;
import dev.shunt.transport.rdma.verbs.Gid;
import dev.shunt.transport.rdma.verbs.GidEntry;
import dev.shunt.transport.rdma.verbs.VerbsException;
import dev.shunt.transport.rdma.wire.BootstrapCodec;
import dev.shunt.transport.rdma.wire.BootstrapDesc;
import dev.shunt.transport.rdma.wire.BootstrapException;
import dev.shunt.transport.rdma.wire.BootstrapExtension;
import dev.shunt.transport.rdma.wire.BootstrapExtension.Ready;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request's way to a connection. It may take several rounds, each with an endpoint of its own:
 * QPs that a peer was told of once are never told again, so an answer can only meet those that it
 * is for. One that comes after its round is dropped.
 */
final class Handshake implements Endpoint.Watcher {
  private static final Logger LOG = LoggerFactory.getLogger(Handshake.class);

  private final Connector connector;
  private final ConnectRequest request;
  private final RdmaLink link;
  private final PlainMeeting meeting;
  private GidTrials trials;
  private Endpoint endpoint;
  private List<Integer> peers = List.of();
  private int round;
  private int count;
  private boolean answered;
  private boolean begunAnew;
  private boolean recounted;

  Handshake(Connector connector, ConnectRequest request, RdmaLink link) {
    this.connector = connector;
    this.request = request;
    this.link = link;
    meeting = new PlainMeeting(connector, link, this);
  }

  /** What it has with a plain peer. */
  PlainMeeting meeting() {
    return meeting;
  }

  RdmaLink link() {
    return link;
  }

  /** That of the present round; null before the first. */
  Endpoint endpoint() {
    return endpoint;
  }

  /** The peer's QPs that ours are connected with, or are being. */
  List<Integer> peers() {
    return peers;
  }

  /** Has a place among the rail's endpoints. */
  void begin() {
    var rail = link.local();
    trials = new GidTrials(rail.gid());
    count =
        link.plain()
            ? connector.plain().count(link.remote().name())
            : connector.settings().endpoint().numQps();
    begin(rail.gid());
  }

  private void begin(GidEntry from) {
    var rail = link.local();
    if (!rail.active()) {
      giveUp(
          HandshakeFault.local(FailureCode.CONNECTION, link + ": rail " + rail + " is inactive"));
      return;
    }
    try {
      var queue = rail.queues().get(request.lane());
      int mtu = Answers.mtu(rail, connector.settings());
      endpoint = connector.endpoints().make(request, link, queue, count, from, mtu);
    } catch (VerbsException | BootstrapException e) {
      giveUp(HandshakeFault.local(FailureCode.RESOURCE, link + ": " + e.getMessage()));
      return;
    }
    answered = false;
    if (link.plain()) {
      var of = endpoint;
      var pair = new NicPair(Connector.peerPath(link), rail.name());
      of.notifying(
          PlainNotify.make(
              connector.notifications(), pair, rail, request.lane(), cause -> of.retire(cause)));
    }
    endpoint.watcher(this);
    meeting.begun();
    var asked = endpoint;
    endpoint.timer(connector.context().supervisor().at(request.deadline(), () -> late(asked)));
    call(connector.desc(endpoint, round, false, announced()), new Answer(endpoint));
  }

  /** No round begins. */
  private void giveUp(Fault fault) {
    connector.endpoints().room().left(link.local());
    meeting.over();
    if (endpoint != null) {
      connector.tellClosed(endpoint);
    }
    connector.failed(request, fault);
  }

  /** Once more, with fresh QPs. */
  private void again(GidEntry from, String why) {
    LOG.info("{}: begun anew with fresh QPs: {}", link, why);
    connector.endpoints().discard(endpoint);
    round++;
    begin(from);
  }

  private Ready announced() {
    boolean agreed = link.remote().verdict().version(Connector.READY_ACK) > 0;
    return agreed && !link.plain() ? Ready.EXPECTED : Ready.NONE;
  }

  private void call(BootstrapDesc desc, ControlPlane.ReplyHandler handler) {
    var bytes = BootstrapCodec.encode(desc);
    connector
        .context()
        .control()
        .call(link.remote(), Connector.BOOTSTRAP, bytes, request.deadline(), handler);
  }

  private void late(Endpoint asked) {
    var text = link + ": the handshake did not end by its deadline";
    // What was answered, and does not come to its end, is the path's; silence is the peer's.
    abandon(
        asked,
        answered
            ? HandshakeFault.remote(FailureCode.HANDSHAKE, text)
            : HandshakeFault.silent(text + ", unanswered"));
  }

  private void abandon(Endpoint of, Fault fault) {
    connector.endpoints().abandon(of, fault);
  }

  /** Whether an endpoint is the one that is still to be connected. */
  private boolean current(Endpoint of) {
    return of == endpoint && of.life().state() == State.CONNECTING;
  }

  @Override
  public void failed(Fault fault) {
    meeting.failed(fault.text());
  }

  @Override
  public void over() {
    meeting.over();
  }

  /** Connects the QPs with the peer's, by its answer or by its own question. */
  void configure(BootstrapDesc desc, Gid gid) throws BootstrapException {
    int mtu = PathMtu.settle(endpoint.mtu(), Answers.peerMtu(desc));
    var of = endpoint;
    answered = true;
    peers = desc.qpNumbers();
    of.remoteContext(desc.extension().map(BootstrapExtension::context).orElse(0));
    of.busy(true);
    connector
        .attempts()
        .run(
            link.toString(),
            of.qps(),
            desc.qpNumbers(),
            gid,
            desc.localLid(),
            mtu,
            request.deadline(),
            new QpAttempts.Done() {
              @Override
              public void ended(Outcome outcome, boolean inHand) {
                of.busy(inHand);
                configured(of, desc, gid, mtu, outcome);
              }

              @Override
              public void released() {
                of.busy(false);
                connector.endpoints().ended(of);
              }
            });
  }

  private void configured(Endpoint of, BootstrapDesc desc, Gid gid, int mtu, Outcome outcome) {
    if (of.life().state() == State.DESTROYED) {
      if (!of.busy()) {
        connector.endpoints().ended(of);
      }
    } else if (!outcome.connected()) {
      if (!outcome.addressRefused() || !otherAddress(outcome.error())) {
        abandon(of, HandshakeFault.local(FailureCode.CONNECTION, link + ": " + outcome.error()));
      }
    } else {
      connector.endpoints().addressWorks(link.local(), of.qps().from(), trials);
      if (of.notifying() == null) {
        linked(of, desc);
      } else {
        of.busy(true);
        of.notifying()
            .connect(
                desc,
                gid,
                mtu,
                request.deadline(),
                () -> {
                  of.busy(false);
                  linked(of, desc);
                });
      }
    }
  }

  /** All QPs are connected. */
  private void linked(Endpoint of, BootstrapDesc desc) {
    if (of.life().state() == State.DESTROYED) {
      connector.endpoints().ended(of);
    } else {
      boolean expected =
          desc.extension().map(theirs -> theirs.ready() == Ready.EXPECTED).orElse(false);
      if (expected && announced() == Ready.EXPECTED) {
        call(connector.desc(of, round, false, Ready.SAID), new Acknowledged(of));
      } else {
        up(of);
      }
    }
  }

  private boolean otherAddress(String why) {
    var next = connector.endpoints().otherAddress(link.local(), trials);
    if (next.isEmpty()) {
      return false;
    }
    meeting.failed(why);
    again(next.get(), why + ", from GID " + endpoint.qps().from().gid());
    return true;
  }

  private void up(Endpoint of) {
    of.timer(() -> {});
    of.life().connected();
    meeting.up();
    int depth = connector.endpoints().depth(link.local());
    var lane = connector.lane(request.lane());
    if (!connector.context().lane(request.lane()).execute(() -> lane.adopt(request, of, depth))) {
      of.drain();
      of.drained();
    }
  }

  /** Takes a refusal of a plain peer that another round may cure; answers whether there is one. */
  private boolean cured(BootstrapDesc desc) {
    if (!link.plain()) {
      return false;
    }
    int theirs = desc.qpNumbers().size();
    if (theirs > 0 && theirs != count && !recounted) {
      // It tells how many QPs it has also where it refuses ours for their number.
      recounted = true;
      count = theirs;
      connector.plain().counted(link.remote().name(), theirs);
      again(endpoint.qps().from(), "the peer has " + theirs + " QPs");
      return true;
    }
    if (!begunAnew && HandshakeFault.stale(desc)) {
      begunAnew = true;
      again(endpoint.qps().from(), "the peer has let go of an older connection");
      return true;
    }
    return false;
  }

  /** Takes the answer of one round. */
  private final class Answer implements ControlPlane.ReplyHandler {
    private final Endpoint of;

    Answer(Endpoint of) {
      this.of = of;
    }

    @Override
    public void failed(Fault fault) {
      // Where the peer has asked meanwhile, what comes of that decides.
      if (current(of) && !of.busy()) {
        abandon(of, HandshakeFault.unanswered(fault, link + ": " + fault.text()));
      }
    }

    @Override
    public void reply(byte[] reply) {
      if (!current(of) || of.busy()) {
        if (of == endpoint && link.plain()) {
          meeting.answeredAfterAll(reply);
        } else {
          LOG.debug("{}: an answer came after its round had ended", link);
        }
        return;
      }
      try {
        var desc = BootstrapCodec.decode(reply);
        if (!cured(desc)) {
          HandshakeFault.of(desc, link, of, round)
              .ifPresentOrElse(fault -> abandon(of, fault), () -> answered(desc));
        }
      } catch (BootstrapException e) {
        wrong(e);
      }
    }

    private void answered(BootstrapDesc desc) {
      try {
        configure(desc, Answers.gid(desc));
      } catch (BootstrapException e) {
        wrong(e);
      }
    }

    private void wrong(BootstrapException e) {
      var text = link + ": the answer to the handshake is wrong: " + e.getMessage();
      abandon(of, HandshakeFault.remote(FailureCode.PROTOCOL, text));
    }
  }

  /** Takes the answer to our being ready: only then may anything be posted. */
  private final class Acknowledged implements ControlPlane.ReplyHandler {
    private final Endpoint of;

    Acknowledged(Endpoint of) {
      this.of = of;
    }

    @Override
    public void failed(Fault fault) {
      if (current(of)) {
        var text = link + ": the peer did not confirm that it is ready: " + fault.text();
        abandon(of, HandshakeFault.unconfirmed(fault, text));
      }
    }

    @Override
    public void reply(byte[] reply) {
      if (!current(of)) {
        return;
      }
      try {
        var desc = BootstrapCodec.decode(reply);
        var fault = HandshakeFault.of(desc, link, of, round);
        if (fault.isPresent()) {
          abandon(of, fault.get());
        } else if (desc.extension().orElseThrow().ready() != Ready.SAID) {
          throw new BootstrapException("shunt.ready_ack is not true");
        } else {
          up(of);
        }
      } catch (BootstrapException e) {
        var text = link + ": the confirmation of the handshake is wrong: " + e.getMessage();
        abandon(of, HandshakeFault.remote(FailureCode.PROTOCOL, text));
      }
    }
  }
}
