package dev.shunt.runtime.config;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;

/** Finds the known name that was probably meant. */
final class Nearest {
  /** Longer than any key there is. */
  private static final int LONGEST = 128;

  private Nearest() {}

  /** The nearest of some names, if one is near enough. */
  static Optional<String> to(String name, Collection<String> known) {
    if (name.length() > LONGEST) {
      return Optional.empty();
    }
    int least = Math.max(2, name.length() / 3) + 1;
    var nearest = Optional.<String>empty();
    int letters = plain(name).length();
    for (var one : new TreeSet<>(known)) {
      // Letters that one has and the other lacks are a distance already.
      if (Math.abs(plain(one).length() - letters) < least) {
        int distance = distance(name, one);
        if (distance < least) {
          least = distance;
          nearest = Optional.of(one);
        }
      }
    }
    return nearest;
  }

  /**
   * How many letters were left out, put in, changed, or swapped with their neighbour. Another way
   * to part words ({@code recoveryDelay}, {@code recovery_delay}) is no difference.
   */
  static int distance(String one, String other) {
    var a = plain(one);
    var b = plain(other);
    var table = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        table[i][j] = i == 0 ? j : j == 0 ? i : step(table, a, b, i, j);
      }
    }
    return table[a.length()][b.length()];
  }

  private static int step(int[][] table, String a, String b, int i, int j) {
    boolean same = a.charAt(i - 1) == b.charAt(j - 1);
    int least = table[i - 1][j - 1] + (same ? 0 : 1);
    least = Math.min(least, Math.min(table[i - 1][j], table[i][j - 1]) + 1);
    boolean swapped =
        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
    return swapped ? Math.min(least, table[i - 2][j - 2] + 1) : least;
  }

  private static String plain(String name) {
    return name.replace("-", "").replace("_", "").toLowerCase(Locale.ROOT);
  }
}
