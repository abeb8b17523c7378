package dev.shunt.transport.tcp.core;

import dev.shunt.api.spi.Wire;
import java.lang.foreign.MemorySegment;

/**
 * Where a payload goes, and how far it is: straight from the wire, or by way of what was read along
 * with its header. Its checksum is taken of each piece as it lands, while it is in the cache.
 */
final class Landing {
  private final Checksum checksum;
  private MemorySegment memory;
  private long offset;
  private long length;
  private long done;
  private boolean checked;
  private int expected;

  Landing(Checksum checksum) {
    this.checksum = checksum;
  }

  /**
   * Begins.
   *
   * @param checked whether the payload has a checksum
   * @param expected the checksum, if it has one
   */
  void begin(MemorySegment memory, long offset, long length, boolean checked, int expected) {
    this.memory = memory;
    this.offset = offset;
    this.length = length;
    this.checked = checked;
    this.expected = expected;
    done = 0;
    checksum.reset();
  }

  long length() {
    return length;
  }

  long left() {
    return length - done;
  }

  /** Reads what is there, no more than so much; answers as the wire does. */
  long read(Wire wire, long most) {
    long count = wire.read(memory, offset + done, Math.min(most, left()));
    landed(count);
    return count;
  }

  /** Takes what the reader has of it. */
  void take(FrameReader reader) {
    landed(reader.take(memory, offset + done, left()));
  }

  private void landed(long count) {
    if (count > 0) {
      if (checked) {
        checksum.update(memory, offset + done, count);
      }
      done += count;
    }
  }

  /** Whether what landed is what was sent, as far as its checksum tells. Once all of it has. */
  boolean intact() {
    return !checked || checksum.value() == expected;
  }

  /** What is wrong, where it is not intact. */
  String damage() {
    return "the checksum of "
        + length
        + " bytes is 0x"
        + Integer.toHexString(checksum.value())
        + ", and should be 0x"
        + Integer.toHexString(expected);
  }

  /** Nothing lands there any more. */
  void end() {
    memory = null;
  }
}
