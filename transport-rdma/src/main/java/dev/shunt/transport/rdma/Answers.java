package dev.shunt.transport.rdma;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.ControlPlane;
import dev.shunt.api.spi.Refusal;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.transport.rdma.core.NicPath;
import dev.shunt.transport.rdma.core.PathMtu;
import dev.shunt.transport.rdma.verbs.Gid;
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
 * What the asked side says. Always whole, a refusal too: a plain peer's process ends over a key
 * that is missing.
 */
final class Answers {
  private static final Logger LOG = LoggerFactory.getLogger(Answers.class);

  private final TransportContext context;

  Answers(TransportContext context) {
    this.context = context;
  }

  /** Nobody's question: where it could not be read. */
  static BootstrapDesc nobody() {
    return new BootstrapDesc("", "", List.of(), 0, "", "", 0, Optional.empty());
  }

  /** The connection is there. */
  void accepted(ControlPlane.Reply reply, BootstrapDesc asked, PassiveEndpoint endpoint) {
    int mtu = PathMtu.bytes(endpoint.mtu());
    var extension = asked.extension().map(theirs -> ours(theirs, mtu, "", theirs.ready()));
    var rail = endpoint.rail();
    extension = extension.map(ours -> ours.ofContext(rail.context()));
    var qps = endpoint.qps();
    reply.send(
        BootstrapCodec.encode(
            new BootstrapDesc(
                path(rail),
                asked.localNicPath(),
                qps.numbers(),
                rail.info().lid(),
                qps.from().gid().toString(),
                "",
                endpoint.notifying() == null ? 0 : endpoint.notifying().number(),
                endpoint.notifying() == null ? 0 : endpoint.notifying().protocol(),
                extension)));
  }

  /** A link for notifications is there. */
  void notifying(
      ControlPlane.Reply reply,
      BootstrapDesc asked,
      NotifyEndpoint endpoint,
      int mtu,
      int protocol) {
    var extension =
        asked.extension().map(theirs -> ours(theirs, PathMtu.bytes(mtu), "", theirs.ready()));
    var rail = endpoint.rail();
    reply.send(
        BootstrapCodec.encode(
            new BootstrapDesc(
                path(rail),
                asked.localNicPath(),
                List.of(),
                rail.info().lid(),
                endpoint.qps().from().gid().toString(),
                "",
                endpoint.number(),
                protocol,
                extension)));
  }

  /** A connection of ours serves the peer as well. */
  static void accepted(ControlPlane.Reply reply, BootstrapDesc ours) {
    reply.send(BootstrapCodec.encode(ours));
  }

  /** The connection is gone, as was asked for. */
  void closed(ControlPlane.Reply reply, BootstrapDesc asked, Optional<RdmaRail> rail) {
    send(reply, asked, rail, "", "");
  }

  void refuse(
      ControlPlane.Reply reply,
      BootstrapDesc asked,
      Optional<RdmaRail> rail,
      Refusal refusal,
      FailureCode code,
      String text) {
    LOG.debug("a handshake of {} is refused: {}: {}", asked.localNicPath(), refusal, text);
    var coded = asked.extension().map(BootstrapExtension::errors).orElse(false);
    var name = coded ? refusal.name() : code.name();
    send(reply, asked, rail, text, name);
  }

  private void send(
      ControlPlane.Reply reply,
      BootstrapDesc asked,
      Optional<RdmaRail> rail,
      String message,
      String code) {
    int mtu = rail.map(r -> PathMtu.bytes(r.info().activeMtu())).orElse(0);
    var extension = asked.extension().map(theirs -> ours(theirs, mtu, code, Ready.NONE));
    reply.send(
        BootstrapCodec.encode(
            new BootstrapDesc(
                rail.map(this::path).orElse(asked.peerNicPath()),
                asked.localNicPath(),
                List.of(),
                rail.map(r -> r.info().lid()).orElse(0),
                rail.map(r -> r.gid().gid().toString()).orElse(""),
                message,
                0,
                extension)));
  }

  private BootstrapExtension ours(BootstrapExtension theirs, int mtu, String code, Ready ready) {
    return new BootstrapExtension(
        theirs.generation(),
        context.generation(),
        theirs.attempt(),
        mtu,
        false,
        code,
        false,
        theirs.round(),
        ready);
  }

  private String path(RdmaRail rail) {
    return new NicPath(context.node(), rail.name()).toString();
  }

  /**
   * What our port takes, as far as the configuration lets it: a constant of verbs.
   *
   * @throws BootstrapException if the port says something that is none
   */
  static int mtu(RdmaRail rail, RdmaSettings settings) throws BootstrapException {
    int port = rail.info().activeMtu();
    if (!PathMtu.valid(port)) {
      throw new BootstrapException(
          "the port of " + rail + " tells path MTU " + port + ", which verbs do not have");
    }
    return Math.min(port, settings.endpoint().pathMtu());
  }

  /**
   * What a peer says of its MTU: a constant of verbs, or 0 if it says nothing.
   *
   * @throws BootstrapException if there is no such MTU
   */
  static int peerMtu(BootstrapDesc desc) throws BootstrapException {
    if (desc.extension().isEmpty()) {
      return 0;
    }
    int bytes = desc.extension().get().mtu();
    int mtu = PathMtu.ofBytes(bytes);
    if (mtu == 0) {
      throw new BootstrapException(
          "shunt.mtu is " + bytes + "; it is 256, 512, 1024, 2048 or 4096");
    }
    return mtu;
  }

  /**
   * The peer's address.
   *
   * @throws BootstrapException if it is none
   */
  static Gid gid(BootstrapDesc desc) throws BootstrapException {
    return Gid.parse(desc.localGid())
        .orElseThrow(() -> new BootstrapException("local_gid is no GID: " + desc.localGid()));
  }
}
