package dev.shunt.runtime.peer;

import dev.shunt.api.Failure;
import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.RetireReason;
import dev.shunt.runtime.transport.TransportHost;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What is known of a remote as of one generation: never changed for another one, but replaced. Any
 * thread may read it.
 */
public final class RemoteState {
  private final Remote remote;
  private final List<String> control;
  private final Optional<TransportHost.Home> home;
  private volatile RemoteView view;
  private final AtomicBoolean renewalAsked = new AtomicBoolean();
  private volatile Failure stale;

  /**
   * A remote that was just met.
   *
   * @param control where its control plane listens; empty for a target
   * @param home the way there; empty if no transport reaches it
   * @param view its memory
   */
  RemoteState(
      Remote remote, List<String> control, Optional<TransportHost.Home> home, RemoteView view) {
    this.remote = remote;
    this.control = List.copyOf(control);
    this.home = home;
    this.view = view;
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

  /** The way there. */
  public Optional<TransportHost.Home> home() {
    return home;
  }

  /** Its memory, as its descriptor told last. */
  public RemoteView view() {
    return view;
  }

  /** Its descriptor was read again. */
  void view(RemoteView latest) {
    view = latest;
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

  /** It is another process by now: what is under way ends, and nothing is sent to it again. */
  void retire(String text) {
    var failure =
        Failure.of(
            FailureCode.STALE_GENERATION,
            remote.name() + " is another process by now, open the segment again: " + text);
    stale = failure;
    home.ifPresent(
        way -> {
          way.route().stale(failure);
          way.lane()
              .retire(
                  way.route(), failure.code(), failure.message(), RetireReason.STALE_GENERATION);
          way.host().paths().forget(remote.name());
        });
  }
}
