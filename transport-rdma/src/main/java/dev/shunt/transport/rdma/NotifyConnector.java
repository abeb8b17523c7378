package dev.shunt.transport.rdma;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.ControlPlane;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Fault.Effect;
import dev.shunt.api.spi.NotifyOrigin;
import dev.shunt.api.spi.Refusal;
import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.transport.rdma.QpSet.Outcome;
import dev.shunt.transport.rdma.core.EndpointLife.State;
import dev.shunt.transport.rdma.core.NicPath;
import dev.shunt.transport.rdma.core.PathMtu;
import dev.shunt.transport.rdma.verbs.Gid;
import dev.shunt.transport.rdma.verbs.VerbsException;
import dev.shunt.transport.rdma.wire.BootstrapCodec;
import dev.shunt.transport.rdma.wire.BootstrapDesc;
import dev.shunt.transport.rdma.wire.BootstrapException;
import dev.shunt.transport.rdma.wire.BootstrapExtension;
import dev.shunt.transport.rdma.wire.BootstrapExtension.Ready;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The asking side of links for notifications. Between Shunt nodes each is a link of its own, made
 * when somebody notifies: its QP sends, and the peer's receives. The supervisor's.
 */
final class NotifyConnector {
  private static final Logger LOG = LoggerFactory.getLogger(NotifyConnector.class);

  private final Notifications all;
  private final TransportContext context;
  private int open;

  NotifyConnector(Notifications all) {
    this.all = all;
    context = all.context();
  }

  void open(ConnectRequest request) {
    if (!(request.remote() instanceof Remote.Node node)) {
      var name = request.remote().name();
      failed(request, Fault.unsupported(name + " is a target, and takes no notifications"));
      return;
    }
    var rail = (RdmaRail) request.local();
    var link = new RdmaLink(request.id(), node, rail, request.remoteRail());
    if (link.plain()) {
      attach(request, link);
    } else if (!rail.active()) {
      failed(
          request,
          HandshakeFault.local(FailureCode.CONNECTION, link + ": rail " + rail + " is inactive"));
    } else if (open >= all.settings().notifications().links()) {
      var text = link + ": there are as many links as notify.links allows";
      failed(request, HandshakeFault.local(FailureCode.RESOURCE, text));
    } else {
      new Attempt(request, link).begin();
    }
  }

  /** A plain peer's connection has the one QP that it was made with. */
  private void attach(ConnectRequest request, RdmaLink link) {
    var pair = new NicPair(Connector.peerPath(link), link.local().name());
    var endpoint = all.plain(pair);
    var lane = endpoint == null ? null : all.lane(endpoint.lane());
    if (endpoint == null
        || !all.onLane(endpoint, () -> lane.attach(request, link, endpoint.end()))) {
      var text =
          link + ": a plain peer takes notifications with a connection for data; there is none";
      failed(request, new Fault(Blame.NEUTRAL, FailureCode.BUSY, Effect.NONE, text));
    }
  }

  private void failed(ConnectRequest request, Fault fault) {
    var lane = all.lane(request.lane());
    context.lane(request.lane()).execute(() -> lane.listener().portFailed(request, fault));
  }

  private final class Attempt implements NotifyEndpoint.Owner, ControlPlane.ReplyHandler {
    private final ConnectRequest request;
    private final RdmaLink link;
    private NotifyEndpoint endpoint;

    Attempt(ConnectRequest request, RdmaLink link) {
      this.request = request;
      this.link = link;
    }

    @Override
    public String toString() {
      return link + ", notifications";
    }

    void begin() {
      try {
        endpoint = all.make(toString(), link.local(), request.lane(), true, false, this);
      } catch (BootstrapException e) {
        var text = this + ": " + e.getMessage();
        NotifyConnector.this.failed(request, HandshakeFault.local(FailureCode.RESOURCE, text));
        return;
      } catch (VerbsException e) {
        var text = this + ": " + e.getMessage() + LockedMemory.hint(e, NotifySlab.SLOT);
        NotifyConnector.this.failed(request, HandshakeFault.local(FailureCode.RESOURCE, text));
        return;
      }
      open++;
      endpoint.timer(context.supervisor().at(request.deadline(), this::late));
      ask(false, request.deadline(), this);
    }

    private void late() {
      var text = this + ": the handshake did not end by its deadline";
      // What was answered, and does not come to its end, is the path's; silence is the peer's.
      endpoint.retire(
          endpoint.busy()
              ? HandshakeFault.remote(FailureCode.HANDSHAKE, text)
              : HandshakeFault.silent(text + ", unanswered"));
    }

    private void ask(boolean close, long deadline, ControlPlane.ReplyHandler handler) {
      context
          .control()
          .call(
              link.remote(),
              Connector.BOOTSTRAP,
              BootstrapCodec.encode(desc(close)),
              deadline,
              handler);
    }

    private BootstrapDesc desc(boolean close) {
      var rail = link.local();
      var node = link.remote();
      var extension =
          new BootstrapExtension(
              link.id().generation(),
              node.generation(),
              link.id().attempt(),
              PathMtu.bytes(endpoint.mtu()),
              close,
              "",
              node.verdict().version(Refusal.CAPABILITY_ID) > 0,
              0,
              Ready.NONE,
              true);
      return new BootstrapDesc(
          new NicPath(context.node(), rail.name()).toString(),
          Connector.peerPath(link),
          List.of(),
          rail.info().lid(),
          endpoint.qps().from().gid().toString(),
          "",
          endpoint.number(),
          all.protocol(),
          Optional.of(extension));
    }

    // What becomes of it.

    @Override
    public void lost(Fault fault) {
      NotifyConnector.this.failed(request, fault);
    }

    @Override
    public void gone(boolean destroyed) {
      open--;
      long wait = all.settings().endpoint().closeTimeout().toNanos();
      ask(
          true,
          context.now() + wait,
          new ControlPlane.ReplyHandler() {
            @Override
            public void reply(byte[] reply) {
              // It has let go of its side.
            }

            @Override
            public void failed(Fault fault) {
              LOG.debug("{}: the peer was not told of its end: {}", link, fault.text());
            }
          });
    }

    // The answer.

    private boolean awaited() {
      return endpoint.life().state() == State.CONNECTING && !endpoint.busy();
    }

    @Override
    public void failed(Fault fault) {
      if (awaited()) {
        endpoint.retire(HandshakeFault.unanswered(fault, this + ": " + fault.text()));
      }
    }

    @Override
    public void reply(byte[] reply) {
      if (!awaited()) {
        LOG.debug("{}: an answer came after its attempt had ended", link);
        return;
      }
      try {
        accept(BootstrapCodec.decode(reply));
      } catch (BootstrapException e) {
        var text = this + ": the answer to the handshake is wrong: " + e.getMessage();
        endpoint.retire(HandshakeFault.remote(FailureCode.PROTOCOL, text));
      }
    }

    private void accept(BootstrapDesc desc) throws BootstrapException {
      var fault = HandshakeFault.of(desc, link, 0, 0);
      if (fault.isPresent()) {
        endpoint.retire(fault.get());
        return;
      }
      if (desc.notifyQpNumber() == 0) {
        throw new BootstrapException("notify_qp_num is 0; it must name the QP that was asked for");
      }
      configure(desc, Answers.gid(desc), PathMtu.settle(endpoint.mtu(), Answers.peerMtu(desc)));
    }

    private void configure(BootstrapDesc desc, Gid gid, int mtu) {
      endpoint.busy(true);
      all.attempts()
          .run(
              toString(),
              endpoint.qps(),
              List.of(desc.notifyQpNumber()),
              gid,
              desc.localLid(),
              mtu,
              request.deadline(),
              new QpAttempts.Done() {
                @Override
                public void ended(Outcome outcome, boolean inHand) {
                  endpoint.busy(inHand);
                  connected(outcome.error(), desc.notifyProtocol());
                }

                @Override
                public void released() {
                  endpoint.busy(false);
                  all.ended(endpoint);
                }
              });
    }

    private void connected(String error, int protocol) {
      if (endpoint.life().state() == State.DESTROYED) {
        if (!endpoint.busy()) {
          all.ended(endpoint);
        }
      } else if (!error.isEmpty()) {
        endpoint.retire(HandshakeFault.local(FailureCode.CONNECTION, this + ": " + error));
      } else {
        endpoint.timer(() -> {});
        endpoint.life().connected();
        var node = link.remote();
        var end = endpoint.end();
        var origin = new NotifyOrigin(node.name(), node.generation(), 0, link.local(), 0);
        end.between(origin, protocol);
        var lane = all.lane(request.lane());
        if (!all.onLane(endpoint, () -> lane.adopt(request, link, end))) {
          endpoint.abandonedByLane();
        }
      }
    }
  }
}
