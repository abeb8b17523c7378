package dev.shunt.runtime.plain.core;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A part of a reply that goes to the heap: a body, a descriptor, or why something was refused. Room
 * is made for what came, not for what was announced, and kept where it is small.
 */
final class ReplyText {
  private static final byte[] NONE = {};
  private static final int FIRST = 4096;

  private byte[] bytes = NONE;
  private long length;
  private int arrived;
  private boolean kept;

  /** Begins anew. */
  void begin(long announced, boolean keep) {
    length = announced;
    kept = keep;
    arrived = 0;
    if (bytes.length > FIRST) {
      bytes = NONE;
    }
  }

  /** Takes bytes, as far as they belong to it; answers how many. */
  long take(MemorySegment from, long at, long available) {
    long count = Math.min(available, length - arrived);
    if (kept && count > 0) {
      int end = arrived + (int) count;
      if (end > bytes.length) {
        long wanted = Math.min(length, Math.max(end, 2L * arrived));
        bytes = Arrays.copyOf(bytes, (int) Math.max(FIRST, wanted));
      }
      MemorySegment.copy(from, ValueLayout.JAVA_BYTE, at, bytes, arrived, (int) count);
    }
    arrived += (int) count;
    return count;
  }

  long missing() {
    return length - arrived;
  }

  boolean complete() {
    return arrived == length;
  }

  int length() {
    return kept ? arrived : 0;
  }

  byte[] bytes() {
    return bytes;
  }

  /** The bytes, in an array of just their number. */
  byte[] array() {
    return Arrays.copyOf(bytes, length());
  }

  /** As a refusal, shortened. */
  String text() {
    return new String(bytes, 0, Math.min(length(), 512), StandardCharsets.UTF_8);
  }
}
