package dev.shunt.runtime.peer;

import dev.shunt.api.Failure;
import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.PeerHealth;
import dev.shunt.api.spi.Remote;
import dev.shunt.runtime.control.Acquaintances.Acquaintance;
import dev.shunt.runtime.control.ControlService;
import dev.shunt.runtime.transport.Steward;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Nodes whose control plane does not answer, as far as it concerns transfers: their channels have a
 * word of their own. Any thread.
 */
public final class Silence {
  /** So often one is asked, however many requests are refused. */
  private static final long TRIAL = 1_000_000_000L;

  private final ControlService calls;
  private final Steward steward;
  private final Renewing times;
  private final Function<String, RemoteState> known;
  private final Consumer<RemoteState> ask;
  private final Set<Remote.Node> waitedFor = ConcurrentHashMap.newKeySet();
  private final Set<Remote.Node> tried = ConcurrentHashMap.newKeySet();

  /**
   * @param known the node of a name, or null; on the steward's thread
   * @param ask asks one whether it is there; on the steward's thread
   */
  Silence(
      ControlService calls,
      Steward steward,
      Renewing times,
      Function<String, RemoteState> known,
      Consumer<RemoteState> ask) {
    this.known = known;
    this.ask = ask;
    this.calls = calls;
    this.steward = steward;
    this.times = times;
  }

  void met(RemoteState state) {
    calls.acquaintances().met(acquaintance(state));
  }

  void forget(RemoteState state) {
    calls.acquaintances().forget(acquaintance(state));
  }

  private static Acquaintance acquaintance(RemoteState state) {
    return new Acquaintance(state.remote().name(), state.generation(), state.control());
  }

  /** What is known of a node whose control plane does not answer; empty if it does. */
  public Optional<PeerHealth.Unreachable> unreachable(RemoteState state) {
    return calls.unreachable(state.control());
  }

  /**
   * Why nothing new is begun towards a node: its control plane does not answer, and no channel is
   * up. Null if there is no reason. Cheap where all answer.
   */
  public Failure refusal(RemoteState state) {
    var mark = calls.unreachable(state.control());
    if (mark.isEmpty() || channelsTo(state)) {
      return null;
    }
    if (mark.get().until() - times.now() <= 0) {
      tryAgain(state);
    }
    return Failure.of(
        FailureCode.UNREACHABLE, state.remote().name() + ": " + calls.describe(mark.get()));
  }

  /** A cooldown has ended, so that one call may go through: it decides for transfers, too. */
  private void tryAgain(RemoteState state) {
    if (state.remote() instanceof Remote.Node node && tried.add(node)) {
      steward.execute(
          () -> {
            ask.accept(state);
            steward.at(times.now() + TRIAL, () -> tried.remove(node));
          });
    }
  }

  static boolean channelsTo(RemoteState state) {
    for (var way : state.ways()) {
      if (way.route().channels().get() > 0) {
        return true;
      }
    }
    return false;
  }

  /**
   * A channel to a node was asked for. Where it takes as long as a probe may, the node is asked
   * over its control plane: so it is known by the end of the first transfer that it does not
   * answer, and the next one does not wait as well.
   *
   * @param patience how long a probe may take, in nanoseconds
   */
  public void connecting(Remote.Node node, long patience) {
    if (waitedFor.add(node)) {
      steward.execute(() -> steward.at(times.now() + patience, () -> look(node)));
    }
  }

  private void look(Remote.Node node) {
    waitedFor.remove(node);
    var state = known.apply(node.name());
    if (state != null
        && state.remote().equals(node)
        && state.stale() == null
        && !channelsTo(state)) {
      ask.accept(state);
    }
  }
}
