package dev.shunt.runtime.transfer.core;

import java.util.ArrayDeque;

/**
 * A lane's slices. It grows to what the windows of the lane's flows, and what drains, ever needed
 * at once, and stays there.
 */
public final class SlicePool {
  private final ArrayDeque<PooledSlice> free = new ArrayDeque<>();
  private long made;

  PooledSlice take() {
    var slice = free.pollLast();
    if (slice == null) {
      made++;
      return new PooledSlice();
    }
    return slice;
  }

  void give(PooledSlice slice) {
    slice.clear();
    free.addLast(slice);
  }

  /** How many are in use. */
  public long inUse() {
    return made - free.size();
  }
}
