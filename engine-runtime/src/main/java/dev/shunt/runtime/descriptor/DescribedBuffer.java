package dev.shunt.runtime.descriptor;

import dev.shunt.api.Access;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Registered memory that others may reach.
 *
 * @param address its first byte, as others name it
 * @param length bytes, from 1
 * @param access what others may do; a plain peer does not tell, and is taken to allow both
 * @param location such as {@code cpu:0}
 * @param tentTransports TENT's numbers of the transports that a TENT peer may use, such as 7 for
 *     TCP
 * @param rkeys RDMA keys as TENT lists them, pairing with the descriptor's devices; 32 bits each,
 *     unsigned
 * @param keys for each transport's id one key for each of its rails; empty from a plain peer
 */
public record DescribedBuffer(
    long address,
    long length,
    Access access,
    String location,
    List<Integer> tentTransports,
    List<Long> rkeys,
    Map<String, List<Long>> keys) {

  /** Copies, and checks the range. */
  public DescribedBuffer {
    if (address < 0 || length < 1 || address > Long.MAX_VALUE - length) {
      throw new IllegalArgumentException(
          "a buffer of " + length + " bytes at " + Long.toUnsignedString(address) + " is no range");
    }
    if (access == Access.LOCAL) {
      throw new IllegalArgumentException("a buffer that others may not reach is not described");
    }
    tentTransports = List.copyOf(tentTransports);
    rkeys = List.copyOf(rkeys);
    var sorted = new TreeMap<String, List<Long>>();
    keys.forEach((id, list) -> sorted.put(id, List.copyOf(list)));
    keys = Collections.unmodifiableMap(sorted);
  }

  /** Whether a range lies wholly in it. */
  public boolean contains(long from, long bytes) {
    return from >= address && bytes >= 0 && bytes <= length && from - address <= length - bytes;
  }
}
