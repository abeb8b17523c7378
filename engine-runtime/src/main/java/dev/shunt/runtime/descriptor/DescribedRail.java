package dev.shunt.runtime.descriptor;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * A rail of the described node.
 *
 * @param name the node's name for it
 * @param attributes what its transport tells of it; sorted
 * @param inactive whether the node does not use it now; it keeps its place
 */
public record DescribedRail(String name, Map<String, String> attributes, boolean inactive) {
  /** Sorts. */
  public DescribedRail {
    attributes = Collections.unmodifiableMap(new TreeMap<>(attributes));
  }

  /** One that is in use. */
  public DescribedRail(String name, Map<String, String> attributes) {
    this(name, attributes, false);
  }
}
