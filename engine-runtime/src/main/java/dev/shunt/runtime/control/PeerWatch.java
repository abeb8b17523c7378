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

  /** Who is silent again so soon after it was forgiven is no news. */
  private static final long NO_NEWS = 60_000_000_000L;

  private static final int MOST_TOLD = 4096;

  private final PeerHealth machine;
  private final Journal journal;
  private final Acquaintances known;
  private final Consumer<String> newlySilent;
  private final PeerTales tales;
  private final Set<String> toldOf = new HashSet<>();

  /** Who was told to be unreachable, and was not heard of since: marked still, or forgiven. */
  private final LinkedHashMap<String, Told> told = new LinkedHashMap<>();

  private final Map<String, Long> heard = new HashMap<>();
  private volatile Map<String, Unreachable> marked = Map.of();

  private record Told(String name, long since, boolean forgiven, long forgivenAt) {}

  /**
   * Nobody is marked.
   *
   * @param tales tells people
   * @param newlySilent hears of an address that is not called any more
   */
  PeerWatch(
      PeerHealth machine,
      Journal journal,
      Acquaintances known,
      PeerTales tales,
      Consumer<String> newlySilent) {
    this.tales = tales;
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
   * @param incidental whether it was only to be told of something: that one is gone whom this node
   *     never met is nothing that people have to hear of
   */
  void silent(String address, String why, long begun, long now, boolean incidental) {
    var generation = known.at(address).map(Acquaintance::generation).orElse(0L);
    var before = marked.containsKey(address);
    machine.silent(address, generation, why, begun, now);
    if (!before) {
      refresh(now);
    }
    var mark = marked.get(address);
    if (mark == null) {
      return;
    }
    if (!incidental || known.at(address).isPresent()) {
      lost(mark, now);
    } else if (!before) {
      LOG.debug("{} is not there to be told of anything: {}", address, why);
    }
    if (!before) {
      newlySilent.accept(address);
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
      takeOver(now);
    }
    var before = told.remove(address);
    if (before != null) {
      found(address, before, now);
    }
  }

  /** This process stood still. */
  void stoodStill(long nanos, long now) {
    LOG.warn(
        "this process stood still for {} ms: what seemed silent meanwhile is not blamed",
        nanos / 1_000_000);
    journal.stoodStill(nanos);
    machine.stoodStill(nanos, now);
    // To be forgiven is not to answer: whether it is reachable shows when it is called again.
    for (var address : takeOver(now)) {
      told.computeIfPresent(
          address, (a, known) -> new Told(known.name(), known.since(), true, now));
    }
  }

  /** Takes over what the machine says. Of one whose mark is too old nothing is known any more. */
  void refresh(long now) {
    for (var address : takeOver(now)) {
      LOG.debug("nothing is known of {} any more, which was unreachable", address);
      forget(told.remove(address));
    }
  }

  /** What was left of marks is told. */
  void close() {
    tales.flush();
  }

  /** Answers with the addresses that are marked no longer. */
  private List<String> takeOver(long now) {
    var latest = new LinkedHashMap<String, Unreachable>();
    for (var mark : machine.unreachable(now)) {
      latest.put(mark.address(), mark);
    }
    var gone = marked.keySet().stream().filter(it -> !latest.containsKey(it)).toList();
    marked = latest;
    return gone;
  }

  private void lost(Unreachable mark, long now) {
    var address = mark.address();
    var peer = peer(address);
    var before = told.get(address);
    if (before == null || (before.forgiven() && now - before.forgivenAt() > NO_NEWS)) {
      tales.lost(place(address, peer), mark.why() + otherwise(peer), now);
    }
    if (before == null || before.forgiven()) {
      var since = before == null ? mark.since() : before.since();
      told.put(address, new Told(peer.name(), since, false, 0));
      if (told.size() > MOST_TOLD) {
        forget(told.pollFirstEntry().getValue());
      }
    }
    if (marked.keySet().containsAll(peer.addresses()) && toldOf.add(peer.name())) {
      journal.peer(Change.PEER_UNREACHABLE, peer.name(), peer.generation(), mark.why());
    }
  }

  private void forget(Told before) {
    if (before != null) {
      toldOf.remove(before.name());
    }
  }

  private void found(String address, Told before, long now) {
    var peer = peer(address);
    var span = seconds(now - before.since());
    tales.back(place(address, peer), span, now);
    // It may have been told of by its address, before its name was known.
    if (toldOf.remove(before.name()) | toldOf.remove(peer.name())) {
      journal.peer(Change.PEER_REACHABLE, peer.name(), peer.generation(), "after " + span);
    }
  }

  /** Where it is called meanwhile. */
  private String otherwise(Acquaintance peer) {
    var others = peer.addresses().stream().filter(it -> !marked.containsKey(it)).toList();
    return others.isEmpty() ? "" : "; it is called at " + String.join(" or ", others);
  }

  /** Under p2p a node is called by one of its addresses, which needs no second telling. */
  private static String place(String address, Acquaintance peer) {
    return address.equals(peer.name()) ? address : address + " of " + peer.name();
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
