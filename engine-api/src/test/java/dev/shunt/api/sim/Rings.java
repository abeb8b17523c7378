package dev.shunt.api.sim;

import java.util.ArrayDeque;

/** Byte arrays for socket buffers, used again: of one thread, for one world after another. */
public final class Rings {
  private final ArrayDeque<?>[] free = new ArrayDeque<?>[32];

  /** An empty pool. */
  public Rings() {}

  @SuppressWarnings("unchecked")
  private ArrayDeque<byte[]> pool(int shift) {
    if (free[shift] == null) {
      free[shift] = new ArrayDeque<byte[]>();
    }
    return (ArrayDeque<byte[]>) free[shift];
  }

  /** An array whose length is the next power of two; what is in it is left from before. */
  byte[] take(int atLeast) {
    int shift = 32 - Integer.numberOfLeadingZeros(Math.max(64, atLeast) - 1);
    byte[] ring = pool(shift).poll();
    return ring != null ? ring : new byte[1 << shift];
  }

  void give(byte[] ring) {
    var pool = pool(Integer.numberOfTrailingZeros(ring.length));
    if (pool.size() < 64) {
      pool.push(ring);
    }
  }
}
