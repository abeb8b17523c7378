package dev.shunt.transport.rdma;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.ControlPlane;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Refusal;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.transport.rdma.core.FencedLinks;
import dev.shunt.transport.rdma.core.NicPath;
import dev.shunt.transport.rdma.core.PathMtu;
import dev.shunt.transport.rdma.verbs.Gid;
import dev.shunt.transport.rdma.verbs.QpCapacity;
import dev.shunt.transport.rdma.verbs.Verbs;
import dev.shunt.transport.rdma.verbs.VerbsException;
import dev.shunt.transport.rdma.wire.BootstrapCodec;
import dev.shunt.transport.rdma.wire.BootstrapDesc;
import dev.shunt.transport.rdma.wire.BootstrapException;
import dev.shunt.transport.rdma.wire.BootstrapExtension;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The asked side of handshakes, and what came of them. Every request gets a whole answer, a refusal
 * too.
 */
final class Acceptor {
  private static final Logger LOG = LoggerFactory.getLogger(Acceptor.class);
  private static final int REMEMBERED_FENCES = 16 << 10;

  /** Peers write into our memory and read it, as far as each registration allows. */
  private static final int ACCESS =
      Verbs.ACCESS_LOCAL_WRITE | Verbs.ACCESS_REMOTE_WRITE | Verbs.ACCESS_REMOTE_READ;

  private final TransportContext context;
  private final RdmaSettings settings;
  private final List<RdmaRail> rails;
  private final Endpoints endpoints;
  private final LinkedHashMap<Object, PassiveEndpoint> accepted = new LinkedHashMap<>();
  private final FencedLinks fenced = new FencedLinks(REMEMBERED_FENCES);

  /** A plain peer's connection has no id of its own: there is one for each pair of NICs. */
  private record NicPair(String theirs, String ours) {}

  Acceptor(
      TransportContext context, RdmaSettings settings, List<RdmaRail> rails, Endpoints endpoints) {
    this.context = context;
    this.settings = settings;
    this.rails = rails;
    this.endpoints = endpoints;
  }

  /** How many connections of peers there are. */
  int size() {
    return accepted.size();
  }

  void handle(byte[] request, ControlPlane.Reply reply) {
    BootstrapDesc asked;
    try {
      asked = BootstrapCodec.decode(request);
    } catch (BootstrapException e) {
      var nobody = new BootstrapDesc("", "", List.of(), 0, "", "", 0, Optional.empty());
      var text = "malformed handshake: " + e.getMessage();
      refuse(reply, nobody, Optional.empty(), Refusal.MALFORMED, FailureCode.PROTOCOL, text);
      return;
    }
    var rail = rail(asked.peerNicPath());
    var extension = asked.extension();
    if (extension.isPresent() && extension.get().peerGeneration() != context.generation()) {
      var text = "STALE_GENERATION: another process of this node was asked for";
      refuse(reply, asked, rail, Refusal.STALE_GENERATION, FailureCode.STALE_GENERATION, text);
    } else if (extension.isPresent() && extension.get().close()) {
      closed(id(extension.get()), asked, reply);
    } else if (rail.isEmpty()) {
      var text = "there is no NIC " + asked.peerNicPath() + " here";
      var path = NicPath.parse(asked.peerNicPath()).isPresent();
      refuse(
          reply,
          asked,
          rail,
          path ? Refusal.RAIL_NOT_FOUND : Refusal.WRONG_PATH,
          FailureCode.NO_RAIL,
          text);
    } else {
      meet(asked, rail.get(), reply);
    }
  }

  private static LinkId id(BootstrapExtension extension) {
    return new LinkId(extension.generation(), extension.attempt());
  }

  private Optional<RdmaRail> rail(String path) {
    var nic = NicPath.parse(path).map(NicPath::nic).orElse("");
    return rails.stream().filter(rail -> rail.name().equals(nic)).findFirst();
  }

  private void closed(LinkId link, BootstrapDesc asked, ControlPlane.Reply reply) {
    fenced.add(link);
    var endpoint = accepted.get(link);
    if (endpoint != null) {
      destroy(endpoint, "closed by the peer");
    }
    reply.send(BootstrapCodec.encode(desc(asked, rail(asked.peerNicPath()), List.of(), "", "")));
  }

  private void meet(BootstrapDesc asked, RdmaRail rail, ControlPlane.Reply reply) {
    Object key = new NicPair(asked.localNicPath(), asked.peerNicPath());
    if (asked.extension().isPresent()) {
      var link = id(asked.extension().get());
      if (fenced.contains(link)) {
        var text = "attempt " + link.attempt() + " is fenced; ask again with a higher one";
        refuse(reply, asked, Optional.of(rail), Refusal.FENCED, FailureCode.CONNECTION, text);
        return;
      }
      key = link;
    }
    var existing = accepted.get(key);
    if (existing == null) {
      accept(key, asked, rail, reply);
    } else if (existing.connected() && existing.asked().qpNumbers().equals(asked.qpNumbers())) {
      accepted(existing, reply);
    } else {
      if (asked.extension().isEmpty()) {
        destroy(existing, "replaced by the peer");
      }
      var text = "the connection that was there does not match, or is being made; try again";
      unavailable(reply, asked, rail, text);
    }
  }

  private void unavailable(
      ControlPlane.Reply reply, BootstrapDesc asked, RdmaRail rail, String text) {
    refuse(
        reply,
        asked,
        Optional.of(rail),
        Refusal.ENDPOINT_UNAVAILABLE,
        FailureCode.CONNECTION,
        text);
  }

  private void accept(Object key, BootstrapDesc asked, RdmaRail rail, ControlPlane.Reply reply) {
    QpSet qps;
    Gid gid;
    int mtu;
    var why = Refusal.MALFORMED;
    try {
      gid = gid(asked);
      mtu = mtu(rail, peerMtu(asked));
      why = Refusal.ENDPOINT_UNAVAILABLE;
      check(asked, rail);
      if (makeRoom(rail)) {
        why = Refusal.FRESH_ENDPOINT_UNAVAILABLE;
      }
      qps = make(asked, rail);
    } catch (BootstrapException | VerbsException e) {
      refuse(reply, asked, Optional.of(rail), why, FailureCode.CONNECTION, e.getMessage());
      return;
    }
    var endpoint = new PassiveEndpoint(this, key, rail, qps, asked);
    accepted.put(key, endpoint);
    endpoint.busy(true);
    QpAttempt.run(
        context,
        endpoint.toString(),
        qps,
        asked.qpNumbers(),
        gid,
        asked.localLid(),
        mtu,
        context.now() + settings.endpoint().bootstrapTimeout().toNanos(),
        new QpAttempt.Done() {
          @Override
          public void ended(String error, boolean inHand) {
            endpoint.busy(inHand);
            if (error.isEmpty() && !endpoint.doomed()) {
              endpoint.connected(true);
              accepted(endpoint, reply);
            } else {
              destroy(endpoint, error);
              var text = error.isEmpty() ? "the link was ended meanwhile" : error;
              unavailable(reply, asked, rail, text);
            }
          }

          @Override
          public void released() {
            endpoint.busy(false);
            destroy(endpoint, "given up");
          }
        });
  }

  private static void check(BootstrapDesc asked, RdmaRail rail) throws BootstrapException {
    if (!rail.active()) {
      throw new BootstrapException("the NIC " + rail + " is inactive");
    }
    if (asked.qpNumbers().isEmpty()) {
      throw new BootstrapException("qp_num is empty; it names one QP at least");
    }
  }

  private QpSet make(BootstrapDesc asked, RdmaRail rail) {
    return QpSet.make(
        rail,
        rail.device().passiveCq(),
        asked.qpNumbers().size(),
        new QpCapacity(1, 1),
        settings.endpoint().attributes(rail, ACCESS));
  }

  /**
   * Where there is no room the oldest goes: it is the likeliest to belong to a process that has
   * long ended.
   *
   * @return whether one went
   */
  private boolean makeRoom(RdmaRail rail) throws BootstrapException {
    PassiveEndpoint oldest = null;
    int count = 0;
    for (var endpoint : accepted.values()) {
      if (endpoint.rail() == rail) {
        count++;
        oldest = oldest == null && !endpoint.busy() ? endpoint : oldest;
      }
    }
    if (count < settings.endpoint().storeCap()) {
      return false;
    }
    if (oldest == null) {
      throw new BootstrapException("the NIC " + rail + " has too many handshakes under way");
    }
    destroy(oldest, "evicted");
    return true;
  }

  private static Gid gid(BootstrapDesc asked) throws BootstrapException {
    return Gid.parse(asked.localGid())
        .orElseThrow(() -> new BootstrapException("local_gid is no GID: " + asked.localGid()));
  }

  /** What a peer says of its MTU: a constant of verbs, or 0 if it says nothing. */
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

  private int mtu(RdmaRail rail, int peer) {
    return PathMtu.settle(rail.info().activeMtu(), settings.endpoint().pathMtu(), peer);
  }

  private void accepted(PassiveEndpoint endpoint, ControlPlane.Reply reply) {
    var desc =
        desc(endpoint.asked(), Optional.of(endpoint.rail()), endpoint.qps().numbers(), "", "");
    reply.send(BootstrapCodec.encode(desc));
  }

  private void refuse(
      ControlPlane.Reply reply,
      BootstrapDesc asked,
      Optional<RdmaRail> rail,
      Refusal refusal,
      FailureCode code,
      String text) {
    LOG.debug("a handshake of {} is refused: {}: {}", asked.localNicPath(), refusal, text);
    var coded = asked.extension().map(BootstrapExtension::errors).orElse(false);
    var name = coded ? refusal.name() : code.name();
    reply.send(BootstrapCodec.encode(desc(asked, rail, List.of(), text, name)));
  }

  private BootstrapDesc desc(
      BootstrapDesc asked,
      Optional<RdmaRail> rail,
      List<Integer> qpNumbers,
      String message,
      String code) {
    var extension =
        asked
            .extension()
            .map(
                theirs ->
                    new BootstrapExtension(
                        theirs.generation(),
                        context.generation(),
                        theirs.attempt(),
                        rail.map(r -> PathMtu.bytes(mtu(r, 0))).orElse(0),
                        false,
                        code));
    return new BootstrapDesc(
        rail.map(r -> new NicPath(context.node(), r.name()).toString()).orElse(asked.peerNicPath()),
        asked.localNicPath(),
        qpNumbers,
        rail.map(r -> r.info().lid()).orElse(0),
        rail.map(r -> r.gid().gid().toString()).orElse(""),
        message,
        0,
        extension);
  }

  /** The passive side of a fence: true once the link's QPs are gone. */
  void fence(LinkId link, Consumer<Boolean> answer) {
    fenced.add(link);
    var endpoint = accepted.get(link);
    if (endpoint == null) {
      answer.accept(true);
    } else {
      endpoint.fences().add(answer);
      destroy(endpoint, "fenced");
    }
  }

  /**
   * Takes its QPs to ERR and destroys them: from then on the device applies nothing that the peer
   * has sent there. Waits if an attempt has them in hand.
   */
  void destroy(PassiveEndpoint endpoint, String why) {
    endpoint.doom();
    if (endpoint.busy()) {
      return;
    }
    if (!accepted.remove(endpoint.key(), endpoint)) {
      return;
    }
    LOG.debug("{}: {}", endpoint, why);
    endpoint.qps().error();
    int error = endpoint.qps().close();
    if (error != 0) {
      endpoints.quarantined(endpoint.rail(), endpoint + ": " + VerbsException.text(error));
    }
    for (var answer : endpoint.fences()) {
      answer.accept(error == 0);
    }
    endpoint.fences().clear();
  }

  /** Destroys all that use a rail. */
  void destroyAll(RdmaRail rail, String why) {
    for (var endpoint : List.copyOf(accepted.values())) {
      if (endpoint.rail() == rail) {
        destroy(endpoint, why);
      }
    }
  }
}
