package dev.shunt.transport.nof;

import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.RegionKey;
import dev.shunt.api.spi.Slice;
import java.lang.foreign.MemorySegment;

/** A slice, and what became of it. */
final class TestSlice implements Slice {
  private final Node node;
  private final boolean write;
  private final MemorySegment memory;
  private final long offset;
  private final long address;
  private final long length;
  int ends;
  Fault fault;
  long at;

  TestSlice(
      Node node, boolean write, MemorySegment memory, long offset, long address, long length) {
    this.node = node;
    this.write = write;
    this.memory = memory;
    this.offset = offset;
    this.address = address;
    this.length = length;
  }

  void end(Fault with) {
    Node.once(++ends == 1);
    fault = with;
    at = node.stage.now();
  }

  boolean ended() {
    return ends > 0;
  }

  boolean good() {
    return ends == 1 && fault == null;
  }

  @Override
  public boolean write() {
    return write;
  }

  @Override
  public MemorySegment memory() {
    return memory;
  }

  @Override
  public long offset() {
    return offset;
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public RegionKey localKey() {
    return () -> 0;
  }

  @Override
  public long remoteAddress() {
    return address;
  }

  @Override
  public long remoteKey() {
    return 0;
  }

  @Override
  public long deadline() {
    return Long.MAX_VALUE;
  }

  @Override
  public String toString() {
    return (write ? "write " : "read ") + length + " at " + address + ": " + ends + " " + fault;
  }
}
