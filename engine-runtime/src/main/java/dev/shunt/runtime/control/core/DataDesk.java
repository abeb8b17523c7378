package dev.shunt.runtime.control.core;

import dev.shunt.api.spi.Lease;
import dev.shunt.api.spi.Refusal;
import dev.shunt.api.spi.Regions;

/**
 * Judges SendData and RecvData before a byte moves: what may go where in this node's memory. The
 * order of its questions is that of TENT's server, and so is what it lets pass.
 *
 * @param regions the memory
 * @param maxRead most bytes of one RecvData
 * @param maxWrite most bytes of one SendData
 */
public record DataDesk(Regions regions, long maxRead, long maxWrite) {
  private static final String SEND = "SendData failed: ";
  private static final String RECV = "RecvData failed: ";
  private static final String NO_BUFFER = "target address not in registered buffer";
  private static final String FORBIDDEN = "the registered buffer does not allow it";
  private static final String TOO_LONG = "length exceeds maximum allowed: ";
  private static final String SHORT = "request too short; it begins with 16 bytes of head";

  /** What a refusal of its own is to machines. */
  static Refusal code(String refusal) {
    if (refusal.contains(NO_BUFFER)) {
      return Refusal.RANGE;
    }
    if (refusal.contains(FORBIDDEN)) {
      return Refusal.ACCESS;
    }
    return refusal.contains(TOO_LONG) ? Refusal.TOO_LONG : Refusal.MALFORMED;
  }

  /** Whether it is one of its functions. */
  static boolean serves(int function) {
    return function == Functions.SEND_DATA || function == Functions.RECV_DATA;
  }

  /**
   * Judges a write.
   *
   * @param head as much as came of its head
   * @param attachment bytes of head and payload together
   * @param lease holds the range afterwards if it may be written and has a byte
   * @return why not, or an empty text
   */
  String write(byte[] head, long attachment, Lease lease) {
    if (head.length < DataCodec.HEAD) {
      return SEND + SHORT;
    }
    long length = DataCodec.length(head);
    if (Long.compareUnsigned(length, attachment - DataCodec.HEAD) > 0) {
      return SEND
          + "invalid request size: "
          + Long.toUnsignedString(length)
          + " bytes announced, "
          + (attachment - DataCodec.HEAD)
          + " sent";
    }
    if (Long.compareUnsigned(length, maxWrite) > 0) {
      return SEND + TOO_LONG + maxWrite;
    }
    return refused(SEND, DataCodec.address(head), length, true, lease);
  }

  /**
   * Judges a read.
   *
   * @param head as much as came of its head
   * @param lease holds the range afterwards if it may be read and has a byte
   * @return why not, or an empty text; never as long as the read, whose caller would take it for
   *     the bytes that it asked for
   */
  String read(byte[] head, Lease lease) {
    if (head.length < DataCodec.HEAD) {
      return RECV + SHORT;
    }
    long length = DataCodec.length(head);
    var refusal =
        Long.compareUnsigned(length, maxRead) > 0
            ? RECV + TOO_LONG + maxRead
            : refused(RECV, DataCodec.address(head), length, false, lease);
    return !refusal.isEmpty() && refusal.length() == length ? refusal + "." : refusal;
  }

  private String refused(String what, long address, long length, boolean write, Lease lease) {
    var refusal = regions.acquire(address, length, 0, write, lease);
    if (length == 0) {
      lease.release();
      if (refusal == Regions.Refusal.RANGE && address != 0) {
        // No byte at the very end of a buffer is within it.
        refusal = regions.acquire(address - 1, 1, 0, write, lease);
        lease.release();
      }
    }
    return switch (refusal) {
      case NONE -> "";
      case RANGE, KEY -> what + NO_BUFFER;
      case ACCESS -> what + FORBIDDEN;
    };
  }
}
