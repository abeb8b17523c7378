package dev.shunt.runtime.plain.core;

import dev.shunt.api.spi.Slice;

/**
 * The requests of one connection that were not answered yet, in the order in which the answers
 * come: a ring from the oldest to the next one. A request's place is its sequence number on the
 * wire.
 */
final class Pipeline {
  /** What is asked. */
  enum Kind {
    DESCRIBE,
    SUBSCRIBE,
    DATA
  }

  private final Kind[] kinds;
  private final Slice[] slices;
  private final long[] startsAt;
  private final long[] endsAt;
  private final int mask;
  private long oldest;
  private long unstaged;
  private long next;
  private int data;

  /** With room for so many, at least. */
  Pipeline(int capacity) {
    int size = Integer.highestOneBit(Math.max(1, capacity - 1)) << 1;
    kinds = new Kind[size];
    slices = new Slice[size];
    startsAt = new long[size];
    endsAt = new long[size];
    mask = size - 1;
  }

  /** Appends; the slice is null but for DATA. */
  void add(Kind kind, Slice slice) {
    if (next - oldest > mask) {
      throw new IllegalStateException("the pipeline is full");
    }
    int slot = (int) next & mask;
    kinds[slot] = kind;
    slices[slot] = slice;
    if (kind == Kind.DATA) {
      data++;
    }
    next++;
  }

  boolean isEmpty() {
    return oldest == next;
  }

  /** How many slices it holds. */
  int data() {
    return data;
  }

  /** Whether something of a kind is still to be staged. */
  boolean isToStage(Kind kind) {
    for (long at = unstaged; at < next; at++) {
      if (kinds[(int) at & mask] == kind) {
        return true;
      }
    }
    return false;
  }

  // ---- the next to be staged

  boolean hasUnstaged() {
    return unstaged < next;
  }

  Kind unstagedKind() {
    return kinds[(int) unstaged & mask];
  }

  Slice unstagedSlice() {
    return slices[(int) unstaged & mask];
  }

  int unstagedSequence() {
    return (int) unstaged;
  }

  /** It takes these bytes of the stream. */
  void staged(long startAt, long endAt) {
    int slot = (int) unstaged & mask;
    startsAt[slot] = startAt;
    endsAt[slot] = endAt;
    unstaged++;
  }

  // ---- the oldest

  Kind kind() {
    return kinds[(int) oldest & mask];
  }

  Slice slice() {
    return slices[(int) oldest & mask];
  }

  int sequence() {
    return (int) oldest;
  }

  /** Whether more of it than so many bytes went out, of a stream of which so much did. */
  boolean begun(long head, long written) {
    return oldest < unstaged && startsAt[(int) oldest & mask] + head < written;
  }

  /** Whether all of it went out. */
  boolean sent(long written) {
    return oldest < unstaged && endsAt[(int) oldest & mask] <= written;
  }

  /** Takes it off. */
  void drop() {
    int slot = (int) oldest & mask;
    if (kinds[slot] == Kind.DATA) {
      data--;
    }
    slices[slot] = null;
    kinds[slot] = null;
    if (unstaged == oldest) {
      unstaged++;
    }
    oldest++;
  }
}
