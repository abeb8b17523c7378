package dev.shunt.runtime.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * How much becomes of a configuration when its substitutions are resolved, from above. A few dozen
 * lines of which each names the one before it twice would take more memory than there is, and the
 * library does not give up; so it is counted first, without making any of it. Of one thread.
 */
final class Expansion {
  /** Characters of all that was resolved; 8 times what a file may have. */
  static final long MOST = 8L << 20;

  /** Values that refer to one another in a circle are looked at again each time. */
  private static final int MOST_CIRCLES = 16;

  /** Values that lead on to one another; the library goes down its stack for each. */
  private static final int DEEPEST = 500;

  /** Values over one another at one key; the library looks at each several times for each other. */
  private static final int MOST_LAYERS = 64;

  private static final long FAR = 4 * MOST;

  static final String TOO_OFTEN =
      "is given too often, with substitutions or +=; right is at most "
          + MOST_LAYERS
          + " times, so write what it comes to once";

  static final String TOO_MUCH =
      "grows too large where its substitutions are resolved; right is at most "
          + (MOST >> 20)
          + " MiB of text, so name a value that is large, or made of many, less often";

  private final ConfigObject root;
  private final UnaryOperator<String> environment;
  private final Map<List<String>, Long> known = new HashMap<>();
  private final Set<List<String>> within = new LinkedHashSet<>();
  private int circles;
  private boolean tooDeep;
  private Place tooOften;

  /** The first that was found to be too much by itself. */
  private Place first;

  private record Place(List<String> path, ConfigValue value) {
    Problem problem(String text) {
      // All of it has no line of its own, nor a name.
      return path.isEmpty()
          ? new Problem(Problem.Kind.UNREADABLE, "", "shunt", text)
          : Problem.at(value.origin(), Problem.Kind.UNREADABLE, ConfigUtil.joinPath(path), text);
    }
  }

  private Expansion(ConfigObject root, UnaryOperator<String> environment) {
    this.root = root;
    this.environment = environment;
  }

  /** Why it is not to be resolved, if it is not. */
  static Optional<Problem> problem(Config config) {
    return problem(config, System::getenv);
  }

  static Optional<Problem> problem(Config config, UnaryOperator<String> environment) {
    if (config.isResolved()) {
      return Optional.empty();
    }
    var expansion = new Expansion(config.root(), environment);
    var all = new Place(List.of(), config.root());
    long size = expansion.size(all);
    if (expansion.tooOften != null) {
      return Optional.of(expansion.tooOften.problem(TOO_OFTEN));
    }
    var first = expansion.first == null ? all : expansion.first;
    if (expansion.tooDeep) {
      return Optional.of(first.problem(Resolution.ENDLESS));
    }
    return times(size, 1L << expansion.circles) > MOST
        ? Optional.of(first.problem(TOO_MUCH))
        : Optional.empty();
  }

  private long size(Place place) {
    tooDeep |= within.size() > DEEPEST;
    if (tooDeep || circles > MOST_CIRCLES) {
      tooMuch(place);
      return FAR;
    }
    var before = known.get(place.path());
    if (before != null) {
      return before;
    }
    int circlesBefore = circles;
    long size = 0;
    long most = 0;
    var largest = place;
    try {
      if (place.value() instanceof ConfigObject object) {
        for (var entry : object.entrySet()) {
          var inner = new Place(Secrets.with(place.path(), entry.getKey()), entry.getValue());
          long one = size(inner);
          size = plus(size, entry.getKey().length() + one);
          largest = one > most ? inner : largest;
          most = Math.max(most, one);
        }
      } else {
        size = waiting(place);
      }
    } catch (ConfigException.NotResolved notYet) {
      size = waiting(place);
    }
    if (size > MOST) {
      tooMuch(place.path().isEmpty() ? largest : place);
    }
    if (circles == circlesBefore) {
      known.put(place.path(), size);
    }
    return size;
  }

  private void tooMuch(Place place) {
    first = first == null ? place : first;
  }

  /** Of one that is no section, or none that can be looked into yet. */
  private long waiting(Place place) {
    if (!within.add(place.path())) {
      circles++;
      return 0;
    }
    long size = 0;
    // What lies over one another at one key is shown with commas between, the lowest first.
    var layers = Redacted.layers(place.value().render(ConfigRenderOptions.concise()));
    tooOften = layers.size() > MOST_LAYERS && tooOften == null ? place : tooOften;
    for (var layer : layers) {
      size = layer(place.path(), layer, size);
    }
    within.remove(place.path());
    return size;
  }

  /** With what lies below it, which it may name. */
  private long layer(List<String> path, String text, long below) {
    long size = text.length();
    int itself = 0;
    int parts = 0;
    for (var reference : Redacted.substitutions(text)) {
      var named = path(reference);
      if (named.equals(path)) {
        itself++;
      } else if (named.size() > path.size() && named.subList(0, path.size()).equals(path)) {
        parts++;
      } else {
        size = plus(size, named(reference, named));
      }
    }
    size = plus(size, times(below, Math.max(1, itself)));
    // Of so many, in whatever way they name each other, no more can become than where each three
    // stand in one value that the next three name.
    for (int i = 0; parts > 1 && i < (parts + 2) / 3; i++) {
      size = times(size, 3);
    }
    return size;
  }

  private long named(String reference, List<String> path) {
    var target = target(path);
    if (target == null) {
      var value = environment.apply(String.join(".", path));
      return value == null ? reference.length() : value.length();
    }
    return size(target);
  }

  /** What stands at a path, or what it waits for on the way; null if there is nothing. */
  private Place target(List<String> path) {
    ConfigValue value = root;
    for (int i = 0; i < path.size(); i++) {
      if (!(value instanceof ConfigObject object)) {
        return isResolved(value) ? null : new Place(path.subList(0, i), value);
      }
      try {
        value = object.get(path.get(i));
      } catch (ConfigException.NotResolved waiting) {
        return new Place(path.subList(0, i), value);
      }
      if (value == null) {
        return null;
      }
    }
    return new Place(path, value);
  }

  private static boolean isResolved(ConfigValue value) {
    try {
      value.valueType();
      return true;
    } catch (ConfigException.NotResolved e) {
      return false;
    }
  }

  private static List<String> path(String reference) {
    int from = reference.startsWith("${?") ? 3 : 2;
    try {
      return ConfigUtil.splitPath(reference.substring(from, reference.length() - 1));
    } catch (ConfigException | IndexOutOfBoundsException e) {
      return List.of(reference);
    }
  }

  private static long plus(long a, long b) {
    return Math.min(FAR, a + b);
  }

  private static long times(long a, long b) {
    return a >= FAR / Math.max(1, b) ? Math.min(FAR, a * Math.min(b, FAR)) : a * b;
  }
}
