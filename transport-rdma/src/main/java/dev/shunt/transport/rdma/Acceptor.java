package dev.shunt.transport.rdma;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.ControlPlane;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Refusal;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.transport.rdma.core.AcceptedLife.State;
import dev.shunt.transport.rdma.core.NicPath;
import dev.shunt.transport.rdma.wire.BootstrapCodec;
import dev.shunt.transport.rdma.wire.BootstrapDesc;
import dev.shunt.transport.rdma.wire.BootstrapException;
import dev.shunt.transport.rdma.wire.BootstrapExtension;
import dev.shunt.transport.rdma.wire.BootstrapExtension.Ready;
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
  private static final int MOST_WAITING = 8;

  private final TransportContext context;
  private final RdmaSettings settings;
  private final List<RdmaRail> rails;
  private final PlainLinks plain;
  private final Answers answers;
  private final Accepting accepting;
  private final PassiveEndpoints accepted;
  private final NotifyAcceptor notifying;
  private final PassiveProbes probes;
  private boolean closed;

  Acceptor(
      TransportContext context,
      RdmaSettings settings,
      List<RdmaRail> rails,
      Endpoints endpoints,
      QpAttempts attempts,
      PlainLinks plain,
      Notifications notifications) {
    this.context = context;
    this.settings = settings;
    this.rails = rails;
    this.plain = plain;
    accepted = new PassiveEndpoints(settings.endpoint().storeCap(), endpoints);
    probes =
        new PassiveProbes(
            context, settings.endpoint().keepAliveInterval().toNanos(), this::peerGone);
    accepted.watch(probes::add, probes::forget);
    answers = new Answers(context);
    accepting =
        new Accepting(context, settings, endpoints, attempts, accepted, this, notifications);
    notifying = new NotifyAcceptor(this, answers, notifications);
    plain.watch(this::outlived);
  }

  /** Sees from now on whether peers are still there. */
  void start() {
    probes.start();
  }

  /** The connections that peers asked for. */
  PassiveEndpoints all() {
    return accepted;
  }

  void handle(byte[] request, ControlPlane.Reply reply) {
    var asked = Answers.nobody();
    try {
      asked = BootstrapCodec.decode(request);
      take(asked, reply);
    } catch (BootstrapException e) {
      var text = "malformed handshake: " + e.getMessage();
      refuse(reply, asked, Optional.empty(), Refusal.MALFORMED, FailureCode.PROTOCOL, text);
    } catch (RuntimeException e) {
      LOG.error("a handshake of {} failed here", asked.localNicPath(), e);
      var text = "internal error: " + e;
      refuse(
          reply, asked, Optional.empty(), Refusal.ENDPOINT_UNAVAILABLE, FailureCode.INTERNAL, text);
    }
  }

  private void take(BootstrapDesc asked, ControlPlane.Reply reply) {
    var rail = rail(asked.peerNicPath());
    var extension = asked.extension();
    if (extension.isPresent() && extension.get().peerGeneration() != context.generation()) {
      var text = "STALE_GENERATION: another process of this node was asked for";
      refuse(reply, asked, rail, Refusal.STALE_GENERATION, FailureCode.STALE_GENERATION, text);
    } else if (extension.isPresent() && extension.get().close()) {
      closed(id(extension.get()), asked, reply);
    } else if (closed) {
      refuse(reply, asked, rail, Refusal.CLOSING, FailureCode.CLOSED, "this node closes");
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
    } else if (extension.isPresent()) {
      meet(id(extension.get()), extension.get(), asked, rail.get(), reply);
    } else {
      meetPlain(PlainLinks.pair(asked, rail.get()), asked, rail.get(), reply);
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
    accepted.closed(link);
    notifying.closed(link);
    answers.closed(reply, asked, rail(asked.peerNicPath()));
  }

  private void meet(
      LinkId link,
      BootstrapExtension extension,
      BootstrapDesc asked,
      RdmaRail rail,
      ControlPlane.Reply reply) {
    if (accepted.fenced(link)) {
      var text = "attempt " + link.attempt() + " is fenced; ask again with a higher one";
      refuse(reply, asked, Optional.of(rail), Refusal.FENCED, FailureCode.CONNECTION, text);
      return;
    }
    if (extension.notifying()) {
      notifying.meet(link, asked, rail, reply);
      return;
    }
    var existing = accepted.get(link);
    if (extension.ready() == Ready.SAID) {
      ready(existing, asked, rail, reply);
      return;
    }
    var terms = accepting.terms(asked, rail, reply);
    if (terms.isEmpty()) {
      return;
    }
    newest(asked, extension.generation());
    boolean older = existing != null && existing.round() < extension.round();
    if (existing == null || older && accepted.destroy(existing, "the peer began anew")) {
      accepting.begin(link, asked, terms.get(), rail, older, reply);
    } else if (older || existing.round() > extension.round() || !existing.fits(asked)) {
      var text = "round " + existing.round() + " of this attempt has other QPs, or ends; try again";
      unavailable(reply, asked, rail, text);
    } else {
      again(existing, asked, reply);
    }
  }

  private void meetPlain(
      NicPair pair, BootstrapDesc asked, RdmaRail rail, ControlPlane.Reply reply) {
    var terms = accepting.terms(asked, rail, reply);
    if (terms.isEmpty()) {
      return;
    }
    plain.counted(asked);
    var ours = plain.get(pair);
    if (ours != null && ours.asked(asked, new PlainAnswer(asked, rail, reply))) {
      return;
    }
    var existing = accepted.get(pair);
    if (existing != null && existing.fits(asked) && !existing.life().doomed()) {
      again(existing, asked, reply);
      return;
    }
    if (existing == null || accepted.destroy(existing, "replaced by the peer")) {
      accepting.begin(pair, asked, terms.get(), rail, existing != null || ours != null, reply);
    } else {
      unavailable(reply, asked, rail, "the connection that was there still ends; try again");
    }
  }

  private final class PlainAnswer implements PlainMeeting.Waiter {
    private final BootstrapDesc asked;
    private final RdmaRail rail;
    private final ControlPlane.Reply reply;

    PlainAnswer(BootstrapDesc asked, RdmaRail rail, ControlPlane.Reply reply) {
      this.asked = asked;
      this.rail = rail;
      this.reply = reply;
    }

    @Override
    public void accepted(BootstrapDesc ours) {
      Answers.accepted(reply, ours);
    }

    @Override
    public void refused(String why) {
      unavailable(reply, asked, rail, why);
    }
  }

  /** The same question once more: the same answer, now or when there is one. */
  private void again(PassiveEndpoint existing, BootstrapDesc asked, ControlPlane.Reply reply) {
    if (existing.life().usable()) {
      answers.accepted(reply, asked, existing);
    } else if (!existing.life().doomed() && existing.waiting().size() < MOST_WAITING) {
      existing.waiting().add(new PassiveEndpoint.Waiting(asked, reply));
    } else {
      unavailable(
          reply, asked, existing.rail(), "the connection is being made, or ends; try again");
    }
  }

  private void ready(
      PassiveEndpoint existing, BootstrapDesc asked, RdmaRail rail, ControlPlane.Reply reply) {
    boolean known =
        existing != null
            && existing.fits(asked)
            && existing.round() == asked.extension().orElseThrow().round();
    if (known && existing.life().ready()) {
      existing.timer(() -> {});
      answers.accepted(reply, asked, existing);
    } else {
      unavailable(reply, asked, rail, "no connection of these QPs waits for its peer; begin anew");
    }
  }

  /** Our own question of a plain peer's is answered: it has let go of what it had asked for. */
  private void outlived(NicPair pair) {
    var endpoint = accepted.get(pair);
    if (endpoint != null) {
      accepted.destroy(endpoint, "one connection serves both sides, and it is another one");
    }
  }

  /** Its QPs are connected: whoever asked is told so. */
  void connected(PassiveEndpoint endpoint) {
    boolean expected =
        endpoint.asked().extension().map(theirs -> theirs.ready() == Ready.EXPECTED).orElse(false);
    endpoint.life().connected(expected);
    if (expected) {
      long wait = settings.endpoint().readyAckTimeout().toNanos();
      endpoint.timer(context.supervisor().at(context.now() + wait, () -> neverReady(endpoint)));
    }
    var all = List.copyOf(endpoint.waiting());
    endpoint.waiting().clear();
    all.forEach(waiting -> answers.accepted(waiting.reply(), waiting.asked(), endpoint));
  }

  /** Ends what processes of a node that came before had asked for. */
  void newest(BootstrapDesc asked, long generation) {
    accepted.newest(asked.localNicPath(), generation);
    notifying.retireOlder(asked, generation);
  }

  private void peerGone(PassiveEndpoint endpoint) {
    accepted.destroy(endpoint, "its peer is not there any more");
    if (endpoint.key() instanceof LinkId link) {
      var node = NicPath.parse(endpoint.asked().localNicPath()).map(NicPath::node).orElse("");
      if (!accepted.any(node, link.generation())) {
        notifying.peerGone(node, link.generation());
      }
    }
  }

  private void neverReady(PassiveEndpoint endpoint) {
    if (endpoint.life().state() == State.AWAITED) {
      accepted.destroy(endpoint, "the peer did not say that its side is ready");
    }
  }

  /** It cannot be had: whoever asked is told so. */
  void failed(PassiveEndpoint endpoint, Refusal refusal, String text) {
    accepted.destroy(endpoint, text);
    var all = List.copyOf(endpoint.waiting());
    endpoint.waiting().clear();
    for (var waiting : all) {
      refuse(
          waiting.reply(),
          waiting.asked(),
          Optional.of(endpoint.rail()),
          refusal,
          FailureCode.CONNECTION,
          text);
    }
  }

  void unavailable(ControlPlane.Reply reply, BootstrapDesc asked, RdmaRail rail, String text) {
    refuse(
        reply,
        asked,
        Optional.of(rail),
        Refusal.ENDPOINT_UNAVAILABLE,
        FailureCode.CONNECTION,
        text);
  }

  void refuse(
      ControlPlane.Reply reply,
      BootstrapDesc asked,
      Optional<RdmaRail> rail,
      Refusal refusal,
      FailureCode code,
      String text) {
    answers.refuse(reply, asked, rail, refusal, code, text);
  }

  /** The passive side of a fence: true once the link's QPs are gone. */
  void fence(LinkId link, Consumer<Boolean> answer) {
    if (notifying.fence(link, answer)) {
      accepted.closed(link);
    } else {
      accepted.fence(link, answer);
    }
  }

  /** Takes no more, and lets go of all. */
  void close() {
    closed = true;
    probes.close();
    rails.forEach(rail -> accepted.destroyAll(rail, "this node closes"));
  }
}
