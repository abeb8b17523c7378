package dev.shunt.runtime.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the user gives, over the modules' defaults.
 *
 * @param overrides set in code, by a path under {@code shunt}; over all else
 * @param user holds {@code shunt}; need not be resolved
 */
public record ConfigLayers(Map<String, Object> overrides, Config user) {
  /** Copies the map. */
  public ConfigLayers {
    overrides = new LinkedHashMap<>(overrides);
  }

  /** Without overrides. */
  public static ConfigLayers of(Config user) {
    return new ConfigLayers(Map.of(), user);
  }

  /** What is set in code, laid out. */
  Config over() {
    var config = ConfigFactory.empty();
    for (var override : overrides.entrySet()) {
      config =
          config.withValue(
              "shunt." + override.getKey(), value(override.getKey(), override.getValue()));
    }
    return config;
  }

  static ConfigValue value(String path, Object value) {
    var plain =
        switch (value) {
          case Duration duration -> duration.toNanos() + "ns";
          case Path file -> file.toString();
          case Enum<?> constant -> constant.name().toLowerCase(java.util.Locale.ROOT);
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

  /** These layers with what stands under {@code nodes} for a node of the name they give. */
  Config flattened() {
    var all = over().withFallback(user);
    var name = textAt(all, "shunt.name");
    if (!name.isEmpty()
        && all.root().get("shunt") instanceof com.typesafe.config.ConfigObject shunt
        && shunt.get("nodes") instanceof com.typesafe.config.ConfigObject nodes
        && nodes.get(name) instanceof com.typesafe.config.ConfigObject own) {
      return over().withFallback(own.atKey("shunt")).withFallback(user);
    }
    return all;
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
