package dev.shunt.runtime.sim;

import java.util.EnumMap;
import java.util.Map;

/** What one side of a pair of nodes has, of all that may be otherwise. */
final class Side {
  private final Map<Feature, Integer> levels = new EnumMap<>(Feature.class);

  /** As all have it. */
  Side() {}

  Side with(Feature feature, int level) {
    var other = new Side();
    other.levels.putAll(levels);
    if (level == 0) {
      other.levels.remove(feature);
    } else {
      other.levels.put(feature, level);
    }
    return other;
  }

  int level(Feature feature) {
    return levels.getOrDefault(feature, 0);
  }

  boolean has(Feature feature) {
    return level(feature) == 0;
  }

  /** Whether payloads are checked between two such nodes, so that no damage goes unnoticed. */
  boolean checksPayloads() {
    return level(Feature.CHECKSUM) == 1 && level(Feature.STREAM) < Feature.STREAM.levels() - 1;
  }

  /** Sets all of it in a configuration, as far as a transport's nodes know of it. */
  void set(String transport, Map<String, Object> config) {
    for (var feature : Feature.values()) {
      if (feature.concerns(transport)) {
        feature.set(level(feature), config);
      }
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Side side && levels.equals(side.levels);
  }

  @Override
  public int hashCode() {
    return levels.hashCode();
  }

  @Override
  public String toString() {
    return levels.toString();
  }
}
