package dev.shunt.runtime.descriptor;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * A rail of the described node.
 *
 * @param name the node's name for it
 * @param attributes what its transport tells of it; sorted
 */
public record DescribedRail(String name, Map<String, String> attributes) {
  /** Sorts. */
  public DescribedRail {
    attributes = Collections.unmodifiableMap(new TreeMap<>(attributes));
  }
}
