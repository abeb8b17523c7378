package dev.shunt.transport.tcp;

import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.RegionKey;
import dev.shunt.api.spi.Slice;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A write of one repeated byte to the beginning of a node's memory, and what became of it. */
final class Write implements Slice {
  int completed;
  Fault fault;
  private final MemorySegment memory;
  private final Node to;

  Write(Node to, int content, long length) {
    this.to = to;
    memory = Arena.ofAuto().allocate(length).fill((byte) content);
  }

  boolean ended() {
    return completed > 0 || fault != null;
  }

  @Override
  public boolean write() {
    return true;
  }

  @Override
  public MemorySegment memory() {
    return memory;
  }

  @Override
  public long offset() {
    return 0;
  }

  @Override
  public long length() {
    return memory.byteSize();
  }

  @Override
  public RegionKey localKey() {
    return () -> 1;
  }

  @Override
  public long remoteAddress() {
    return to.memory.segment.address();
  }

  @Override
  public long remoteKey() {
    return 1;
  }

  @Override
  public long deadline() {
    return Long.MAX_VALUE;
  }
}
