package dev.shunt.transport.tcp.core;

import dev.shunt.api.spi.Wire;
import java.lang.foreign.MemorySegment;

/** Takes frames out of a wire: several headers and small payloads from one read. */
final class FrameReader {
  private final FrameBuffer buffer;
  private long start;
  private long end;

  FrameReader(FrameBuffer buffer) {
    this.buffer = buffer;
  }

  FrameBuffer buffer() {
    return buffer;
  }

  /** Where the next byte lies in the buffer. */
  long position() {
    return start;
  }

  long available() {
    return end - start;
  }

  boolean hasHeader() {
    return end - start >= Frame.HEADER;
  }

  void skipHeader() {
    start += Frame.HEADER;
  }

  /**
   * Reads behind what is there.
   *
   * @param most how many bytes at most
   * @return as {@link Wire#read}
   */
  long fill(Wire wire, long most) {
    if (start == end) {
      start = 0;
      end = 0;
    } else if (start > 0) {
      var memory = buffer.memory();
      MemorySegment.copy(memory, start, memory, 0, end - start);
      end -= start;
      start = 0;
    }
    long count = wire.read(buffer.memory(), end, Math.min(most, buffer.capacity() - end));
    if (count > 0) {
      end += count;
    }
    return count;
  }

  /** Moves out what is there of a payload; answers how much. */
  long take(MemorySegment into, long offset, long most) {
    long count = Math.min(most, end - start);
    if (count > 0) {
      MemorySegment.copy(buffer.memory(), start, into, offset, count);
      start += count;
    }
    return count;
  }

  /** Drops what is there of a payload; answers how much. */
  long drop(long most) {
    long count = Math.min(most, end - start);
    start += count;
    return count;
  }
}
