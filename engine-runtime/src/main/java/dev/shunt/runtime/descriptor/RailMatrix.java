package dev.shunt.runtime.descriptor;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which rails of a transport are near to memory, by where that lies: Mooncake's priority matrix.
 *
 * @param locations such as {@code cpu:0}; {@code *} is for all that are not named. Empty: all rails
 *     are near to everything
 */
public record RailMatrix(Map<String, Ranks> locations) {
  /** All rails are near to everything. */
  public static final RailMatrix NONE = new RailMatrix(Map.of());

  /** Sorts. */
  public RailMatrix {
    locations = Collections.unmodifiableMap(new TreeMap<>(locations));
  }

  /**
   * The rails for one location, by name; what is in neither list is not used for it.
   *
   * @param preferred are taken first
   * @param available are taken when none of those can be
   */
  public record Ranks(List<String> preferred, List<String> available) {
    /** Copies. */
    public Ranks {
      preferred = List.copyOf(preferred);
      available = List.copyOf(available);
    }
  }

  /** What counts for memory; null if all rails are near to it. */
  public Ranks of(String location) {
    var own = locations.get(location);
    return own != null ? own : locations.get("*");
  }
}
