package dev.shunt.transport.tcp.core;

import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;

/** The checksum of a payload, as it comes in pieces. Allocates nothing for one. */
final class Checksum {
  private final CRC32C crc = new CRC32C();
  private final Views views;

  Checksum(Views views) {
    this.views = views;
  }

  void reset() {
    crc.reset();
  }

  void update(MemorySegment memory, long offset, long length) {
    for (long done = 0; done < length; ) {
      var view = views.view(memory, offset + done, length - done);
      done += view.remaining();
      crc.update(view);
    }
  }

  int value() {
    return (int) crc.getValue();
  }

  int of(MemorySegment memory, long offset, long length) {
    reset();
    update(memory, offset, length);
    return value();
  }
}
