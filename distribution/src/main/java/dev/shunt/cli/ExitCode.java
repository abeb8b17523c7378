package dev.shunt.cli;

import dev.shunt.api.FailureCode;

/** What the process tells its caller. The numbers stay. */
enum ExitCode {
  /** Done. */
  OK(0),
  /** What was asked did not come about. */
  FAILED(1),
  /** The command line is wrong. */
  USAGE(2),
  /** The configuration is wrong. */
  CONFIGURATION(3),
  /** The peer was not reached, or is not what it was. */
  UNREACHABLE(4),
  /** A node stopped, and transfers or memory of its own were left. */
  UNFINISHED(5),
  /** A defect of Shunt or of a plug-in. */
  DEFECT(70);

  private final int number;

  ExitCode(int number) {
    this.number = number;
  }

  /** For {@link System#exit}. */
  int number() {
    return number;
  }

  /** The one for a failure. */
  static ExitCode of(FailureCode code) {
    return switch (code) {
      case CONFIGURATION -> CONFIGURATION;
      case UNREACHABLE, CONNECTION, HANDSHAKE, STALE_GENERATION, UNKNOWN_SEGMENT, NO_RAIL ->
          UNREACHABLE;
      case INTERNAL -> DEFECT;
      case REJECTED,
          BUSY,
          DEADLINE,
          UNKNOWN_EFFECT,
          UNKNOWN_DELIVERY,
          REMOTE_RANGE,
          REMOTE_ACCESS,
          REMOTE_DEVICE,
          CAPABILITY,
          DEVICE,
          PROTOCOL,
          CHECKSUM,
          RESOURCE,
          CANCELLED,
          CLOSED,
          UNSUPPORTED ->
          FAILED;
    };
  }
}
