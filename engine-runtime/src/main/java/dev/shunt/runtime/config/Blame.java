package dev.shunt.runtime.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Who is to blame where a default is complained of: it is right by itself, and wrong only beside
 * what the user gave. That value is found by leaving out one after the other.
 */
final class Blame {
  /** Of those that are left out; each time all is checked again. */
  private static final int MOST = 256;

  private final Config config;
  private final Config defaults;

  /**
   * @param config where something is wrong
   * @param defaults what counts where the user gives nothing
   */
  Blame(Config config, Config defaults) {
    this.config = config;
    this.defaults = defaults;
  }

  /**
   * The same problem at the user's value, if it was one at a default.
   *
   * @param isLeft whether it is still complained of the same
   */
  Problem of(Problem problem, Predicate<Config> isLeft) {
    if (!isOfDefaults(problem)) {
      return problem;
    }
    for (var path : given(around(problem.path()))) {
      if (!isLeft.test(config.withValue(path, defaults.getValue(path)))) {
        var value = config.getValue(path);
        return Problem.at(
            value.origin(),
            problem.kind(),
            path,
            "does not go with the default of " + problem.path() + ": " + problem.text());
      }
    }
    return problem;
  }

  /** Whether it is about a value that nobody gave. */
  boolean isOfDefaults(Problem problem) {
    var own = at(defaults, problem.path());
    return own.isPresent()
        && problem.where().equals(Problem.where(own.get().origin()))
        && at(config, problem.path()).equals(own);
  }

  private static List<String> around(String path) {
    var keys = ConfigUtil.splitPath(path);
    return keys.subList(0, keys.size() - 1);
  }

  /** What the user gives instead of a default, in a section. */
  private List<String> given(List<String> section) {
    var paths = new ArrayList<String>();
    if (at(config, ConfigUtil.joinPath(section)).orElse(null) instanceof ConfigObject object) {
      gather(object, section, paths);
    }
    return paths.subList(0, Math.min(MOST, paths.size()));
  }

  private void gather(ConfigObject object, List<String> path, List<String> paths) {
    object.forEach(
        (key, value) -> {
          var inner = Secrets.with(path, key);
          var at = ConfigUtil.joinPath(inner);
          var before = at(defaults, at);
          if (before.isEmpty()) {
            return;
          }
          if (value instanceof ConfigObject section && !section.isEmpty()) {
            gather(section, inner, paths);
          } else if (!before.get().equals(value)) {
            paths.add(at);
          }
        });
  }

  private static Optional<ConfigValue> at(Config config, String path) {
    try {
      return config.hasPath(path) ? Optional.of(config.getValue(path)) : Optional.empty();
    } catch (ConfigException noPath) {
      return Optional.empty();
    }
  }
}
