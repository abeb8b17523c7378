package dev.shunt.api;

import java.util.Objects;

/**
 * The root of what this library throws. The code is for machines; the message tells what, where and
 * what would be right.
 */
public class ShuntException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final FailureCode code;

  /** With a code and a message. */
  public ShuntException(FailureCode code, String message) {
    this(code, message, null);
  }

  /** With what lies beneath. */
  public ShuntException(FailureCode code, String message, Throwable cause) {
    super(message, cause);
    this.code = Objects.requireNonNull(code);
  }

  /** What went wrong, for machines. */
  public final FailureCode code() {
    return code;
  }
}
