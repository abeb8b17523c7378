package dev.shunt.runtime.peer;

import dev.shunt.api.Failure;
import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.RemoteRail;
import dev.shunt.api.spi.RetireReason;
import dev.shunt.runtime.control.core.EchoPage;
import dev.shunt.runtime.descriptor.DescribedEcho;
import dev.shunt.runtime.descriptor.Descriptor;
import dev.shunt.runtime.descriptor.Extension;
import dev.shunt.runtime.memory.RegisteredBuffer;
import dev.shunt.runtime.transfer.core.RailOrder;
import dev.shunt.runtime.transport.EchoPartner;
import dev.shunt.runtime.transport.TransportHost;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/**
 * What is known of a remote as of one generation: never changed for another one, but replaced. Any
 * thread may read it.
 */
public final class RemoteState {
  private final Remote remote;
  private final List<String> control;
  private final TransportHost.Home[] ways;
  private volatile RemoteView view;
  private volatile Optional<DescribedEcho> echo = Optional.empty();
  private long revision;
  private final AtomicBoolean renewalAsked = new AtomicBoolean();
  private volatile Failure stale;
  private boolean closing;

  /**
   * A remote that was just met.
   *
   * @param control where its control plane listens; empty for a target
   * @param ways there, the preferred ones first; none if no transport reaches it
   * @param view its memory
   */
  RemoteState(Remote remote, List<String> control, List<TransportHost.Home> ways, RemoteView view) {
    this.remote = remote;
    this.control = List.copyOf(control);
    this.ways = ways.toArray(TransportHost.Home[]::new);
    this.view = view;
    for (int i = 0; i < this.ways.length; i++) {
      this.ways[i].route().detour(new Bypass(this, i));
    }
  }

  /** Who it is. */
  public Remote remote() {
    return remote;
  }

  /** Its generation; 0 for a target, and for a plain peer. */
  public long generation() {
    return remote instanceof Remote.Node node ? node.generation() : 0;
  }

  /** Whether it is a node to which nothing but TENT's own protocol is spoken. */
  public boolean plain() {
    return remote instanceof Remote.Node node && node.generation() == 0;
  }

  /** Where its control plane listens. */
  public List<String> control() {
    return control;
  }

  /** The preferred way there. */
  public Optional<TransportHost.Home> home() {
    return ways.length == 0 ? Optional.empty() : Optional.of(ways[0]);
  }

  /** All ways there, the preferred ones first. */
  public List<TransportHost.Home> ways() {
    return List.of(ways);
  }

  /** How many ways there are. */
  int count() {
    return ways.length;
  }

  /** One of the ways, by its place. */
  public TransportHost.Home way(int place) {
    return ways[place];
  }

  /** Whether any way carries writes, or reads. */
  public boolean carries(boolean write) {
    for (var way : ways) {
      if (carries(way, write)) {
        return true;
      }
    }
    return false;
  }

  /** Whether an order leaves no rail. */
  static boolean none(RailOrder order) {
    return order != null && order.isEmpty();
  }

  static boolean carries(TransportHost.Home way, boolean write) {
    return write || way.host().worker().limits().reads();
  }

  /**
   * The way that a request goes by: the first that reaches the memory on both sides, and of which
   * nothing bad is known. Where something is known of each it is the first.
   *
   * @param buffer the remote's, by its place in a view
   * @return its place, or -1 if none reaches it
   */
  public int choose(boolean write, RemoteView seen, int buffer, RegisteredBuffer local, long now) {
    int first = -1;
    for (int i = 0; i < ways.length; i++) {
      var way = ways[i];
      if (carries(way, write)
          && seen.keys(buffer, i) != null
          && local.keys(way.host().index()).length > 0
          && !none(way.host().order(local.location()))
          && !none(seen.order(buffer, i))) {
        if (way.host().anyRail() && way.route().standing().takes(now)) {
          return i;
        }
        first = first < 0 ? i : first;
      }
    }
    return first;
  }

  /** Its memory, as its descriptor told last. */
  public RemoteView view() {
    return view;
  }

  /**
   * Its descriptor was read again: its memory, its rails and its page for echoes. One that was
   * overtaken by what is known is left alone. On the steward's thread.
   */
  void renew(Descriptor descriptor) {
    var told = descriptor.extension();
    var latest = told.map(Extension::revision).orElse(0L);
    if (latest > 0 && latest < revision) {
      return;
    }
    revision = latest;
    view = Ways.view(ways(), descriptor);
    echo = told.flatMap(Extension::echo);
    for (var way : ways) {
      Ways.renew(way, descriptor);
    }
  }

  /**
   * What a check of our rails reads of it by a transport, if it lends something.
   *
   * @param silent whether a control plane at such addresses is known not to answer
   */
  public Optional<EchoPartner> partner(String transport, Predicate<List<String>> silent) {
    if (stale != null
        || !(remote instanceof Remote.Node node)
        || node.verdict().version(EchoPage.CAPABILITY) == 0) {
      return Optional.empty();
    }
    for (var way : ways) {
      if (way.host().id().equals(transport)) {
        var rails = way.route().rails();
        return echo.filter(page -> page.of(transport).size() == rails.size())
            .map(
                page ->
                    new EchoPartner(
                        node,
                        rails,
                        page.address(),
                        page.of(transport),
                        control,
                        out(way),
                        silent.test(control)));
      }
    }
    return Optional.empty();
  }

  private static List<Integer> out(TransportHost.Home way) {
    return way.route().rails().stream()
        .map(RemoteRail::index)
        .filter(way.route()::remoteInactive)
        .toList();
  }

  /** Whether it tells of a rail that it does not use. */
  boolean someRailOut() {
    for (var way : ways) {
      if (!out(way).isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /** Somebody wants its descriptor read again; answers whether nobody did so before. */
  boolean askRenewal() {
    return !renewalAsked.get() && renewalAsked.compareAndSet(false, true);
  }

  /** What was asked for is being done. */
  void renewalTaken() {
    renewalAsked.set(false);
  }

  /** Why it must not be used any more; null while it may. */
  public Failure stale() {
    return stale;
  }

  /**
   * It says that it closes: what is under way to it ends, by whatever way it goes. On the steward's
   * thread.
   *
   * @return whether it says so for the first time
   */
  boolean closes(String text) {
    var news = !closing;
    closing = true;
    var failure = Failure.of(FailureCode.CLOSED, remote.name() + " closes: " + text);
    for (var way : ways) {
      way.lane().endAll(way.route(), failure);
    }
    return news;
  }

  /** It is another process by now: what is under way ends, and nothing is sent to it again. */
  void retire(String text) {
    var failure =
        Failure.of(
            FailureCode.STALE_GENERATION,
            remote.name() + " is another process by now, open the segment again: " + text);
    stale = failure;
    // All are marked before any is told: what moves away from one finds the others retired.
    for (var way : ways) {
      way.route().stale(failure);
    }
    for (var way : ways) {
      way.lane()
          .retire(way.route(), failure.code(), failure.message(), RetireReason.STALE_GENERATION);
      way.host().paths().forget(remote.name());
    }
  }
}
