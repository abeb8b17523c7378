package dev.shunt.transport.tcp;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.RetireReason;
import dev.shunt.api.spi.TransportException;
import dev.shunt.api.spi.WireException;
import dev.shunt.transport.tcp.core.Answer;
import dev.shunt.transport.tcp.core.Preamble;
import java.util.List;
import java.util.Locale;

/** What went wrong, in the runtime's terms. */
final class Faults {
  /** What Linux says when this node's own side has no way out. */
  private static final List<String> OURS =
      List.of(
          "network is down",
          "network is unreachable",
          "cannot assign requested address",
          "no such device");

  /** What is said when the remote would not have a stream; all else is silence, or no way to it. */
  private static final List<String> ANSWERS = List.of("connection refused", "connection reset");

  private Faults() {}

  static Fault none(Fault.Blame blame, FailureCode code, String text) {
    return new Fault(blame, code, Fault.Effect.NONE, text);
  }

  static Fault possible(Fault.Blame blame, FailureCode code, String text) {
    return new Fault(blame, code, Fault.Effect.POSSIBLE, text);
  }

  /** A stream that was up broke. */
  static Fault of(WireException broken) {
    var text = String.valueOf(broken.getMessage());
    return possible(
        ours(broken) ? Fault.Blame.LOCAL : Fault.Blame.REMOTE, FailureCode.CONNECTION, text);
  }

  /** A stream could not be opened, as the network says. */
  static Fault unopened(WireException broken) {
    var remedy = Remedies.forConnecting(whole(broken));
    if (!remedy.isEmpty()) {
      return none(Fault.Blame.LOCAL, FailureCode.RESOURCE, broken.getMessage() + remedy);
    }
    var text = String.valueOf(broken.getMessage());
    if (ours(broken)) {
      return none(Fault.Blame.LOCAL, FailureCode.UNREACHABLE, text);
    }
    boolean answered = ANSWERS.stream().anyMatch(whole(broken).toLowerCase(Locale.ROOT)::contains);
    return none(
        Fault.Blame.REMOTE, answered ? FailureCode.CONNECTION : FailureCode.HANDSHAKE, text);
  }

  /** A stream broke that was connected, and not yet welcomed. */
  static Fault cutShort(WireException broken) {
    return none(
        ours(broken) ? Fault.Blame.LOCAL : Fault.Blame.REMOTE,
        FailureCode.HANDSHAKE,
        String.valueOf(broken.getMessage()));
  }

  private static boolean ours(WireException broken) {
    return OURS.stream().anyMatch(whole(broken).toLowerCase(Locale.ROOT)::contains);
  }

  /** A stream could not be opened, as this node's own side says. */
  static Fault unopened(TransportException refused) {
    var remedy = Remedies.forConnecting(whole(refused));
    var code = remedy.isEmpty() ? refused.code() : FailureCode.RESOURCE;
    return none(Fault.Blame.LOCAL, code, refused.getMessage() + remedy);
  }

  private static String whole(RuntimeException thrown) {
    return thrown.getMessage() + (thrown.getCause() == null ? "" : thrown.getCause().getMessage());
  }

  /** Whether a refusal of one stream is one of its whole link. */
  static boolean ofTheLink(Fault refusal) {
    return refusal.code() == FailureCode.STALE_GENERATION
        || refusal.vendorCode() == Answer.Status.FENCED.ordinal();
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
    var fault =
        switch (answer.status()) {
          case STALE_GENERATION ->
              none(
                  Fault.Blame.NEUTRAL,
                  FailureCode.STALE_GENERATION,
                  "it is of generation " + answer.generation() + ", and not " + expected);
          case VERSION ->
              none(
                  Fault.Blame.NEUTRAL,
                  FailureCode.CAPABILITY,
                  "it speaks tcp.stream "
                      + answer.lowest()
                      + " to "
                      + answer.highest()
                      + "; this node speaks "
                      + Preamble.LOWEST
                      + " to "
                      + Preamble.VERSION);
          case BUSY ->
              none(
                  Fault.Blame.REMOTE,
                  FailureCode.CONNECTION,
                  "it serves as many streams as it may (max-inbound-streams)");
          case CROWDED ->
              none(
                  Fault.Blame.REMOTE,
                  FailureCode.CONNECTION,
                  "this node has as much of that rail as one peer may (max-peer-streams,"
                      + " max-peer-requests, max-peer-bytes there)");
          case FENCED -> none(Fault.Blame.NEUTRAL, FailureCode.CONNECTION, "the link was fenced");
          case WRONG_RAIL ->
              none(
                  Fault.Blame.REMOTE,
                  FailureCode.PROTOCOL,
                  "another of its rails listens at that address");
          case DUPLICATE ->
              none(Fault.Blame.NEUTRAL, FailureCode.PROTOCOL, "the link is up already");
          case MALFORMED ->
              // Damage on the way looks like that: no reason to give up a rail of ours.
              none(Fault.Blame.REMOTE, FailureCode.PROTOCOL, "the preamble made no sense");
          case WELCOME, UNKNOWN ->
              none(Fault.Blame.REMOTE, FailureCode.PROTOCOL, "its answer makes no sense");
        };
    return new Fault(
        fault.blame(),
        fault.code(),
        fault.effect(),
        "the remote refused the stream: " + fault.text(),
        answer.status().ordinal());
  }
}
