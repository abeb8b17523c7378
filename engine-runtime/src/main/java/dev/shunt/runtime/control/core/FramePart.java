package dev.shunt.runtime.control.core;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * One part of a frame as it arrives. Room is made for what came, not for what was announced: a
 * thousand peers that announce much and send nothing cost nothing.
 */
final class FramePart {
  private static final byte[] EMPTY = {};
  private static final int FIRST = 4096;

  private byte[] bytes = EMPTY;
  private long length;
  private long arrived;
  private int keep;

  /**
   * Begins anew.
   *
   * @param announced how long the part is
   * @param kept how many of its first bytes are wanted; the others are dropped as they come
   */
  void begin(long announced, int kept) {
    length = announced;
    keep = (int) Math.min(announced, kept);
    arrived = 0;
    bytes = keep == 0 ? EMPTY : new byte[Math.min(keep, FIRST)];
  }

  long missing() {
    return length - arrived;
  }

  long arrived() {
    return arrived;
  }

  int kept() {
    return (int) Math.min(arrived, keep);
  }

  byte[] bytes() {
    return bytes;
  }

  void accept(MemorySegment from, long offset, int count) {
    if (count > missing()) {
      throw new IllegalArgumentException(count + " bytes where " + missing() + " are missing");
    }
    int before = kept();
    int wanted = Math.min(count, keep - before);
    if (wanted > 0) {
      int end = before + wanted;
      if (end > bytes.length) {
        bytes = Arrays.copyOf(bytes, (int) Math.min(keep, Math.max(end, 2L * bytes.length)));
      }
      MemorySegment.copy(from, ValueLayout.JAVA_BYTE, offset, bytes, before, wanted);
    }
    arrived += count;
  }

  /** The bytes kept, in an array of just their number. */
  byte[] take() {
    var taken = bytes.length == kept() ? bytes : Arrays.copyOf(bytes, kept());
    bytes = EMPTY;
    return taken;
  }
}
