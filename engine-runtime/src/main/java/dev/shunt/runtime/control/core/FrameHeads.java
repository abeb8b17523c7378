package dev.shunt.runtime.control.core;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** The heads of frames in native memory: for a caller that moves payload without the heap. */
public final class FrameHeads {
  /** Bytes of a request before its attachment. */
  public static final int REQUEST = Frames.REQUEST_HEAD + 8;

  /** Bytes of a reply before its body. */
  public static final int REPLY = Frames.REPLY_HEAD;

  /** The shortest body of a good reply. */
  public static final int BODY = 4;

  /** The longest body that is taken. */
  public static final int MAX_BODY = Frames.MAX_BODY;

  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final int ARGUMENT = LittleEndian.getInt(StructPack.integer(0), 0);

  private FrameHeads() {}

  /**
   * Puts head and body of a request.
   *
   * @param codes whether a refusal may begin with a code: only to a peer that agreed on it
   */
  public static void putRequest(
      MemorySegment into, long at, int sequence, int function, long attachment, boolean codes) {
    var first = Frames.MAGIC | Frames.VERSION << 8 | Frames.STRUCT_PACK << 16;
    into.set(INT, at, codes ? first | Frames.CODES << 24 : first);
    into.set(INT, at + 4, sequence);
    into.set(INT, at + 8, Frames.FUNCTION_HASH);
    into.set(INT, at + 12, REQUEST - Frames.REQUEST_HEAD);
    into.set(INT, at + 16, (int) attachment);
    into.set(INT, at + 20, ARGUMENT);
    into.set(INT, at + 24, function);
  }

  /** Puts what an attachment of SendData or RecvData begins with: {@link DataCodec#HEAD} bytes. */
  public static void putRange(MemorySegment into, long at, long address, long length) {
    into.set(LONG, at, address);
    into.set(LONG, at + 8, length);
  }

  /** Whether a reply is a refusal that begins with a code. */
  public static boolean isCoded(MemorySegment from, long at) {
    return from.get(BYTE, at + 3) == Frames.CODES;
  }

  /** The first two bytes of a reply, as they are in a good one or not. */
  public static boolean isReply(MemorySegment from, long at) {
    return from.get(BYTE, at) == Frames.MAGIC && from.get(BYTE, at + 1) == Frames.VERSION;
  }

  /** The error's code, or 0. */
  public static int error(MemorySegment from, long at) {
    return Byte.toUnsignedInt(from.get(BYTE, at + 2));
  }

  /** Of which request. */
  public static int sequence(MemorySegment from, long at) {
    return from.get(INT, at + 4);
  }

  /** How long the body is. */
  public static long body(MemorySegment from, long at) {
    return Integer.toUnsignedLong(from.get(INT, at + 8));
  }

  /** How long the attachment is. */
  public static long attachment(MemorySegment from, long at) {
    return Integer.toUnsignedLong(from.get(INT, at + 12));
  }
}
