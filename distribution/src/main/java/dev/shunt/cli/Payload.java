package dev.shunt.cli;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/** Bytes that can be told from others. */
final class Payload {
  private static final long CHUNK = 1L << 30;

  private Payload() {}

  /** Fills memory with what follows from a seed. */
  static void fill(MemorySegment memory, long seed) {
    var random = new SplittableRandom(seed);
    long whole = memory.byteSize() & -Long.BYTES;
    for (long i = 0; i < whole; i += Long.BYTES) {
      memory.set(ValueLayout.JAVA_LONG_UNALIGNED, i, random.nextLong());
    }
    for (long i = whole; i < memory.byteSize(); i++) {
      memory.set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt());
    }
  }

  /** The CRC32C of memory, in the eight digits that it is shown in. */
  static String checksum(MemorySegment memory) {
    var crc = new CRC32C();
    for (long from = 0; from < memory.byteSize(); from += CHUNK) {
      long length = Math.min(CHUNK, memory.byteSize() - from);
      crc.update(memory.asSlice(from, length).asByteBuffer());
    }
    return String.format("%08x", crc.getValue());
  }
}
