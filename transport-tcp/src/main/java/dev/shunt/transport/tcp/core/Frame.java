package dev.shunt.transport.tcp.core;

/** The numbers of the wire's frames; what they mean stands in the package's documentation. */
public final class Frame {
  /** Bytes of a header. */
  public static final int HEADER = 48;

  /** Bytes for the remote's memory follow. */
  public static final int WRITE = 1;

  /** Asks for bytes of the remote's memory. */
  public static final int READ = 2;

  /** Another link is to be refused from here on. */
  public static final int FENCE = 3;

  /** Answers writes, fences and pings. */
  public static final int ACK = 4;

  /** Answers a read. */
  public static final int DATA = 5;

  /** The last frame of a responder that ends a stream. */
  public static final int BYE = 6;

  /** Asks for an answer and nothing else; from version 2 on. */
  public static final int PING = 7;

  /**
   * The flag, of a preamble, its answer, and frames with a payload, that speaks of payload
   * checksums.
   */
  public static final int CHECKSUM = 1;

  /** The status of what was applied. */
  public static final int OK = 0;

  /** No registration holds the range. */
  public static final int RANGE = 1;

  /** The registration does not allow the operation. */
  public static final int ACCESS = 2;

  /** The key is that of another registration. */
  public static final int KEY = 3;

  /** The payload that arrived, and was applied, does not match its checksum. */
  public static final int DAMAGED = 4;

  private Frame() {}
}
