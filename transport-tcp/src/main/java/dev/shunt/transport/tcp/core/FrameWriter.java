package dev.shunt.transport.tcp.core;

import dev.shunt.api.spi.Wire;
import java.lang.foreign.MemorySegment;

/**
 * Puts frames into a wire: headers and small payloads are gathered into one write, one large
 * payload at a time goes straight from where it lies. A gathering write of {@code java.nio} would
 * take a header and its payload at once, but allocates for each; so a payload's head is copied to
 * its header instead.
 */
final class FrameWriter {
  private final FrameBuffer buffer;
  private final long turn;
  private long start;
  private long end;
  private MemorySegment payload;
  private long payloadAt;
  private long payloadLeft;
  private long staged;
  private long written;

  /**
   * Makes one.
   *
   * @param turn bytes of a large payload that it gives to the wire at a time
   */
  FrameWriter(FrameBuffer buffer, long turn) {
    this.buffer = buffer;
    this.turn = turn;
  }

  /** Whether so many bytes can be gathered now. */
  boolean room(long bytes) {
    return payload == null && buffer.capacity() - end >= bytes;
  }

  /** Whether a payload waits to go out from where it lies. */
  boolean attached() {
    return payload != null;
  }

  /** Whether anything waits to go out. */
  boolean pending() {
    return start < end || payload != null;
  }

  /** Bytes of the stream before the next one that is put. */
  long staged() {
    return staged;
  }

  /** Bytes of the stream that the wire has taken. */
  long written() {
    return written;
  }

  void header(int type, int status, long id, long first, long second, long key) {
    buffer.put(end, type, status, id, first, second, key);
    end += Frame.HEADER;
    staged += Frame.HEADER;
  }

  /** Adds the checksum of its payload to the header that was put last. */
  void checksum(int value) {
    buffer.putChecksum(end - Frame.HEADER, value);
  }

  /** Adds the checksum of a small payload, which was gathered last, to its header. */
  void checksumOfCopy(long length) {
    int value = buffer.crc(end - length, (int) length);
    buffer.putChecksum(end - length - Frame.HEADER, value);
  }

  /** Gathers a small payload. */
  void copy(MemorySegment from, long offset, long length) {
    MemorySegment.copy(from, offset, buffer.memory(), end, length);
    end += length;
    staged += length;
  }

  /**
   * Sends a payload after what was gathered, straight from where it lies. Only its head is gathered
   * too: a header that goes out alone wakes the other side for nothing.
   */
  void attach(MemorySegment from, long offset, long length, long head) {
    long gathered = Math.min(head, Math.min(length, buffer.capacity() - end));
    copy(from, offset, gathered);
    payload = from;
    payloadAt = offset + gathered;
    payloadLeft = length - gathered;
    staged += payloadLeft;
  }

  /**
   * Writes what the wire takes, within a turn; answers whether nothing is left. Where it took less
   * than all, it is not asked again at once: most likely it is full, and it says when it is not.
   */
  boolean drain(Wire wire) {
    if (start < end) {
      long count = wire.write(buffer.memory(), start, end - start);
      start += count;
      written += count;
      if (start < end) {
        return false;
      }
    }
    start = 0;
    end = 0;
    if (payloadLeft > 0) {
      long count = wire.write(payload, payloadAt, Math.min(payloadLeft, turn));
      payloadAt += count;
      payloadLeft -= count;
      written += count;
      if (payloadLeft > 0) {
        return false;
      }
    }
    payload = null;
    return true;
  }

  /** Forgets what waits: nothing of it is touched any more. */
  void discard() {
    start = 0;
    end = 0;
    payload = null;
    payloadLeft = 0;
  }
}
