package dev.shunt.transport.tcp.core;

import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.RegionKey;
import dev.shunt.api.spi.Slice;
import java.lang.foreign.MemorySegment;

/** A slice, and what became of it. */
final class Piece implements Slice {
  private final boolean write;
  private final MemorySegment memory;
  private final long offset;
  private final long length;
  private final long remoteAddress;
  private final long remoteKey;
  int ends;
  Fault fault;

  Piece(
      boolean write,
      MemorySegment memory,
      long offset,
      long length,
      long remoteAddress,
      long remoteKey) {
    this.write = write;
    this.memory = memory;
    this.offset = offset;
    this.length = length;
    this.remoteAddress = remoteAddress;
    this.remoteKey = remoteKey;
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
    return () -> 1;
  }

  @Override
  public long remoteAddress() {
    return remoteAddress;
  }

  @Override
  public long remoteKey() {
    return remoteKey;
  }

  @Override
  public long deadline() {
    return Long.MAX_VALUE;
  }
}
