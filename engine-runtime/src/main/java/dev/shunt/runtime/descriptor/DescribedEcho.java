package dev.shunt.runtime.descriptor;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Memory of the described node's own, whose content is known: who reads it by a path knows whether
 * the path works.
 *
 * @param address its first byte, as others name it
 * @param length bytes, {@link #LEAST} or more
 * @param keys for each transport's id one key for each of its rails
 */
public record DescribedEcho(long address, long length, Map<String, List<Long>> keys) {
  /** So many bytes it has at least. */
  public static final long LEAST = 64;

  /** Copies, and checks the range. */
  public DescribedEcho {
    if (address < 0 || length < LEAST || address > Long.MAX_VALUE - length) {
      throw new IllegalArgumentException(
          length
              + " bytes at "
              + Long.toUnsignedString(address)
              + " are no range of "
              + LEAST
              + " bytes or more");
    }
    var sorted = new TreeMap<String, List<Long>>();
    keys.forEach((id, list) -> sorted.put(id, List.copyOf(list)));
    keys = Collections.unmodifiableMap(sorted);
  }

  /** The keys of one transport, by rail; none if it has none. */
  public List<Long> of(String transport) {
    return keys.getOrDefault(transport, List.of());
  }
}
