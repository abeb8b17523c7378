package dev.shunt.runtime.control;

import dev.shunt.api.spi.PeerHealth;
import dev.shunt.api.spi.PeerHealth.Unreachable;
import dev.shunt.runtime.control.Acquaintances.Acquaintance;
import dev.shunt.runtime.observe.Change;
import dev.shunt.runtime.observe.Journal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which peers' control planes do not answer, as the policy's machine has it: asked before each
 * call, told of what came of it. On the control thread, but for {@link #unreachable}.
 */
final class PeerWatch {
  private static final Logger LOG = LoggerFactory.getLogger(PeerWatch.class);

  /** Who gives a peer less time than this learns nothing of it by its silence. */
  static final long PATIENCE = 100_000_000L;

  private final PeerHealth machine;
  private final Journal journal;
  private final Acquaintances known;
  private final Consumer<String> newlySilent;
  private final Set<String> toldOf = new HashSet<>();
  private final Map<String, Long> heard = new HashMap<>();
  private volatile Map<String, Unreachable> marked = Map.of();

  /**
   * Nobody is marked.
   *
   * @param newlySilent hears of an address that is not called any more
   */
  PeerWatch(
      PeerHealth machine, Journal journal, Acquaintances known, Consumer<String> newlySilent) {
    this.machine = machine;
    this.journal = journal;
    this.known = known;
    this.newlySilent = newlySilent;
  }

  /** Why an address is not to be called now; empty if it may be. */
  Optional<String> refusal(String address, long now) {
    return machine.admit(address, now).map(mark -> text(mark, now));
  }

  /**
   * No connection, or no answer in time.
   *
   * @param begun when it was asked
   */
  void silent(String address, String why, long begun, long now) {
    var generation = known.at(address).map(Acquaintance::generation).orElse(0L);
    machine.silent(address, generation, why, begun, now);
    if (!marked.containsKey(address)) {
      refresh(now);
      if (marked.containsKey(address)) {
        newlySilent.accept(address);
      }
    }
  }

  /** A probe had no answer. */
  void unanswered(String address, String why, long now) {
    machine.unanswered(address, why, now);
  }

  /** Something came from an address. */
  void answered(String address, long now) {
    machine.answered(address, now);
    if (known.at(address).isPresent()) {
      heard.put(address, now);
    }
    if (marked.containsKey(address)) {
      refresh(now);
    }
  }

  /** This process stood still. */
  void stoodStill(long nanos, long now) {
    LOG.warn(
        "this process stood still for {} ms: what seemed silent meanwhile is not blamed",
        nanos / 1_000_000);
    journal.stoodStill(nanos);
    machine.stoodStill(nanos, now);
    refresh(now);
  }

  /** Takes over what the machine says, and tells what changed. */
  void refresh(long now) {
    var latest = new LinkedHashMap<String, Unreachable>();
    for (var mark : machine.unreachable(now)) {
      latest.put(mark.address(), mark);
    }
    var before = marked;
    marked = latest;
    for (var mark : latest.values()) {
      if (!before.containsKey(mark.address())) {
        lost(mark);
      }
    }
    for (var mark : before.values()) {
      if (!latest.containsKey(mark.address())) {
        found(mark, now);
      }
    }
  }

  private void lost(Unreachable mark) {
    var peer = peer(mark.address());
    LOG.warn("{} is unreachable: {}", place(mark, peer), mark.why());
    if (marked.keySet().containsAll(peer.addresses()) && toldOf.add(peer.name())) {
      journal.peer(Change.PEER_UNREACHABLE, peer.name(), peer.generation(), mark.why());
    }
  }

  private void found(Unreachable mark, long now) {
    var peer = peer(mark.address());
    var span = seconds(now - mark.since());
    LOG.info("{} is reachable again, after {}", place(mark, peer), span);
    if (toldOf.remove(peer.name())) {
      journal.peer(Change.PEER_REACHABLE, peer.name(), peer.generation(), "after " + span);
    }
  }

  /** Under p2p a node is called by one of its addresses, which needs no second telling. */
  private static String place(Unreachable mark, Acquaintance peer) {
    return mark.address().equals(peer.name())
        ? mark.address()
        : mark.address() + " of " + peer.name();
  }

  /** One that was not met is no more than its address. */
  private Acquaintance peer(String address) {
    return known.at(address).orElseGet(() -> new Acquaintance(address, 0, List.of(address)));
  }

  /**
   * The mark of a peer, none of whose addresses may be called: the one that was made last. Any
   * thread, and cheap where nobody is marked.
   */
  Optional<Unreachable> unreachable(List<String> addresses) {
    var now = marked;
    if (now.isEmpty()) {
      return Optional.empty();
    }
    Unreachable last = null;
    for (var address : addresses) {
      var mark = now.get(address);
      if (mark == null) {
        return Optional.empty();
      }
      last = last == null || mark.since() - last.since() > 0 ? mark : last;
    }
    return Optional.ofNullable(last);
  }

  /** Addresses of Shunt nodes that were met, and of which nothing was heard since a time. */
  List<String> quiet(long since) {
    heard.keySet().removeIf(address -> known.at(address).isEmpty());
    return known.all().stream()
        .filter(node -> node.generation() != 0)
        .flatMap(node -> node.addresses().stream())
        .filter(address -> !marked.containsKey(address))
        .filter(address -> !heard.containsKey(address) || heard.get(address) - since < 0)
        .toList();
  }

  Optional<Unreachable> mark(String address) {
    return Optional.ofNullable(marked.get(address));
  }

  /** What somebody is told who is not let through. */
  static String text(Unreachable mark, long now) {
    var next = mark.nextProbe() - now;
    return mark.address()
        + " is unreachable since "
        + seconds(now - mark.since())
        + " ago ("
        + mark.why()
        + "); next probe "
        + (next <= 0 ? "now" : "in " + seconds(next));
  }

  private static String seconds(long nanos) {
    return String.format(Locale.ROOT, "%.3f s", nanos / 1e9);
  }
}
