package dev.shunt.runtime.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigResolveOptions;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The user's values over the defaults, resolved. What refers to nothing is told and left out, so
 * that the rest can be checked all the same.
 *
 * @param config all of it; the defaults alone where nothing could be resolved
 * @param problems what could not
 * @param whole whether anything of the user's is in it
 */
record Resolution(Config config, List<Problem> problems, boolean whole) {
  private static final Pattern AT_KEY = Pattern.compile("Invalid value at '([^']+)': (.*)");

  /** Each costs a copy of its section. */
  private static final int MOST_LEFT_OUT = 1000;

  private static final int MOST_NAMED = 8;

  static final String ENDLESS =
      "is nested too deeply, or its substitutions lead on and on to one another";

  static Resolution of(Config user, Config defaults) {
    var unbounded = Expansion.problem(user.withFallback(defaults));
    if (unbounded.isPresent()) {
      return none(defaults, unbounded.get());
    }
    try {
      return new Resolution(user.withFallback(defaults).resolve(), List.of(), true);
    } catch (StackOverflowError e) {
      return none(defaults, endless(user));
    } catch (ConfigException e) {
      var problems = new ArrayList<Problem>();
      var rest = without(user, defaults, problems);
      if (!problems.isEmpty()) {
        try {
          return new Resolution(rest.withFallback(defaults).resolve(), problems, true);
        } catch (ConfigException | StackOverflowError _) {
          return new Resolution(defaults.resolve(), problems, false);
        }
      }
      return none(defaults, unresolved("shunt", e));
    }
  }

  private static Resolution none(Config defaults, Problem problem) {
    return new Resolution(defaults.resolve(), List.of(problem), false);
  }

  /** Where nobody knows the place, at least the file. */
  static Problem endless(Config user) {
    var where = Problem.where(user.origin()).replaceFirst(":\\d+$", "");
    return new Problem(Problem.Kind.UNREADABLE, where, "shunt", ENDLESS);
  }

  /** What the library says of a configuration whose secrets are not known yet. */
  static Problem unresolved(String path, ConfigException e) {
    var problem = problem(Problem.Kind.UNREADABLE, path, e);
    return new Problem(
        problem.kind(), problem.where(), problem.path(), Redacted.message(problem.text()));
  }

  private static Config without(Config user, Config defaults, List<Problem> problems) {
    try {
      var partly =
          user.resolveWith(
              user.withFallback(defaults),
              ConfigResolveOptions.defaults().setAllowUnresolved(true));
      var paths = new ArrayList<String>();
      find(partly.root(), List.of(), paths, problems);
      if (paths.size() > MOST_LEFT_OUT) {
        return ConfigFactory.empty();
      }
      var rest = user;
      for (var path : paths) {
        rest = rest.withoutPath(path);
      }
      return rest;
    } catch (ConfigException | StackOverflowError e) {
      return ConfigFactory.empty();
    }
  }

  private static void find(
      ConfigObject object, List<String> path, List<String> paths, List<Problem> problems) {
    object.forEach((key, value) -> find(value, Secrets.with(path, key), paths, problems));
  }

  private static void find(
      ConfigValue value, List<String> path, List<String> paths, List<Problem> problems) {
    boolean resolved = isResolved(value);
    if (resolved && value instanceof ConfigObject inner) {
      find(inner, path, paths, problems);
    } else if (!resolved) {
      var at = ConfigUtil.joinPath(path);
      paths.add(at);
      problems.add(
          Problem.at(
              value.origin(),
              Problem.Kind.UNREADABLE,
              at,
              references(value)
                  + " refers to nothing; right is a key of this file, from its root, or a variable"
                  + " of the environment; ${?NAME} may be missing"));
    }
  }

  private static String references(ConfigValue value) {
    var found = Redacted.references(value.render(ConfigRenderOptions.concise()));
    return found.isEmpty()
        ? "what it refers to"
        : String.join(", ", found.subList(0, Math.min(MOST_NAMED, found.size())));
  }

  /** What stands within a list cannot be left out by a path, so a section there counts whole. */
  private static boolean isWhole(ConfigValue value) {
    return isResolved(value)
        && (!(value instanceof ConfigObject object)
            || object.values().stream().allMatch(Resolution::isWhole));
  }

  private static boolean isResolved(ConfigValue value) {
    try {
      value.valueType();
      return !(value instanceof ConfigList list) || list.stream().allMatch(Resolution::isWhole);
    } catch (ConfigException.NotResolved e) {
      return false;
    }
  }

  static Problem problem(Problem.Kind kind, String path, ConfigException e) {
    var text = String.valueOf(e.getMessage());
    var prefix = e.origin() == null ? "" : e.origin().description() + ": ";
    text = text.startsWith(prefix) ? text.substring(prefix.length()) : text;
    var key = AT_KEY.matcher(text);
    return key.matches()
        ? Problem.at(e.origin(), kind, path + "." + key.group(1), key.group(2))
        : Problem.at(e.origin(), kind, path, text);
  }
}
