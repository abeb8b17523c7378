package dev.shunt.transport.rdma.verbs;

/** There are no verbs on this machine, or in this process; the message has reason and remedy. */
public final class VerbsUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** With reason and remedy. */
  public VerbsUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
