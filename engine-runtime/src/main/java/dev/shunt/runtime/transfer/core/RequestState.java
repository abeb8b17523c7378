package dev.shunt.runtime.transfer.core;

import dev.shunt.api.spi.Lease;
import dev.shunt.api.spi.RegionKey;
import java.lang.foreign.MemorySegment;

/** A request on its way: how much of it is cut, done, and alive. Used again with its part. */
public final class RequestState {
  int index;
  boolean write;
  MemorySegment memory;
  long offset;
  long length;
  long remoteAddress;
  RegionKey[] localKeys;
  long[] remoteKeys;
  Lease.Holder hold;
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

  RequestState() {}

  /** A request that nothing was done of; see {@link #set}. */
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
    set(index, write, memory, offset, length, remoteAddress, localKeys, remoteKeys, hold);
  }

  /**
   * Makes it a request that nothing was done of.
   *
   * @param at its place in the batch
   * @param writes which way
   * @param local the local registration's memory
   * @param from where the request begins in it
   * @param bytes 1 or more
   * @param to the first byte at the remote
   * @param keys the local registration by local rail
   * @param theirKeys the remote's key by remote rail; an empty array where there are none
   * @param holder released when no slice can touch local memory any more
   */
  public void set(
      int at,
      boolean writes,
      MemorySegment local,
      long from,
      long bytes,
      long to,
      RegionKey[] keys,
      long[] theirKeys,
      Lease.Holder holder) {
    index = at;
    write = writes;
    memory = local;
    offset = from;
    length = bytes;
    remoteAddress = to;
    localKeys = keys;
    remoteKeys = theirKeys;
    hold = holder;
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

  void clear() {
    memory = null;
    localKeys = null;
    remoteKeys = null;
    hold = null;
    cut = 0;
    firstPostedAt = 0;
    slices = 0;
    attempts = 0;
    completed = 0;
    ended = false;
    posted = false;
    quarantined = false;
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
