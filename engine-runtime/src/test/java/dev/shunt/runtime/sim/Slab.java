package dev.shunt.runtime.sim;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The memory of all nodes of a world, used again for one seed after another: so no seed allocates,
 * and the order of all addresses is the same in each run.
 */
final class Slab {
  /** Bytes of each node. */
  static final int SHARE = 128 << 10;

  private final MemorySegment memory;

  Slab(int nodes) {
    memory = Arena.ofAuto().allocate((long) nodes * SHARE, 4096);
  }

  /** A node's share. */
  MemorySegment of(int node) {
    return memory.asSlice((long) node * SHARE, SHARE);
  }

  /** Whose an address is, or -1. */
  int owner(long address) {
    long offset = address - memory.address();
    return offset < 0 || offset >= memory.byteSize() ? -1 : (int) (offset / SHARE);
  }
}
