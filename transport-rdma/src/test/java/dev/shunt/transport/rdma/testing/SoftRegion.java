package dev.shunt.transport.rdma.testing;

import dev.shunt.transport.rdma.verbs.VerbsRegion;
import java.lang.foreign.MemorySegment;

/** A memory region. */
final class SoftRegion implements VerbsRegion {
  private final SoftDevice device;
  private final MemorySegment memory;
  private final int access;
  private final int key;

  SoftRegion(SoftDevice device, MemorySegment memory, int access, int key) {
    this.device = device;
    this.memory = memory;
    this.access = access;
    this.key = key;
  }

  MemorySegment memory() {
    return memory;
  }

  /** Whether a range lies within, and all of the wanted access is given. */
  boolean allows(long address, long length, int wanted) {
    long offset = address - memory.address();
    return (access & wanted) == wanted
        && Long.compareUnsigned(offset, memory.byteSize()) <= 0
        && length <= memory.byteSize() - offset;
  }

  long offset(long address) {
    return address - memory.address();
  }

  @Override
  public int lkey() {
    return key;
  }

  @Override
  public int rkey() {
    return key;
  }

  @Override
  public int close() {
    device.deregister(this);
    return 0;
  }
}
