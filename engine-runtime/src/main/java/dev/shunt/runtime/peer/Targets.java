package dev.shunt.runtime.peer;

import dev.shunt.api.Access;
import dev.shunt.api.Engine.SegmentResult;
import dev.shunt.api.Failure;
import dev.shunt.api.Segment.RemoteBuffer;
import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.TargetOpening;
import dev.shunt.runtime.transfer.core.RailOrder;
import dev.shunt.runtime.transport.Steward;
import dev.shunt.runtime.transport.TransportHost;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** Opens what is no node, but a target of a transport's own. On the steward's thread. */
final class Targets {
  private final Object engine;
  private final Steward steward;
  private final Function<String, RemoteState> known;
  private final Consumer<RemoteState> keep;

  /**
   * Has opened none.
   *
   * @param engine whose segments these are
   * @param known the remote of a name, or null
   * @param keep takes one that is new
   */
  Targets(
      Object engine,
      Steward steward,
      Function<String, RemoteState> known,
      Consumer<RemoteState> keep) {
    this.engine = engine;
    this.steward = steward;
    this.known = known;
    this.keep = keep;
  }

  /** Opens one by the transport that claims its name; the answer comes once, by the deadline. */
  void open(TransportHost host, String name, long deadline, Consumer<SegmentResult> answer) {
    host.supervisorAgent()
        .execute(
            () ->
                host.worker()
                    .openTarget(
                        name,
                        deadline,
                        opening -> steward.execute(() -> opened(host, name, opening, answer))));
  }

  private void opened(
      TransportHost host, String name, TargetOpening opening, Consumer<SegmentResult> answer) {
    switch (opening) {
      case TargetOpening.Refused(var fault) ->
          answer.accept(
              new SegmentResult.Refused(Failure.of(fault.code(), name + ": " + fault.text())));
      case TargetOpening.Opened(var size, var block, var maxSlice, var rails) -> {
        var state = known.apply(name);
        if (state == null || state.stale() != null) {
          var remote = new Remote.Target(name);
          var whole = new RemoteBuffer(0, size, Access.REMOTE_READ_WRITE);
          state =
              new RemoteState(
                  remote,
                  List.of(),
                  List.of(host.route(remote, rails, maxSlice, block)),
                  new RemoteView(
                      List.of(whole), new long[][][] {{{}}}, new RailOrder[][] {{null}}, false));
          keep.accept(state);
        }
        answer.accept(new SegmentResult.Opened(new SegmentHandle(engine, name, block, state)));
      }
    }
  }
}
