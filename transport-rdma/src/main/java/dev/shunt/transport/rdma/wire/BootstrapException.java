package dev.shunt.transport.rdma.wire;

/** What came is no handshake; the message says where, and what would be right. */
public final class BootstrapException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Says what is wrong. */
  public BootstrapException(String message) {
    super(message);
  }
}
