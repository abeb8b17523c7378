package dev.shunt.transport.nof.core;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** CRC-32C over memory, in pieces. Keeps a view of the memory it saw last. */
final class Digest {
  private static final long WINDOW = 1L << 30;

  private final CRC32C crc = new CRC32C();
  private MemorySegment seen;
  private long base;
  private ByteBuffer view;

  void reset() {
    crc.reset();
  }

  void update(MemorySegment memory, long offset, long length) {
    while (length > 0) {
      if (memory != seen || offset < base || offset >= base + WINDOW) {
        seen = memory;
        base = offset / WINDOW * WINDOW;
        view = memory.asSlice(base, Math.min(WINDOW, memory.byteSize() - base)).asByteBuffer();
      }
      int from = (int) (offset - base);
      int piece = (int) Math.min(length, WINDOW - from);
      view.limit(from + piece).position(from);
      crc.update(view);
      offset += piece;
      length -= piece;
    }
  }

  /** As it stands on the wire, in 32 bits. */
  long value() {
    return crc.getValue();
  }
}
