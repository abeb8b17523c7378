package dev.shunt.api.spi;

import java.io.IOException;

/** A stream could not be made, or broke. */
public final class WireException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Says what broke, and between whom. */
  public WireException(String message, IOException cause) {
    super(message, cause);
  }

  /** Without a cause. */
  public WireException(String message) {
    super(message);
  }
}
