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
import dev.shunt.transport.rdma.core.NicPath;
import dev.shunt.transport.rdma.core.PathMtu;
import dev.shunt.transport.rdma.wire.BootstrapCodec;
import dev.shunt.transport.rdma.wire.BootstrapDesc;
import dev.shunt.transport.rdma.wire.BootstrapExtension;
import dev.shunt.transport.rdma.wire.BootstrapExtension.Ready;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The asking side of connections: takes requests, each of which is a {@link Handshake}'s. */
final class Connector {
  /** TENT's function for handshakes. */
  static final int BOOTSTRAP = 2;

  /** By which the asked side is told when our own is ready. */
  static final String READY_ACK = "rdma.ready_ack";

  /** The asked side tries a connection with writes of no bytes now and then. */
  static final String TRIES = "rdma.tries";

  private static final Logger LOG = LoggerFactory.getLogger(Connector.class);

  private final TransportContext context;
  private final RdmaSettings settings;
  private final Endpoints endpoints;
  private final QpAttempts attempts;
  private final PlainLinks plain;
  private final Notifications notifications;
  private final List<RdmaLane> lanes;

  Connector(
      TransportContext context,
      RdmaSettings settings,
      Endpoints endpoints,
      QpAttempts attempts,
      PlainLinks plain,
      Notifications notifications,
      List<RdmaLane> lanes) {
    this.context = context;
    this.settings = settings;
    this.endpoints = endpoints;
    this.attempts = attempts;
    this.plain = plain;
    this.notifications = notifications;
    this.lanes = lanes;
  }

  TransportContext context() {
    return context;
  }

  RdmaSettings settings() {
    return settings;
  }

  Endpoints endpoints() {
    return endpoints;
  }

  QpAttempts attempts() {
    return attempts;
  }

  Notifications notifications() {
    return notifications;
  }

  PlainLinks plain() {
    return plain;
  }

  RdmaLane lane(int number) {
    return lanes.get(number);
  }

  int lanes() {
    return lanes.size();
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
    var handshake = new Handshake(this, request, link);
    if (!rail.active()) {
      var text = link + ": rail " + rail + " is inactive";
      failed(request, HandshakeFault.local(FailureCode.CONNECTION, text));
    } else if (handshake.meeting().second()) {
      var text = link + ": a plain peer has one connection on a path, and it is there already";
      failed(request, new Fault(Blame.NEUTRAL, FailureCode.BUSY, Effect.NONE, text));
    } else {
      new Admission(this, request, handshake).ask();
    }
  }

  /** Answers a request on its lane. */
  void failed(ConnectRequest request, Fault fault) {
    var lane = lanes.get(request.lane());
    context.lane(request.lane()).execute(() -> lane.refuse(request, fault));
  }

  /** Our side of a handshake. */
  BootstrapDesc desc(Endpoint endpoint, int round, boolean close, Ready ready) {
    var link = endpoint.link();
    var rail = link.local();
    var extension =
        link.plain()
            ? Optional.<BootstrapExtension>empty()
            : Optional.of(extension(link, endpoint, round, close, ready));
    return new BootstrapDesc(
        new NicPath(context.node(), rail.name()).toString(),
        peerPath(link),
        endpoint.qps().numbers(),
        rail.info().lid(),
        endpoint.qps().from().gid().toString(),
        "",
        endpoint.notifying() == null ? 0 : endpoint.notifying().number(),
        endpoint.notifying() == null ? 0 : endpoint.notifying().protocol(),
        extension);
  }

  private static BootstrapExtension extension(
      RdmaLink link, Endpoint endpoint, int round, boolean close, Ready ready) {
    var verdict = link.remote().verdict();
    var extension =
        new BootstrapExtension(
            link.id().generation(),
            link.remote().generation(),
            link.id().attempt(),
            PathMtu.bytes(endpoint.mtu()),
            close,
            "",
            verdict.version(Refusal.CAPABILITY_ID) > 0,
            round,
            ready);
    return verdict.version(TRIES) > 0 && !close ? extension.tried() : extension;
  }

  /** What the peer calls its NIC. */
  static String peerPath(RdmaLink link) {
    return new NicPath(link.remote().name(), link.remoteRail().name()).toString();
  }

  /** Tells a Shunt peer that a link is over; nothing depends on it but the peer's QPs. */
  void tellClosed(Endpoint endpoint) {
    var link = endpoint.link();
    if (link.plain()) {
      return;
    }
    long deadline = context.now() + settings.endpoint().closeTimeout().toNanos();
    context
        .control()
        .call(
            link.remote(),
            BOOTSTRAP,
            BootstrapCodec.encode(desc(endpoint, 0, true, Ready.NONE)),
            deadline,
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
}
