package dev.shunt.runtime.transfer.core;

import dev.shunt.api.spi.Lease;
import dev.shunt.api.spi.RegionKey;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;

/** A request on its way: how much of it is cut, done, and alive. Used again with its part. */
public final class RequestState {
  private static final Lease.Holder NOTHING = () -> {};

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

  /** Its local memory was given back. */
  boolean released;

  /** How many of its slices are on no channel, and may still land. */
  int lingering;

  /** Bytes of slices that left links behind to be fenced. */
  long left;

  PooledSlice first;

  /** It leaves for another transport: nothing more of it is cut, and what comes back is let go. */
  boolean moving;

  /** A write that was under way by another transport before. */
  boolean touched;

  /** The order of our rails for its local memory; null if all are alike. */
  RailOrder localRails;

  /** The order of the remote's rails for its remote memory; null if all are alike. */
  RailOrder remoteRails;

  /** A bit for the place of each way that it was sent by, among those to its remote. */
  long ways;

  /** What became of earlier attempts; null without any. */
  Past past;

  /** Links that its slices left behind, to be fenced before it goes on elsewhere; null if none. */
  ArrayList<StaleLink> stale;

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

  /**
   * Says which rails are for it.
   *
   * @param local the order of ours; null if all are alike
   * @param remote the order of the remote's; null if all are alike
   */
  public void rails(RailOrder local, RailOrder remote) {
    localRails = local;
    remoteRails = remote;
  }

  /** The remote tells other keys by now; what is posted from here on shows these. */
  void renewKeys(long[] latest) {
    remoteKeys = latest;
  }

  /** Notes the way that it goes by, as a place among those to its remote. */
  public void way(int place) {
    ways |= 1L << place;
  }

  /** Whether it was sent by a way, as a place among those to its remote. */
  public boolean wentBy(int place) {
    return (ways >>> place & 1) != 0;
  }

  /** Where it begins at the remote. */
  public long remoteAddress() {
    return remoteAddress;
  }

  /** What keeps its local memory. */
  public Lease.Holder hold() {
    return hold;
  }

  /**
   * Goes on as another one, by other keys; this one is without use from here on.
   *
   * @param keys the local registration by local rail
   * @param theirKeys the remote's key by remote rail
   */
  public void continueAs(RequestState next, RegionKey[] keys, long[] theirKeys) {
    next.set(index, write, memory, offset, length, remoteAddress, keys, theirKeys, hold);
    next.touched = touched || (write && posted);
    next.posted = posted;
    next.ways = ways;
    next.past = past;
    past = null;
    hold = NOTHING;
  }

  /** Whether it goes on as another one. */
  boolean moved() {
    return hold == NOTHING;
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
    released = false;
    lingering = 0;
    left = 0;
    moving = false;
    touched = false;
    ways = 0;
    localRails = null;
    remoteRails = null;
    past = null;
    leaveLinks();
  }

  /** Has nothing to be fenced any more. */
  void leaveLinks() {
    if (stale != null) {
      StaleLinks.leave(stale);
      stale = null;
    }
  }

  /** Takes over what a slice leaves behind: what became of its attempts, and links to be fenced. */
  void inherit(PooledSlice slice) {
    remember(slice);
    if (slice.stale != null) {
      left += slice.length;
      for (int i = 0; i < slice.stale.size(); i++) {
        var link = slice.stale.get(i);
        if (link.fenced) {
          continue;
        }
        if (stale == null) {
          stale = new ArrayList<>(2);
        }
        if (!stale.contains(link)) {
          stale.add(link);
          link.users++;
        }
      }
    }
  }

  /** Keeps what became of a slice's attempts, where any failed. */
  void remember(PooledSlice slice) {
    if (slice.history != null) {
      if (past == null) {
        past = new Past();
      }
      past.add(slice.history);
    }
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
