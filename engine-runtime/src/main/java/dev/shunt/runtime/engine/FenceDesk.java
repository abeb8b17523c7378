package dev.shunt.runtime.engine;

import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Mailbox;
import dev.shunt.api.spi.Refusal;
import dev.shunt.runtime.control.core.FenceReply;
import dev.shunt.runtime.control.core.FenceRequest;
import dev.shunt.runtime.transport.TransportHost;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Refuses old links of peers that ask for it. */
final class FenceDesk {
  private final List<Party> parties;
  private volatile Optional<FenceReply> last = Optional.empty();

  /**
   * A transport.
   *
   * @param fence refuses a link; on the supervisor's thread
   */
  record Party(String id, Mailbox supervisor, BiConsumer<LinkId, Consumer<Boolean>> fence) {}

  FenceDesk(List<Party> parties) {
    this.parties = List.copyOf(parties);
  }

  /** That of a node with these transports. */
  static FenceDesk of(List<TransportHost> transports) {
    return new FenceDesk(
        transports.stream()
            .map(host -> new Party(host.id(), host.supervisorAgent(), host.worker()::fence))
            .toList());
  }

  /**
   * The transports are about to go, and none of them is asked any more.
   *
   * @param gone whether no memory can be reached any more, so that no link changes any: then all
   *     are fenced, and else there is nobody left to promise it
   */
  void close(boolean gone) {
    last =
        Optional.of(
            gone
                ? new FenceReply.Fenced()
                : new FenceReply.Refused(
                    Refusal.CLOSING, "the node closes, and memory of it is still in use"));
  }

  /** Answers a peer. On the control thread. */
  void serve(FenceRequest request, Consumer<FenceReply> answer) {
    var closed = last;
    if (closed.isPresent()) {
      answer.accept(closed.get());
      return;
    }
    for (var party : parties) {
      if (party.id.equals(request.transport())) {
        if (!party.supervisor.execute(() -> ask(party, request, answer))) {
          answer.accept(
              last.orElseGet(() -> new FenceReply.Refused(Refusal.CLOSING, "the node closes")));
        }
        return;
      }
    }
    answer.accept(
        new FenceReply.Refused(
            Refusal.TRANSPORT_NOT_FOUND, "no transport " + request.transport() + " here"));
  }

  private static FenceReply reply(Party party, boolean fenced) {
    return fenced
        ? new FenceReply.Fenced()
        : new FenceReply.Refused(Refusal.NOT_NOW, party.id + " cannot promise it now");
  }

  /** On the supervisor: a transport that was closed meanwhile is not asked. */
  private void ask(Party party, FenceRequest request, Consumer<FenceReply> answer) {
    if (last.isPresent()) {
      answer.accept(last.get());
    } else {
      party.fence.accept(request.link(), fenced -> answer.accept(reply(party, fenced)));
    }
  }
}
