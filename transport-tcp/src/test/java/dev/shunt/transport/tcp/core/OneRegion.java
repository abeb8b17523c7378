package dev.shunt.transport.tcp.core;

import dev.shunt.api.spi.Lease;
import dev.shunt.api.spi.Regions;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/** A node with one registration: key 7; its second half may be read only. */
final class OneRegion implements Regions {
  static final long KEY = 7;

  final MemorySegment memory;
  int leases;
  private final Lease.Holder holder = () -> leases--;

  OneRegion(SegmentAllocator allocator, int size) {
    memory = allocator.allocate(size, 8);
  }

  long writable() {
    return memory.byteSize() / 2;
  }

  @Override
  public Refusal acquire(long address, long length, long key, boolean write, Lease lease) {
    long offset = address - memory.address();
    if (offset < 0 || length < 0 || offset > memory.byteSize() - length) {
      return Refusal.RANGE;
    }
    if (key != 0 && key != KEY) {
      return Refusal.KEY;
    }
    if (write && offset + length > writable()) {
      return Refusal.ACCESS;
    }
    leases++;
    lease.grant(holder, memory, offset);
    return Refusal.NONE;
  }
}
