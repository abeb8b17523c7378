package dev.shunt.runtime.config;

import com.typesafe.config.ConfigOrigin;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Something wrong with a value.
 *
 * @param kind for machines
 * @param where file and line as far as they are known, or what else gave the value
 * @param path the key, from the root; empty where it is about a file
 * @param text what is wrong, and what would be right
 */
public record Problem(Kind kind, String where, String path, String text) {
  private static final int LONGEST_PATH = 512;

  /** Cuts a path that nobody would read to its end. */
  public Problem {
    path = path.length() > LONGEST_PATH ? path.substring(0, LONGEST_PATH) + "..." : path;
  }

  /** By file and line, as somebody goes through them. */
  static final Comparator<Problem> IN_ORDER =
      Comparator.comparing((Problem p) -> p.where().replaceFirst(":\\d+$", ""))
          .thenComparing(Problem::line);

  /** What kind of mistake it is. */
  public enum Kind {
    /** Nobody reads such a key. */
    UNKNOWN_KEY,
    /** A key that stands elsewhere. */
    WRONG_SECTION,
    /** A section for a plug-in that is not there. */
    UNKNOWN_PLUGIN,
    /** Text where a number belongs, and the like. */
    WRONG_TYPE,
    /** A time or a size that is a bare number. */
    NO_UNIT,
    /** Right in kind, but too small, too large, or none of the choices. */
    OUT_OF_RANGE,
    /** It cannot be read or resolved at all. */
    UNREADABLE,
    /** Stands for all that are left out, since there are so many. */
    MORE
  }

  /** How many are told. */
  static final int MOST = 50;

  /** The first of them, and how many more there are. */
  static List<Problem> few(List<Problem> all, int more) {
    int told = Math.min(MOST, all.size());
    int left = all.size() - told + more;
    boolean isCut = told < all.size() && all.getLast().kind() == Kind.MORE;
    if (left == 0 || isCut) {
      return List.copyOf(all);
    }
    var few = new ArrayList<>(all.subList(0, told));
    few.add(new Problem(Kind.MORE, "", "", "and " + left + " more"));
    return List.copyOf(few);
  }

  static Problem at(ConfigOrigin origin, Kind kind, String path, String text) {
    return new Problem(kind, where(origin), path, text);
  }

  /** File and line, as {@code file:line}. */
  static String where(ConfigOrigin origin) {
    if (origin == null) {
      return "";
    }
    var line = origin.lineNumber();
    var description =
        origin.filename() != null
            ? origin.filename()
            : origin
                .description()
                .replaceFirst("^String: \\d+$", "a text")
                .replaceFirst(": \\d+(-\\d+)?$", "");
    return line > 0 ? description + ":" + line : description;
  }

  private int line() {
    var digits = where.replaceFirst("^.*?(:(\\d{1,9}))?$", "$2");
    return digits.isEmpty() ? 0 : Integer.parseInt(digits);
  }

  /** On one line. */
  public String describe() {
    return (where.isEmpty() ? "" : where + ": ") + (path.isEmpty() ? "" : path + ": ") + text;
  }
}
