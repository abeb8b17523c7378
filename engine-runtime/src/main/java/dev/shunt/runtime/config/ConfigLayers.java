package dev.shunt.runtime.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigResolveOptions;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What the user gives, over the modules' defaults.
 *
 * @param overrides set in code, by a path under {@code shunt}; over all else
 * @param user holds {@code shunt}; need not be resolved
 */
public record ConfigLayers(Map<String, Object> overrides, Config user) {
  private static final String ROOT = "shunt";

  /** Copies the map. */
  public ConfigLayers {
    overrides = new LinkedHashMap<>(overrides);
  }

  /** Without overrides. */
  public static ConfigLayers of(Config user) {
    return new ConfigLayers(Map.of(), user);
  }

  /** What is set in code, laid out; the later of two wins. */
  Config over() {
    var config = ConfigFactory.empty();
    for (var override : overrides.entrySet()) {
      var value = value(override.getKey(), override.getValue());
      try {
        config = config.withValue(ROOT + "." + override.getKey(), value);
      } catch (ConfigException e) {
        throw new ShuntException(
            FailureCode.CONFIGURATION,
            "set in code: shunt." + override.getKey() + ": is no path; right is rpc.probe-timeout",
            e);
      }
    }
    return config;
  }

  static ConfigValue value(String path, Object value) {
    var plain =
        switch (value) {
          case Duration duration -> duration.toNanos() + "ns";
          case Path file -> file.toString();
          case Enum<?> constant -> constant.name().toLowerCase(Locale.ROOT);
          case null ->
              throw new ShuntException(
                  FailureCode.CONFIGURATION, "set in code: shunt." + path + ": null is no value");
          default -> value;
        };
    try {
      return ConfigValueFactory.fromAnyRef(plain, "set in code");
    } catch (ConfigException e) {
      throw new ShuntException(
          FailureCode.CONFIGURATION,
          "set in code: shunt." + path + ": " + value.getClass().getName() + " is no such value",
          e);
    }
  }

  /** Whether it is safe to resolve them: what would become of them has a bound. */
  public boolean areBounded() {
    return Expansion.problem(over().withFallback(user)).isEmpty();
  }

  /**
   * These layers with what stands under {@code nodes} for a node of the name they give.
   *
   * @param defaults what substitutions may refer to besides
   */
  Config flattened(Config defaults) {
    var over = over();
    var all = over.withFallback(user);
    var resolved = resolved(all, defaults);
    var name = textAt(resolved, ROOT + ".name");
    return (name.isEmpty() ? Optional.<ConfigObject>empty() : ofNode(all, resolved, name))
        .map(own -> over.withFallback(own.atKey(ROOT)).withFallback(user))
        .orElse(all);
  }

  /** Not resolved yet where it can be had so, since what it refers to may differ for the node. */
  private static Optional<ConfigObject> ofNode(Config all, Config resolved, String name) {
    var path = List.of(ROOT, "nodes", name);
    Optional<ConfigObject> unresolved;
    try {
      unresolved = section(all.root(), path);
    } catch (ConfigException.NotResolved e) {
      unresolved = Optional.empty();
    }
    return unresolved.or(() -> section(resolved.root(), path));
  }

  private static Optional<ConfigObject> section(ConfigObject root, List<String> path) {
    var section = root;
    for (var key : path) {
      if (!(section.get(key) instanceof ConfigObject inner)) {
        return Optional.empty();
      }
      section = inner;
    }
    return Optional.of(section);
  }

  private static Config resolved(Config all, Config defaults) {
    var whole = all.withFallback(defaults);
    if (Expansion.problem(whole).isPresent()) {
      // As below.
      return all;
    }
    try {
      return whole.resolve(ConfigResolveOptions.defaults().setAllowUnresolved(true));
    } catch (ConfigException | StackOverflowError e) {
      // It is told, with its place, when all of it is resolved.
      return all;
    }
  }

  private static String textAt(Config config, String path) {
    try {
      return config.hasPath(path) ? config.getString(path) : "";
    } catch (ConfigException e) {
      // It is told, with its place, when types are checked.
      return "";
    }
  }
}
