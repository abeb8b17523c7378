package dev.shunt.transport.nof.core;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Little-endian fields at any offset, unsigned where they are shorter than what holds them. */
public final class Le {
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private Le() {}

  /** 8 bits. */
  public static int u8(MemorySegment memory, long at) {
    return memory.get(ValueLayout.JAVA_BYTE, at) & 0xff;
  }

  /** 16 bits. */
  public static int u16(MemorySegment memory, long at) {
    return memory.get(SHORT, at) & 0xffff;
  }

  /** 32 bits, never negative. */
  public static long u32(MemorySegment memory, long at) {
    return memory.get(INT, at) & 0xffff_ffffL;
  }

  /** 64 bits. */
  public static long i64(MemorySegment memory, long at) {
    return memory.get(LONG, at);
  }

  /** Sets 8 bits. */
  public static void put8(MemorySegment memory, long at, int value) {
    memory.set(ValueLayout.JAVA_BYTE, at, (byte) value);
  }

  /** Sets 16 bits. */
  public static void put16(MemorySegment memory, long at, int value) {
    memory.set(SHORT, at, (short) value);
  }

  /** Sets 32 bits. */
  public static void put32(MemorySegment memory, long at, long value) {
    memory.set(INT, at, (int) value);
  }

  /** Sets 64 bits. */
  public static void put64(MemorySegment memory, long at, long value) {
    memory.set(LONG, at, value);
  }
}
