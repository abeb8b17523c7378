package dev.shunt.api.spi;

import dev.shunt.api.Access;
import java.lang.foreign.MemorySegment;

/** A registered range of this node's memory. The same object for the life of a registration. */
public interface Region {
  /**
   * Unique among all registrations of this generation, never 0; a good key where none is needed.
   */
  long id();

  /** The memory, accessible to every lane. Slices name offsets in this very segment. */
  MemorySegment memory();

  /** The address that remotes use: that of the memory. */
  default long address() {
    return memory().address();
  }

  /** Bytes. */
  default long length() {
    return memory().byteSize();
  }

  /** What remotes may do. */
  Access access();
}
