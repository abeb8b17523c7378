package dev.shunt.runtime.descriptor;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

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
   * What follows from where rails are: each is near to the memory of its own place, and one of
   * which that is not known to all memory. The others are taken when none of the near ones can be.
   *
   * @param rails their names
   * @param places where each is, such as {@code cpu:0}, or an empty text
   * @return {@link #NONE} unless they are at several places
   */
  public static RailMatrix near(List<String> rails, List<String> places) {
    var known = new TreeSet<>(places);
    known.remove("");
    if (known.size() < 2) {
      return NONE;
    }
    var locations = new TreeMap<String, Ranks>();
    for (var place : known) {
      var near = new ArrayList<String>();
      var far = new ArrayList<String>();
      for (int i = 0; i < rails.size(); i++) {
        var there = places.get(i);
        (there.isEmpty() || there.equals(place) ? near : far).add(rails.get(i));
      }
      locations.put(place, new Ranks(near, far));
    }
    locations.put("*", new Ranks(rails, List.of()));
    return new RailMatrix(locations);
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
