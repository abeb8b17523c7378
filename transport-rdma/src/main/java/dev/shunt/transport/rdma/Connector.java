package dev.shunt.transport.rdma;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.ControlPlane;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Fault.Effect;
import dev.shunt.api.spi.Refusal;
import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.transport.rdma.core.EndpointLife.State;
import dev.shunt.transport.rdma.core.NicPath;
import dev.shunt.transport.rdma.core.PathMtu;
import dev.shunt.transport.rdma.verbs.Gid;
import dev.shunt.transport.rdma.verbs.VerbsException;
import dev.shunt.transport.rdma.wire.BootstrapCodec;
import dev.shunt.transport.rdma.wire.BootstrapDesc;
import dev.shunt.transport.rdma.wire.BootstrapException;
import dev.shunt.transport.rdma.wire.BootstrapExtension;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The asking side of handshakes. Each attempt has QPs of its own, so that an answer can only ever
 * meet those that were told to the peer; one that comes after its attempt has ended is dropped.
 */
final class Connector {
  /** TENT's function for handshakes. */
  static final int BOOTSTRAP = 2;

  private static final Logger LOG = LoggerFactory.getLogger(Connector.class);

  private final TransportContext context;
  private final RdmaSettings settings;
  private final Endpoints endpoints;
  private final List<RdmaLane> lanes;

  Connector(
      TransportContext context, RdmaSettings settings, Endpoints endpoints, List<RdmaLane> lanes) {
    this.context = context;
    this.settings = settings;
    this.endpoints = endpoints;
    this.lanes = lanes;
  }

  void connect(ConnectRequest request) {
    if (!(request.remote() instanceof Remote.Node node)) {
      failed(
          request,
          Fault.unsupported("RDMA reaches nodes; " + request.remote().name() + " is a target"));
      return;
    }
    var rail = (RdmaRail) request.local();
    var link = new RdmaLink(request.id(), node, rail, request.remoteRail());
    if (!rail.active()) {
      failed(request, local(FailureCode.CONNECTION, link + ": rail " + rail + " is inactive"));
      return;
    }
    if (endpoints.full(rail)) {
      var text = link + ": rail " + rail + " has as many endpoints as endpoint-store-cap allows";
      failed(request, local(FailureCode.RESOURCE, text));
      return;
    }
    Endpoint endpoint;
    try {
      endpoint = endpoints.make(request, link, lanes.get(request.lane()).queue(rail));
    } catch (VerbsException e) {
      failed(request, local(FailureCode.RESOURCE, link + ": " + e.getMessage()));
      return;
    }
    endpoint.timer(context.supervisor().at(request.deadline(), () -> late(endpoint)));
    context
        .control()
        .call(
            node,
            BOOTSTRAP,
            BootstrapCodec.encode(desc(endpoint, false)),
            request.deadline(),
            new Answer(endpoint));
  }

  private void late(Endpoint endpoint) {
    var text = endpoint.link() + ": the handshake did not end by its deadline";
    // What was answered, and does not come to its end, is the path's; silence is the peer's.
    endpoints.abandon(
        endpoint,
        endpoint.busy() ? remote(FailureCode.HANDSHAKE, text) : silent(text + ", unanswered"));
  }

  /** A peer that does not answer says nothing of the path that was asked for. */
  private static Fault silent(String text) {
    return new Fault(Blame.NEUTRAL, FailureCode.UNREACHABLE, Effect.NONE, text);
  }

  /** A number of the peer's own means that it did answer, and refused. */
  private static Fault unanswered(Fault fault, String text) {
    var silence =
        fault.vendorCode() == 0
            && (fault.blame() == Blame.REMOTE || fault.blame() == Blame.NEUTRAL);
    return silence
        ? silent(text)
        : new Fault(fault.blame(), fault.code(), Effect.NONE, text, fault.vendorCode());
  }

  /** Answers a request on its lane. */
  void failed(ConnectRequest request, Fault fault) {
    var lane = lanes.get(request.lane());
    context.lane(request.lane()).execute(() -> lane.refuse(request, fault));
  }

  private BootstrapDesc desc(Endpoint endpoint, boolean close) {
    var link = endpoint.link();
    var rail = link.local();
    var node = link.remote();
    var extension =
        node.generation() == 0
            ? Optional.<BootstrapExtension>empty()
            : Optional.of(
                new BootstrapExtension(
                    link.id().generation(),
                    node.generation(),
                    link.id().attempt(),
                    PathMtu.bytes(mtu(rail, 0)),
                    close,
                    "",
                    node.verdict().version(Refusal.CAPABILITY_ID) > 0));
    return new BootstrapDesc(
        new NicPath(context.node(), rail.name()).toString(),
        new NicPath(node.name(), link.remoteRail().name()).toString(),
        endpoint.qps().numbers(),
        rail.info().lid(),
        rail.gid().gid().toString(),
        "",
        0,
        extension);
  }

  private int mtu(RdmaRail rail, int peer) {
    return PathMtu.settle(rail.info().activeMtu(), settings.endpoint().pathMtu(), peer);
  }

  /** Tells a Shunt peer that a link is over; nothing depends on it but the peer's QPs. */
  void tellClosed(Endpoint endpoint) {
    var node = endpoint.link().remote();
    if (node.generation() == 0) {
      return;
    }
    long deadline = context.now() + settings.endpoint().closeTimeout().toNanos();
    context
        .control()
        .call(
            node,
            BOOTSTRAP,
            BootstrapCodec.encode(desc(endpoint, true)),
            deadline,
            new ControlPlane.ReplyHandler() {
              @Override
              public void reply(byte[] reply) {
                // It has let go of its side.
              }

              @Override
              public void failed(Fault fault) {
                LOG.debug(
                    "{}: the peer was not told of its end: {}", endpoint.link(), fault.text());
              }
            });
  }

  private final class Answer implements ControlPlane.ReplyHandler {
    private final Endpoint endpoint;

    Answer(Endpoint endpoint) {
      this.endpoint = endpoint;
    }

    @Override
    public void failed(Fault fault) {
      endpoints.abandon(endpoint, unanswered(fault, endpoint.link() + ": " + fault.text()));
    }

    @Override
    public void reply(byte[] reply) {
      if (endpoint.life().state() != State.CONNECTING || endpoint.busy()) {
        LOG.debug("{}: an answer came after its attempt had ended", endpoint.link());
        return;
      }
      try {
        accept(BootstrapCodec.decode(reply));
      } catch (BootstrapException e) {
        refuse(FailureCode.PROTOCOL, "the answer to the handshake is wrong: " + e.getMessage());
      }
    }

    private void refuse(FailureCode code, String text) {
      endpoints.abandon(endpoint, remote(code, endpoint.link() + ": " + text));
    }

    private void accept(BootstrapDesc desc) throws BootstrapException {
      if (desc.refused()) {
        var named = desc.extension().map(BootstrapExtension::code).flatMap(Refusal::named);
        refuse(
            named.map(Refusal::failure).orElseGet(() -> code(desc)),
            "the peer refused: "
                + named.map(refusal -> refusal + ": ").orElse("")
                + desc.replyMessage());
        return;
      }
      var link = endpoint.link();
      if (link.remote().generation() != 0 && !repeats(desc)) {
        refuse(FailureCode.STALE_GENERATION, "the answer is for another attempt or generation");
        return;
      }
      check(nic(desc.localNicPath()), link.remoteRail().name(), "local_nic_path");
      check(nic(desc.peerNicPath()), link.local().name(), "peer_nic_path");
      if (desc.qpNumbers().size() != endpoint.qps().size()) {
        throw new BootstrapException(
            "qp_num has "
                + desc.qpNumbers().size()
                + " entries; it must have "
                + endpoint.qps().size()
                + ", as many as were asked for by num-qps");
      }
      var gid =
          Gid.parse(desc.localGid())
              .orElseThrow(() -> new BootstrapException("local_gid is no GID: " + desc.localGid()));
      configure(desc, gid);
    }

    private boolean repeats(BootstrapDesc desc) {
      var id = endpoint.link().id();
      return desc.extension()
          .filter(
              extension ->
                  extension.generation() == id.generation()
                      && extension.attempt() == id.attempt()
                      && extension.peerGeneration() == endpoint.link().remote().generation())
          .isPresent();
    }

    private void configure(BootstrapDesc desc, Gid gid) throws BootstrapException {
      var rail = endpoint.link().local();
      int theirs = Acceptor.peerMtu(desc);
      endpoint.busy(true);
      QpAttempt.run(
          context,
          endpoint.link().toString(),
          endpoint.qps(),
          desc.qpNumbers(),
          gid,
          desc.localLid(),
          mtu(rail, theirs),
          endpoint.request().deadline(),
          new QpAttempt.Done() {
            @Override
            public void ended(String error, boolean inHand) {
              endpoint.busy(inHand);
              connected(error);
            }

            @Override
            public void released() {
              endpoint.busy(false);
              endpoints.ended(endpoint);
            }
          });
    }

    private void connected(String error) {
      if (endpoint.life().state() == State.DESTROYED) {
        if (!endpoint.busy()) {
          endpoints.ended(endpoint);
        }
      } else if (!error.isEmpty()) {
        endpoints.abandon(endpoint, local(FailureCode.CONNECTION, endpoint.link() + ": " + error));
      } else {
        endpoint.timer(() -> {});
        endpoint.life().connected();
        var request = endpoint.request();
        var lane = lanes.get(request.lane());
        int depth = endpoints.depth(endpoint.link().local());
        if (!context.lane(request.lane()).execute(() -> lane.adopt(request, endpoint, depth))) {
          endpoint.drain();
          endpoint.drained();
        }
      }
    }
  }

  private static FailureCode code(BootstrapDesc desc) {
    var code = desc.extension().map(BootstrapExtension::code).orElse("");
    for (var known : FailureCode.values()) {
      if (known.name().equals(code)) {
        return known;
      }
    }
    return FailureCode.CONNECTION;
  }

  private static String nic(String path) {
    return NicPath.parse(path).map(NicPath::nic).orElse(path);
  }

  private static void check(String found, String wanted, String key) throws BootstrapException {
    if (!found.equals(wanted)) {
      throw new BootstrapException(key + " names the NIC " + found + "; it must name " + wanted);
    }
  }

  private static Fault local(FailureCode code, String text) {
    return new Fault(Blame.LOCAL, code, Effect.NONE, text);
  }

  private static Fault remote(FailureCode code, String text) {
    return new Fault(Blame.REMOTE, code, Effect.NONE, text);
  }
}
