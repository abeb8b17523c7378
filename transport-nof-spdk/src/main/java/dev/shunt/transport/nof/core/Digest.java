package dev.shunt.transport.nof.core;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** CRC-32C over memory, in pieces. Keeps views of the memory that it saw last. */
final class Digest {
  private static final long WINDOW = 1L << 30;
  private static final int VIEWS = 8;

  private final CRC32C crc = new CRC32C();
  private final MemorySegment[] seen = new MemorySegment[VIEWS];
  private final long[] bases = new long[VIEWS];
  private final ByteBuffer[] views = new ByteBuffer[VIEWS];
  private int next;

  void reset() {
    crc.reset();
  }

  void update(MemorySegment memory, long offset, long length) {
    while (length > 0) {
      long base = offset / WINDOW * WINDOW;
      var view = view(memory, base);
      int from = (int) (offset - base);
      int piece = (int) Math.min(length, WINDOW - from);
      view.limit(from + piece).position(from);
      crc.update(view);
      offset += piece;
      length -= piece;
    }
  }

  private ByteBuffer view(MemorySegment memory, long base) {
    for (int i = 0; i < VIEWS; i++) {
      if (seen[i] == memory && bases[i] == base) {
        return views[i];
      }
    }
    int place = next++ % VIEWS;
    long length = Math.min(WINDOW, memory.byteSize() - base);
    seen[place] = memory;
    bases[place] = base;
    views[place] = memory.asSlice(base, length).asByteBuffer();
    return views[place];
  }

  /** As it stands on the wire, in 32 bits. */
  long value() {
    return crc.getValue();
  }
}
