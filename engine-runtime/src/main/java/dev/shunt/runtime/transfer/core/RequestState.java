package dev.shunt.runtime.transfer.core;

import dev.shunt.api.spi.Lease;
import dev.shunt.api.spi.RegionKey;
import java.lang.foreign.MemorySegment;

/** A request on its way: how much of it is cut, done, and alive. */
public final class RequestState {
  final int index;
  final boolean write;
  final MemorySegment memory;
  final long offset;
  final long length;
  final long remoteAddress;
  final RegionKey[] localKeys;
  final long[] remoteKeys;
  final Lease.Holder hold;
  long cut;
  long firstPostedAt;
  int slices;
  int attempts;
  long completed;
  int live;
  boolean ended;
  boolean posted;
  boolean quarantined;
  PooledSlice first;

  /**
   * A request that nothing was done of.
   *
   * @param index its place in the batch
   * @param write which way
   * @param memory the local registration's memory
   * @param offset where the request begins in it
   * @param length bytes, 1 or more
   * @param remoteAddress the first byte at the remote
   * @param localKeys the local registration by local rail
   * @param remoteKeys the remote's key by remote rail; an empty array where there are none
   * @param hold released when no slice can touch local memory any more
   */
  public RequestState(
      int index,
      boolean write,
      MemorySegment memory,
      long offset,
      long length,
      long remoteAddress,
      RegionKey[] localKeys,
      long[] remoteKeys,
      Lease.Holder hold) {
    this.index = index;
    this.write = write;
    this.memory = memory;
    this.offset = offset;
    this.length = length;
    this.remoteAddress = remoteAddress;
    this.localKeys = localKeys;
    this.remoteKeys = remoteKeys;
    this.hold = hold;
  }

  /** Its place in the batch. */
  public int index() {
    return index;
  }

  /** Which way. */
  public boolean write() {
    return write;
  }

  /** Its bytes. */
  public long length() {
    return length;
  }

  /** How many slices were cut of it. */
  public int slices() {
    return slices;
  }

  /** How often slices of it were posted. */
  public int attempts() {
    return attempts;
  }

  /** When the first of them was; means nothing without attempts. */
  public long firstPostedAt() {
    return firstPostedAt;
  }

  /** What holds the local memory. */
  public Lease.Holder hold() {
    return hold;
  }

  void add(PooledSlice slice) {
    slice.nextOfRequest = first;
    slice.previousOfRequest = null;
    if (first != null) {
      first.previousOfRequest = slice;
    }
    first = slice;
    live++;
  }

  void remove(PooledSlice slice) {
    if (slice.previousOfRequest == null) {
      first = slice.nextOfRequest;
    } else {
      slice.previousOfRequest.nextOfRequest = slice.nextOfRequest;
    }
    if (slice.nextOfRequest != null) {
      slice.nextOfRequest.previousOfRequest = slice.previousOfRequest;
    }
    slice.nextOfRequest = null;
    slice.previousOfRequest = null;
    live--;
  }
}
