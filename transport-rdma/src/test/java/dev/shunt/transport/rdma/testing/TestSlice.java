package dev.shunt.transport.rdma.testing;

import dev.shunt.api.spi.RegionKey;
import dev.shunt.api.spi.Slice;
import java.lang.foreign.MemorySegment;

/** One piece of a transfer; the same only as itself. */
public record TestSlice(
    boolean write,
    TestMemory local,
    long offset,
    long length,
    RegionKey localKey,
    long remoteAddress,
    long remoteKey,
    long deadline)
    implements Slice {
  @Override
  public MemorySegment memory() {
    return local.memory();
  }

  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
