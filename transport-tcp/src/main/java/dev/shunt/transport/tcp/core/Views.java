package dev.shunt.transport.tcp.core;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Views of registered memory as byte buffers, for checksums, which know no segments. Made once for
 * the streams of a lane, so that a slice costs no heap; keeps the last few.
 */
public final class Views {
  private static final int SLOTS = 256;

  /** So many segments whose addresses fall together keep a view each. */
  private static final int WAYS = 4;

  private static final long WINDOW = 1L << 30;

  private final MemorySegment[] segments = new MemorySegment[SLOTS];
  private final long[] windows = new long[SLOTS];
  private final ByteBuffer[] views = new ByteBuffer[SLOTS];
  private int next;

  /** None yet. */
  public Views() {}

  /** A view of a range, or of its beginning where it reaches beyond a window. */
  ByteBuffer view(MemorySegment segment, long offset, long length) {
    long window = offset / WINDOW;
    // Addresses are multiples of pages and more: the multiplication spreads them over the slots.
    int set = (int) (((segment.address() >>> 6) + window) * 0x9E3779B97F4A7C15L >>> 58) * WAYS;
    int slot = find(set, segment, window);
    if (slot < 0) {
      slot = set + (next++ & WAYS - 1);
      long start = window * WINDOW;
      long size = Math.min(segment.byteSize() - start, WINDOW);
      views[slot] = segment.asSlice(start, size).asByteBuffer();
      segments[slot] = segment;
      windows[slot] = window;
    }
    var view = views[slot];
    int from = (int) (offset - window * WINDOW);
    int to = (int) Math.min(from + length, view.capacity());
    return view.limit(to).position(from);
  }

  private int find(int set, MemorySegment segment, long window) {
    for (int slot = set; slot < set + WAYS; slot++) {
      if (segments[slot] == segment && windows[slot] == window) {
        return slot;
      }
    }
    return -1;
  }
}
