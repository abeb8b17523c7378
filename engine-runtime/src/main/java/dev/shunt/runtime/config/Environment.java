package dev.shunt.runtime.config;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Values out of environment variables: {@code SHUNT__CONTROL__PORT=15000} is {@code control.port},
 * and {@code SHUNT__TRANSPORTS__TCP__SLICE_SIZE} is {@code transports.tcp.slice-size}. Two
 * underscores part sections, one stands for a hyphen, and letters become small. Values are HOCON,
 * as in a file. What cannot be written so (a capability's underscore, a node's capital) is reached
 * by a substitution, <code>${?NAME}</code>, in the file.
 */
public final class Environment {
  private static final String PREFIX = "SHUNT__";
  private static final Pattern NAME = Pattern.compile("SHUNT(__[A-Z0-9]+(_[A-Z0-9]+)*)+");

  private Environment() {}

  /**
   * The values, by a path under {@code shunt}, in the order of the variables' names.
   *
   * @throws InvalidConfigurationException telling all variables that begin like one of ours and are
   *     none, or whose value cannot be parsed
   */
  public static Map<String, ConfigValue> values(Map<String, String> variables) {
    var values = new LinkedHashMap<String, ConfigValue>();
    var problems = new ArrayList<Problem>();
    new TreeMap<>(variables)
        .forEach(
            (name, text) -> {
              if (name.startsWith(PREFIX)) {
                put(name, text, values, problems);
              }
            });
    if (!problems.isEmpty()) {
      throw new InvalidConfigurationException(List.copyOf(problems));
    }
    return values;
  }

  private static void put(
      String name, String text, Map<String, ConfigValue> values, List<Problem> problems) {
    var where = "environment " + name;
    if (!NAME.matcher(name).matches()) {
      problems.add(
          new Problem(
              Problem.Kind.UNREADABLE,
              where,
              "",
              "is no name of a value; right is such as SHUNT__CONTROL__PORT for control.port"));
      return;
    }
    var path =
        name.substring(PREFIX.length())
            .toLowerCase(Locale.ROOT)
            .replace("__", ".")
            .replace('_', '-');
    try {
      values.put(path, parsed(path, text, where));
    } catch (InvalidConfigurationException e) {
      problems.addAll(e.problems());
    }
  }

  /**
   * One value.
   *
   * @param path as HOCON writes it
   * @param text HOCON
   * @param origin what is told of it
   * @throws InvalidConfigurationException saying why it cannot be taken, without telling it
   */
  public static ConfigValue parsed(String path, String text, String origin) {
    var shape = Shape.of(path + "=" + text).problem();
    if (shape.isPresent()) {
      throw refused(path, origin, shape.get());
    }
    var options = ConfigParseOptions.defaults().setOriginDescription(origin);
    try {
      var unresolved = ConfigFactory.parseString(path + "=" + text, options);
      var tooLarge = Expansion.problem(unresolved);
      if (tooLarge.isPresent()) {
        throw refused(path, origin, tooLarge.get().text());
      }
      // A line of a text that is one line says nothing.
      return ConfigValueFactory.fromAnyRef(unresolved.resolve().getValue(path).unwrapped(), origin);
    } catch (ConfigException.UnresolvedSubstitution e) {
      throw refused(
          path,
          origin,
          "refers to what there is not; here right are variables of the environment, and what"
              + " refers to other values belongs into a file");
    } catch (ConfigException e) {
      throw refused(
          path,
          origin,
          "is no HOCON value; put a text with special characters into \"\", a list into []");
    }
  }

  private static InvalidConfigurationException refused(String path, String origin, String why) {
    return new InvalidConfigurationException(
        List.of(new Problem(Problem.Kind.UNREADABLE, origin, "shunt." + path, why)));
  }
}
