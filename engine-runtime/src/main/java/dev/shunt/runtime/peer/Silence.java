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

/**
 * Nodes whose control plane does not answer, as far as it concerns transfers: their channels have a
 * word of their own. Any thread.
 */
public final class Silence {
  private final ControlService calls;
  private final Steward steward;
  private final Renewing times;
  private final Set<Remote.Node> waitedFor = ConcurrentHashMap.newKeySet();

  Silence(ControlService calls, Steward steward, Renewing times) {
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
    if (mark.isEmpty() || mark.get().until() - times.now() <= 0 || channelsTo(state)) {
      return null;
    }
    return Failure.of(
        FailureCode.UNREACHABLE, state.remote().name() + ": " + calls.describe(mark.get()));
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
   * Looks after a channel that was asked for, once for many of them.
   *
   * @param patience after so many nanoseconds
   * @param look on the steward's thread
   */
  void connecting(Remote.Node node, long patience, Runnable look) {
    if (waitedFor.add(node)) {
      steward.execute(
          () ->
              steward.at(
                  times.now() + patience,
                  () -> {
                    waitedFor.remove(node);
                    look.run();
                  }));
    }
  }
}
