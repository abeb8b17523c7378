package dev.shunt.runtime.config;

import java.util.Collection;
import java.util.TreeSet;

/** Lists names that somebody made up, of which there may be thousands, and long ones. */
public final class Names {
  private static final int MOST = 16;
  private static final int LONGEST = 64;

  private Names() {}

  /** The first of them, sorted and with commas between, and how many more there are. */
  public static String few(Collection<String> names) {
    var few = String.join(", ", new TreeSet<>(names).stream().limit(MOST).map(Names::cut).toList());
    return names.size() > MOST ? few + " and " + (names.size() - MOST) + " more" : few;
  }

  private static String cut(String name) {
    return name.length() > LONGEST ? name.substring(0, LONGEST) + "..." : name;
  }
}
