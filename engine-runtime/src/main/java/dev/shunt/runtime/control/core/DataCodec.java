package dev.shunt.runtime.control.core;

/**
 * What SendData and RecvData begin with: the first byte's address and the length, 64 bits each,
 * unsigned, the least byte first. In SendData so many bytes of payload follow; RecvData is answered
 * with so many.
 */
public final class DataCodec {
  /** Bytes of the head. */
  public static final int HEAD = 16;

  /** The most bytes of payload that the 32 bits of a frame's attachment can announce. */
  public static final long MAX_SENT = 0xffff_ffffL - HEAD;

  /** The most bytes that TENT reads at a time. */
  public static final long MAX_RECEIVED = 1L << 30;

  private static final int LENGTH_AT = 8;

  private DataCodec() {}

  /** A head. */
  public static byte[] head(long address, long length) {
    var head = new byte[HEAD];
    LittleEndian.putLong(head, 0, address);
    LittleEndian.putLong(head, LENGTH_AT, length);
    return head;
  }

  /** The address of a head. */
  public static long address(byte[] head) {
    return LittleEndian.getLong(head, 0);
  }

  /** The length of a head: unchecked, and unsigned. */
  public static long length(byte[] head) {
    return LittleEndian.getLong(head, LENGTH_AT);
  }
}
