package dev.shunt.runtime.control.core;

import dev.shunt.api.FailureCode;

/**
 * Error codes of the framing, and how a code of ours travels in one: an error's text begins with
 * the code's name and a colon, which a TENT peer shows as part of the text.
 */
public final class RpcError {
  /** The call took too long on the answering side. */
  public static final int TIMED_OUT = 3;

  /** The argument in the body is not the one of this function. */
  public static final int INVALID_ARGUMENTS = 4;

  /** The handler refused. */
  public static final int THROWN = 10;

  /** The hash names no function. */
  public static final int NOT_REGISTERED = 11;

  /** A length is above what is taken. */
  public static final int TOO_LARGE = 14;

  private static final int MAX_TEXT = 2048;

  private RpcError() {}

  /** The text of a refusal of ours. */
  public static String text(FailureCode code, String text) {
    var whole = code.name() + ": " + text;
    return whole.length() <= MAX_TEXT ? whole : whole.substring(0, MAX_TEXT);
  }

  /** What a peer's error means to us. */
  public static FailureCode code(int error, String text) {
    var colon = text.indexOf(": ");
    if (colon > 0) {
      var name = text.substring(0, colon);
      for (var code : FailureCode.values()) {
        if (code.name().equals(name)) {
          return code;
        }
      }
    }
    return switch (error) {
      case TIMED_OUT -> FailureCode.DEADLINE;
      case NOT_REGISTERED -> FailureCode.UNSUPPORTED;
      case TOO_LARGE -> FailureCode.RESOURCE;
      default -> FailureCode.PROTOCOL;
    };
  }
}
