package dev.shunt.api.spi;

import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;

/** A transport cannot do what it was asked for at once: a rail, a registration, a library. */
public final class TransportException extends ShuntException {
  private static final long serialVersionUID = 1L;

  /** With what, where, and what would be right. */
  public TransportException(FailureCode code, String message) {
    super(code, message);
  }

  /** With what lies beneath. */
  public TransportException(FailureCode code, String message, Throwable cause) {
    super(code, message, cause);
  }
}
