package dev.shunt.transport.tcp.core;

import dev.shunt.api.spi.LinkId;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.zip.CRC32C;

/**
 * What the specification makes of the bytes that a requester sent, read at leisure: which memory
 * they change, and what ends the stream. Shares no line with what it judges.
 */
final class RequestOracle {
  final MemorySegment memory;
  Bye end = Bye.NONE;
  long frames;
  private final OneRegion region;
  private final StreamLimits limits;

  RequestOracle(OneRegion region, StreamLimits limits, MemorySegment model) {
    this.region = region;
    this.limits = limits;
    memory = model.copyFrom(region.memory);
  }

  void read(MemorySegment stream, long length) {
    long at = 0;
    while (end == Bye.NONE && length - at >= 48) {
      at = frame(stream, at, length);
    }
  }

  private long frame(MemorySegment stream, long at, long length) {
    int type = stream.get(ValueLayout.JAVA_BYTE, at) & 0xff;
    int flags = stream.get(ValueLayout.JAVA_BYTE, at + 1);
    if (!intact(stream, at) || flags != (limits.checksums() && type == 1 ? 1 : 0)) {
      return end(Bye.BAD_HEADER);
    }
    if (number(stream, at + 8) != frames + 1) {
      return end(Bye.OUT_OF_ORDER);
    }
    frames++;
    long first = number(stream, at + 16);
    long second = number(stream, at + 24);
    boolean fits = second >= 0 && second <= limits.longest();
    return switch (type) {
      case 1 -> fits ? write(stream, at + 48, length, first, second) : end(Bye.BAD_LENGTH);
      case 2 -> fits ? at + 48 : end(Bye.BAD_LENGTH);
      case 3 -> fence(new LinkId(first, second)) ? at + 48 : end(Bye.BAD_FENCE);
      case 7 -> limits.version() > 1 ? at + 48 : end(Bye.BAD_TYPE);
      default -> end(Bye.BAD_TYPE);
    };
  }

  private long write(MemorySegment stream, long at, long length, long address, long bytes) {
    long offset = address - region.memory.address();
    boolean inside = offset >= 0 && offset <= region.writable() - bytes;
    boolean allowed = inside && number(stream, at - 48 + 32) == OneRegion.KEY;
    if (allowed) {
      MemorySegment.copy(stream, at, memory, offset, Math.min(bytes, length - at));
    }
    return at + bytes;
  }

  private static boolean fence(LinkId stale) {
    return stale.generation() == Duet.LINK.generation() && !stale.equals(Duet.LINK);
  }

  private long end(Bye reason) {
    end = reason;
    return Long.MAX_VALUE;
  }

  static boolean intact(MemorySegment stream, long at) {
    var crc = new CRC32C();
    crc.update(stream.asSlice(at, 44).toArray(ValueLayout.JAVA_BYTE));
    return (int) crc.getValue() == stream.get(ValueLayout.JAVA_INT_UNALIGNED, at + 44);
  }

  static long number(MemorySegment stream, long at) {
    return stream.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
  }
}
