package dev.shunt.transport.nof.core;

import java.lang.foreign.MemorySegment;

/**
 * A command that is being prepared or under way. Made once, used again: whoever {@link Queue#take}s
 * one fills it and gives it to {@link Queue#submit}.
 */
public final class Slot {
  private static final int INDEX_BITS = 12;

  final int index;
  final MemorySegment entries;
  private int use;

  Object owner;
  boolean write;
  MemorySegment memory;
  long offset;
  long length;

  boolean inCapsule;
  boolean encoded;
  boolean ended;
  boolean badDigest;
  int status;
  long result;

  /** Bytes of a read that have come, or of a write that were asked for. */
  long moved;

  boolean asked;
  int tag;
  long askedFrom;
  long askedEnd;

  /** Where in the stream its first byte of data stands, and where its last byte so far ends. */
  long dataAt;

  long endAt;
  long deadline;
  Slot older;
  Slot newer;

  Slot(int index, MemorySegment entries) {
    this.index = index;
    this.entries = entries;
  }

  static int index(int commandId) {
    return commandId & ((1 << INDEX_BITS) - 1);
  }

  int commandId() {
    return use << INDEX_BITS | index;
  }

  /** Where its submission queue entry stands in {@link #entry()}. */
  long at() {
    return (long) index * Sqe.LENGTH;
  }

  /** The memory of all submission queue entries. */
  MemorySegment entry() {
    return entries;
  }

  /** A stale answer is told by these bits: they differ from one use to the next. */
  void begin(Object owner) {
    use = use + 1 & 0xf;
    this.owner = owner;
    write = false;
    memory = null;
    offset = 0;
    length = 0;
    inCapsule = false;
    encoded = false;
    ended = false;
    badDigest = false;
    status = 0;
    result = 0;
    moved = 0;
    asked = false;
    dataAt = Long.MAX_VALUE;
    endAt = 0;
  }

  /** What the command reads into, or writes from. */
  public void data(boolean write, MemorySegment memory, long offset, long length) {
    this.write = write;
    this.memory = memory;
    this.offset = offset;
    this.length = length;
  }
}
