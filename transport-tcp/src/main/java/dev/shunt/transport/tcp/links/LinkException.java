package dev.shunt.transport.tcp.links;

/** Interfaces cannot be watched in one way. */
final class LinkException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  LinkException(String message) {
    super(message);
  }

  LinkException(String message, Throwable cause) {
    super(message, cause);
  }
}
