package dev.shunt.runtime.wire;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Views of long-lived memory as byte buffers, so that reading and writing allocates nothing. A
 * buffer holds at most 2 GiB, so a segment may have several; each keeps its place for reuse.
 */
final class ViewCache {
  private static final int SLOTS = 256;
  private static final long WINDOW = 1L << 30;

  /**
   * A view reaches half a window further, so that what begins near a window's end is not cut small.
   * A byte buffer may not be much larger than that.
   */
  private static final long LARGEST = WINDOW + WINDOW / 2;

  private final MemorySegment[] segments = new MemorySegment[SLOTS];
  private final long[] windows = new long[SLOTS];
  private final ByteBuffer[] views = new ByteBuffer[SLOTS];

  /** A view of a range, or of its beginning where the range is longer than a view. */
  ByteBuffer view(MemorySegment segment, long offset, long length) {
    var window = offset / WINDOW;
    // Addresses are multiples of pages and more: the multiplication spreads them over the slots.
    var slot = (int) (((segment.address() >>> 6) + window) * 0x9E3779B97F4A7C15L >>> 56);
    if (segments[slot] != segment || windows[slot] != window) {
      var start = window * WINDOW;
      var size = Math.min(segment.byteSize() - start, LARGEST);
      views[slot] = segment.asSlice(start, size).asByteBuffer();
      segments[slot] = segment;
      windows[slot] = window;
    }
    var view = views[slot];
    var from = (int) (offset - window * WINDOW);
    var to = (int) Math.min(from + length, view.capacity());
    return view.limit(to).position(from);
  }
}
