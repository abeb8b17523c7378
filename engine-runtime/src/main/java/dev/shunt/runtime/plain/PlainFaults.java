package dev.shunt.runtime.plain;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Fault.Effect;
import dev.shunt.api.spi.RetireReason;
import dev.shunt.api.spi.WireException;
import java.util.List;

/** What went wrong with a connection, in the runtime's terms. */
final class PlainFaults {
  /** What Linux says when this node's own side has no way out. */
  private static final List<String> OURS =
      List.of("Network is down", "Network is unreachable", "Cannot assign requested address");

  private PlainFaults() {}

  static Fault none(Blame blame, FailureCode code, String text) {
    return new Fault(blame, code, Effect.NONE, text);
  }

  private static Fault possible(Blame blame, FailureCode code, String text) {
    return new Fault(blame, code, Effect.POSSIBLE, text);
  }

  static Fault of(WireException broken) {
    var text = String.valueOf(broken.getMessage());
    var cause = broken.getCause() == null ? "" : String.valueOf(broken.getCause().getMessage());
    boolean ours = OURS.stream().anyMatch(it -> text.contains(it) || cause.contains(it));
    return possible(ours ? Blame.LOCAL : Blame.REMOTE, FailureCode.CONNECTION, text);
  }

  static Fault defect(RuntimeException thrown) {
    return possible(Blame.LOCAL, FailureCode.INTERNAL, "a defect of the transport tent: " + thrown);
  }

  static Fault closed() {
    return possible(Blame.NEUTRAL, FailureCode.CLOSED, "the engine was closed");
  }

  static Fault of(RetireReason reason) {
    var code =
        switch (reason) {
          case CLOSED -> FailureCode.CLOSED;
          case STALE_GENERATION -> FailureCode.STALE_GENERATION;
          case PROTOCOL -> FailureCode.PROTOCOL;
          case STALLED, RAIL_INACTIVE, EVICTED -> FailureCode.CONNECTION;
        };
    var text =
        switch (reason) {
          case CLOSED -> "the engine, or the segment, was closed";
          case STALLED -> "the connection was given up: a request was not answered in time";
          case RAIL_INACTIVE -> "the connection was given up with its rail";
          case STALE_GENERATION -> "the remote is another process now";
          case EVICTED -> "the connection was idle, and made room for others";
          case PROTOCOL -> "the connection was given up: the remote broke the protocol";
        };
    return possible(Blame.NEUTRAL, code, text);
  }
}
