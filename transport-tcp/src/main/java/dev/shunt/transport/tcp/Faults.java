package dev.shunt.transport.tcp;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.RetireReason;
import dev.shunt.api.spi.WireException;
import dev.shunt.transport.tcp.core.Answer;
import dev.shunt.transport.tcp.core.Preamble;
import java.util.List;

/** What went wrong, in the runtime's terms. */
final class Faults {
  /** What Linux says when this node's own side has no way out. */
  private static final List<String> OURS =
      List.of("Network is down", "Network is unreachable", "Cannot assign requested address");

  private Faults() {}

  static Fault none(Fault.Blame blame, FailureCode code, String text) {
    return new Fault(blame, code, Fault.Effect.NONE, text);
  }

  static Fault possible(Fault.Blame blame, FailureCode code, String text) {
    return new Fault(blame, code, Fault.Effect.POSSIBLE, text);
  }

  static Fault of(WireException broken) {
    var text = String.valueOf(broken.getMessage());
    var cause = broken.getCause() == null ? "" : String.valueOf(broken.getCause().getMessage());
    boolean ours = OURS.stream().anyMatch(it -> text.contains(it) || cause.contains(it));
    return possible(ours ? Fault.Blame.LOCAL : Fault.Blame.REMOTE, FailureCode.CONNECTION, text);
  }

  static Fault internal(RuntimeException defect) {
    return possible(
        Fault.Blame.LOCAL, FailureCode.INTERNAL, "a defect of the transport: " + defect);
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
          case STALLED -> "the stream was given up: a slice made no progress";
          case RAIL_INACTIVE -> "the stream was given up with its rail";
          case STALE_GENERATION -> "the remote is another process now";
          case EVICTED -> "the stream was idle, and made room for others";
          case PROTOCOL -> "the stream was given up: the remote broke the protocol";
        };
    return possible(Fault.Blame.NEUTRAL, code, text);
  }

  static Fault of(Answer answer, long expected) {
    return switch (answer.status()) {
      case STALE_GENERATION ->
          refused(
              Fault.Blame.NEUTRAL,
              FailureCode.STALE_GENERATION,
              "it is of generation " + answer.generation() + ", and not " + expected,
              answer);
      case VERSION ->
          refused(
              Fault.Blame.NEUTRAL,
              FailureCode.CAPABILITY,
              "it speaks tcp.stream "
                  + answer.lowest()
                  + " to "
                  + answer.highest()
                  + "; this node speaks 1 to "
                  + Preamble.VERSION,
              answer);
      case BUSY ->
          refused(
              Fault.Blame.REMOTE,
              FailureCode.CONNECTION,
              "it serves as many streams as it may (max-inbound-streams)",
              answer);
      case FENCED ->
          refused(Fault.Blame.NEUTRAL, FailureCode.CONNECTION, "the link was fenced", answer);
      case WRONG_RAIL ->
          refused(
              Fault.Blame.REMOTE,
              FailureCode.PROTOCOL,
              "another of its rails listens at that address",
              answer);
      case DUPLICATE ->
          refused(Fault.Blame.NEUTRAL, FailureCode.PROTOCOL, "the link is up already", answer);
      case MALFORMED ->
          refused(Fault.Blame.LOCAL, FailureCode.PROTOCOL, "the preamble made no sense", answer);
      case WELCOME, UNKNOWN ->
          refused(Fault.Blame.REMOTE, FailureCode.PROTOCOL, "its answer makes no sense", answer);
    };
  }

  private static Fault refused(Fault.Blame blame, FailureCode code, String why, Answer answer) {
    return new Fault(
        blame,
        code,
        Fault.Effect.NONE,
        "the remote refused the stream: " + why,
        answer.status().ordinal());
  }
}
