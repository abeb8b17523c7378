package dev.shunt.runtime.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import dev.shunt.runtime.descriptor.DescriptorLimits;
import dev.shunt.runtime.descriptor.RailMatrix;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/** {@code shunt.transports.ID.topology}: which rails are near to which memory. */
public final class TopologyConfig {
  private static final String KEY = "topology";
  private static final String RIGHT =
      "; right is \"cpu:0\": [[preferred rails], [available rails]]";

  private TopologyConfig() {}

  /** Reads it; what is wrong in it is told to the values. */
  static void check(Values values, String transport) {
    var at = "transports." + transport + "." + KEY;
    var section = values.root().getConfig(Strictness.join("shunt.transports", transport));
    if (!section.hasPath(KEY)) {
      return;
    }
    var object = section.getObject(KEY);
    if (object.size() > DescriptorLimits.MAX_LOCATIONS) {
      values.wrong(
          object.origin(),
          at,
          object.size() + " locations; right are " + DescriptorLimits.MAX_LOCATIONS + " at most");
    }
    for (var entry : new TreeMap<>(object).entrySet()) {
      var value = entry.getValue();
      var problem = problem(entry.getKey(), value);
      if (!problem.isEmpty()) {
        values.wrong(value.origin(), at, "\"" + entry.getKey() + "\" " + problem);
      }
    }
  }

  private static String problem(String location, ConfigValue value) {
    if (location.isBlank() || location.length() > DescriptorLimits.MAX_NAME) {
      return "is no location" + RIGHT;
    }
    if (!(value instanceof ConfigList lists)) {
      return "has no list" + RIGHT;
    }
    if (lists.size() != 2) {
      return "has " + lists.size() + " lists of rails" + RIGHT;
    }
    var seen = new HashSet<String>();
    for (var list : lists) {
      if (!(list instanceof ConfigList names)) {
        return "has what is no list of rails" + RIGHT;
      }
      for (var name : names) {
        if (name.valueType() != ConfigValueType.STRING) {
          return "has what is no name of a rail: " + ValueType.kind(name);
        }
        if (!seen.add((String) name.unwrapped())) {
          return "has rail " + name.unwrapped() + " twice; right is once";
        }
      }
    }
    return "";
  }

  /**
   * Reads it from a transport's section, which was checked.
   *
   * @param section {@code shunt.transports.ID}
   */
  public static RailMatrix read(Config section) {
    if (!section.hasPath(KEY)) {
      return RailMatrix.NONE;
    }
    var locations = new TreeMap<String, RailMatrix.Ranks>();
    section
        .getObject(KEY)
        .forEach(
            (location, value) -> {
              var lists = (ConfigList) value;
              locations.put(
                  location, new RailMatrix.Ranks(names(lists.get(0)), names(lists.get(1))));
            });
    return new RailMatrix(locations);
  }

  private static List<String> names(ConfigValue list) {
    return ((ConfigList) list).stream().map(name -> (String) name.unwrapped()).toList();
  }

  /** What it names that is no rail, a text for each. */
  public static List<String> unknown(RailMatrix matrix, Collection<String> rails) {
    var texts = new ArrayList<String>();
    var told = new TreeSet<String>();
    matrix
        .locations()
        .forEach(
            (location, ranks) -> {
              for (var names : List.of(ranks.preferred(), ranks.available())) {
                for (var name : names) {
                  if (!rails.contains(name) && told.add(name)) {
                    texts.add(text(location, name, rails));
                  }
                }
              }
            });
    return texts;
  }

  private static String text(String location, String name, Collection<String> rails) {
    var near = Nearest.to(name, rails);
    return "its topology has rail '"
        + name
        + "' for "
        + location
        + ", which there is not"
        + near.map(n -> "; did you mean " + n + "?")
            .orElse("; there are " + String.join(", ", rails));
  }
}
