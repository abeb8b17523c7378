package dev.shunt.runtime.control.core;

import dev.shunt.api.spi.Lease;
import java.lang.foreign.MemorySegment;

/** The bytes of a write as they arrive in registered memory, which is held until they are there. */
final class Landing {
  private final Lease lease = new Lease();
  private long length;
  private long arrived;

  /** What to grant a range to, before {@link #begin}. */
  Lease lease() {
    return lease;
  }

  /** Begins anew: so many bytes, none of them yet. */
  void begin(long announced) {
    length = announced;
    arrived = 0;
  }

  long missing() {
    return length - arrived;
  }

  long arrived() {
    return arrived;
  }

  MemorySegment memory() {
    return lease.memory();
  }

  long offset() {
    return lease.offset() + arrived;
  }

  void arrived(long count) {
    if (count > missing()) {
      throw new IllegalArgumentException(count + " bytes where " + missing() + " are missing");
    }
    arrived += count;
  }

  /** Nothing arrives any more. */
  void end() {
    length = 0;
    arrived = 0;
    lease.release();
  }
}
