package dev.shunt.runtime.json;

import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;

/** A text or frame of another node is not what it has to be. The message says what and where. */
public final class MalformedException extends ShuntException {
  private static final long serialVersionUID = 1L;

  /** What is wrong, where, and what would be right. */
  public MalformedException(String message) {
    super(FailureCode.PROTOCOL, message);
  }

  /** With what lies beneath. */
  public MalformedException(String message, Throwable cause) {
    super(FailureCode.PROTOCOL, message, cause);
  }
}
