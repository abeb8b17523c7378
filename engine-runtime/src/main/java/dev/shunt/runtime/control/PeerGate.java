package dev.shunt.runtime.control;

import java.util.Optional;

/**
 * Which peers may be called, and what was heard of them: nothing is kept out where nobody watches.
 * On the control thread.
 */
final class PeerGate {
  private final ControlService service;
  private Optional<PeerWatch> watch = Optional.empty();
  private Optional<Prober> prober = Optional.empty();

  PeerGate(ControlService service) {
    this.service = service;
  }

  /** From now on somebody watches. */
  void watch(PeerWatch peers, Prober asks) {
    watch = Optional.of(peers);
    prober = Optional.of(asks);
  }

  /** Why an address is not to be called now; empty if it may be. */
  Optional<String> refusal(String address) {
    return watch.flatMap(peers -> peers.refusal(address, service.now()));
  }

  /** What is said of a marked address; empty if it is not marked. */
  Optional<String> mark(String address) {
    return watch
        .flatMap(peers -> peers.mark(address))
        .map(mark -> PeerWatch.text(mark, service.now()));
  }

  /** Something came from a peer. */
  void answered(Pool pool, long now) {
    watch.ifPresent(peers -> peers.answered(pool.route.address(), now));
  }

  /**
   * A peer did not let itself be heard. What time alone says counts only where it was given some,
   * and where this process did not stand still itself.
   */
  void silent(Outbound outbound, Call call, Loss loss, long now) {
    var heedless = loss.late() && now - outbound.since() < PeerWatch.PATIENCE;
    if (!loss.ours() && !heedless && !service.stoodStillNow()) {
      var address = outbound.pool.route.address();
      var incidental = call != null && call.incidental();
      watch.ifPresent(
          peers -> peers.silent(address, loss.why(), outbound.since(), now, incidental));
    }
  }

  /** An address was marked: of a process that stands still the question waits for its thaw. */
  void marked(String address) {
    prober.ifPresent(asks -> asks.ask(address, false));
  }

  /** A call was cut: the peer may be another process by now, or none. */
  void cut(Pool pool, Call call) {
    prober.ifPresent(asks -> asks.ask(pool.route.address(), call.incidental()));
  }

  /** How many probes are under way. Any thread. */
  int probesUnderWay() {
    return prober.map(Prober::underWay).orElse(0);
  }

  void close() {
    prober.ifPresent(Prober::close);
    watch.ifPresent(PeerWatch::close);
  }
}
