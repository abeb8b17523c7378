package dev.shunt.transport.tcp.core;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Staging memory of one direction of a stream, and the codec of the headers in it. Made once and
 * used again; owned by one thread at a time; allocates nothing after that.
 */
public final class FrameBuffer {
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final int CRC_AT = Frame.HEADER - Integer.BYTES;

  private final MemorySegment memory;
  private final ByteBuffer view;
  private final CRC32C crc = new CRC32C();

  /**
   * Wraps memory.
   *
   * @param memory long-lived, 256 bytes at least
   */
  public FrameBuffer(MemorySegment memory) {
    this.memory = memory;
    this.view = memory.asByteBuffer();
  }

  /** The memory. */
  public MemorySegment memory() {
    return memory;
  }

  /** Bytes. */
  public int capacity() {
    return view.capacity();
  }

  /** Puts a header without a checksum of its payload. */
  public void put(long at, int type, int status, long id, long first, long second, long key) {
    memory.set(ValueLayout.JAVA_BYTE, at, (byte) type);
    memory.set(ValueLayout.JAVA_BYTE, at + 1, (byte) 0);
    putShort(at + 2, status);
    putInt(at + 4, 0);
    putLong(at + 8, id);
    putLong(at + 16, first);
    putLong(at + 24, second);
    putLong(at + 32, key);
    putInt(at + 40, 0);
    putInt(at + CRC_AT, crc(at, CRC_AT));
  }

  /** Adds the checksum of the payload to a header that was put. */
  public void putChecksum(long at, int checksum) {
    memory.set(ValueLayout.JAVA_BYTE, at + 1, (byte) Frame.CHECKSUM);
    putInt(at + 4, checksum);
    putInt(at + CRC_AT, crc(at, CRC_AT));
  }

  /** Whether the header there is whole. */
  public boolean intact(long at) {
    return getInt(at + CRC_AT) == crc(at, CRC_AT);
  }

  /** The type. */
  public int type(long at) {
    return Byte.toUnsignedInt(memory.get(ValueLayout.JAVA_BYTE, at));
  }

  /** The flags. */
  public int flags(long at) {
    return Byte.toUnsignedInt(memory.get(ValueLayout.JAVA_BYTE, at + 1));
  }

  /** The status. */
  public int status(long at) {
    return getShort(at + 2);
  }

  /** The checksum of the payload, where the flags say that there is one. */
  public int checksum(long at) {
    return getInt(at + 4);
  }

  /** The id. */
  public long id(long at) {
    return getLong(at + 8);
  }

  /** The field that is an address, a generation or a count. */
  public long first(long at) {
    return getLong(at + 16);
  }

  /** The field that is a length or an attempt. */
  public long second(long at) {
    return getLong(at + 24);
  }

  /** The key. */
  public long key(long at) {
    return getLong(at + 32);
  }

  int crc(long at, int length) {
    crc.reset();
    view.limit((int) at + length).position((int) at);
    crc.update(view);
    return (int) crc.getValue();
  }

  void putShort(long at, int value) {
    memory.set(SHORT, at, (short) value);
  }

  void putInt(long at, int value) {
    memory.set(INT, at, value);
  }

  void putLong(long at, long value) {
    memory.set(LONG, at, value);
  }

  int getShort(long at) {
    return Short.toUnsignedInt(memory.get(SHORT, at));
  }

  int getInt(long at) {
    return memory.get(INT, at);
  }

  long getLong(long at) {
    return memory.get(LONG, at);
  }
}
