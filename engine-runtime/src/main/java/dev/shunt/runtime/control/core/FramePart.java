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

  private final Room room;
  private byte[] bytes = EMPTY;
  private long length;
  private long arrived;
  private int keep;
  private boolean dropped;

  /** Says whether more may be kept. */
  interface Room {
    /**
     * Room for so many bytes is to become room for more.
     *
     * @return false if there is none: then what was kept is dropped, and what follows with it
     */
    boolean grow(int before, int after);
  }

  /** With room for all. */
  FramePart() {
    this((before, after) -> true);
  }

  FramePart(Room room) {
    this.room = room;
  }

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
    dropped = false;
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
        grow((int) Math.min(keep, Math.max(end, 2L * bytes.length)));
      }
      if (!dropped) {
        MemorySegment.copy(from, ValueLayout.JAVA_BYTE, offset, bytes, before, wanted);
      }
    }
    arrived += count;
  }

  private void grow(int larger) {
    if (room.grow(bytes.length, larger)) {
      bytes = Arrays.copyOf(bytes, larger);
    } else {
      drop();
    }
  }

  /** Keeps nothing, neither of what came nor of what follows. */
  void drop() {
    dropped = true;
    keep = 0;
    bytes = EMPTY;
  }

  /** Whether it was dropped. */
  boolean dropped() {
    return dropped;
  }

  /** The bytes kept, in an array of just their number. */
  byte[] take() {
    var taken = bytes.length == kept() ? bytes : Arrays.copyOf(bytes, kept());
    bytes = EMPTY;
    return taken;
  }
}
