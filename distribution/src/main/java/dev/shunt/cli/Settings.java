package dev.shunt.cli;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import dev.shunt.api.Engine;
import dev.shunt.api.EngineFactory;
import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import dev.shunt.runtime.config.ConfigFile;
import dev.shunt.runtime.config.ConfigLayers;
import dev.shunt.runtime.config.ConfigLoader;
import dev.shunt.runtime.config.Environment;
import dev.shunt.runtime.config.Inspection;
import dev.shunt.runtime.config.InvalidConfigurationException;
import dev.shunt.runtime.config.Names;
import dev.shunt.runtime.discovery.Given;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Configuration out of a file, the environment and single values.
 *
 * @param file what a cluster's nodes share, not resolved yet
 * @param values over it, by a path below {@code shunt}; they still know where they came from
 */
record Settings(Config file, Map<String, ConfigValue> values) {
  private static final String SECTION = "shunt";

  /** That of both times below in reference.conf. */
  private static final Duration DEFAULT_TIME = Duration.ofSeconds(30);

  /** Without an environment. */
  static Settings of(Optional<Path> file, List<String> own, List<String> given) {
    return of(file, own, Map.of(), given);
  }

  /**
   * A file, a command's own values over it, environment variables over those, and over all of them
   * what its caller gave.
   */
  static Settings of(
      Optional<Path> file, List<String> own, Map<String, String> environment, List<String> given) {
    var values = new LinkedHashMap<String, ConfigValue>();
    var wrong = new ArrayList<String>();
    for (var text : own) {
      put(text, values, wrong);
    }
    Environment.values(environment).forEach((path, value) -> put(path, value, values));
    for (var text : given) {
      put(text, values, wrong);
    }
    if (!wrong.isEmpty()) {
      throw new ShuntException(FailureCode.CONFIGURATION, String.join("\n", wrong));
    }
    return new Settings(file.map(Settings::read).orElseGet(ConfigFactory::empty), values);
  }

  /** Opens an engine with them. */
  Engine open() {
    var builder = EngineFactory.installed().builder().config(file);
    values.forEach(builder::set);
    return builder.open();
  }

  /** The same with other values over all of them. */
  Settings with(Map<String, ConfigValue> over) {
    var all = new LinkedHashMap<>(values);
    over.forEach((path, value) -> put(path, value, all));
    return new Settings(file, all);
  }

  /** The same, over values of a command's own that give way to everything else. */
  Settings over(Map<String, Object> defaults) {
    return new Settings(
        file.withFallback(ConfigFactory.parseMap(defaults, "shunt's own defaults")), values);
  }

  /** What an engine would start with, and all that is wrong with it. */
  Inspection inspect() {
    return ConfigLoader.inspect(new ConfigLayers(new LinkedHashMap<>(values), file), Given.NONE);
  }

  /** How long a batch may take that names no deadline. */
  Duration transferDeadline() {
    return time("transfer.deadline", DEFAULT_TIME);
  }

  /** How long a call over the control plane may take. */
  Duration requestTimeout() {
    return time("rpc.request-timeout", DEFAULT_TIME);
  }

  /** How long a node may drain. */
  Duration closeTimeout() {
    return time("close-timeout", Duration.ofSeconds(10));
  }

  /** Whether the name of a node is where it is reached. */
  boolean namesAreAddresses() {
    return value("metadata.type", "p2p", Config::getString).equals("p2p");
  }

  private Duration time(String path, Duration otherwise) {
    return value(path, otherwise, Config::getDuration);
  }

  /** For what is needed here; it is the engine that says what is wrong with it. */
  private <T> T value(String path, T otherwise, BiFunction<Config, String, T> getter) {
    try {
      if (!new ConfigLayers(new LinkedHashMap<>(values), file).areBounded()) {
        return otherwise;
      }
      var over = ConfigFactory.empty();
      for (var value : values.entrySet()) {
        over = over.withValue(SECTION + "." + value.getKey(), value.getValue());
      }
      var all = over.withFallback(file).resolve();
      var name = all.hasPath("shunt.name") ? all.getString("shunt.name") : "";
      var own = ConfigUtil.joinPath(SECTION, "nodes", name);
      if (!name.isEmpty() && all.hasPath(own)) {
        all = over.withFallback(all.getConfig(own).atKey(SECTION)).withFallback(all);
      }
      var key = SECTION + "." + path;
      return all.hasPath(key) ? getter.apply(all, key) : otherwise;
    } catch (ConfigException _) {
      return otherwise;
    }
  }

  private static Config read(Path file) {
    var config = ConfigFile.read(file);
    if (!config.root().containsKey(SECTION)) {
      var there = Names.few(config.root().keySet());
      throw new ShuntException(
          FailureCode.CONFIGURATION,
          "no section '"
              + SECTION
              + "' in "
              + file
              + (there.isEmpty() ? ", which is empty" : ", which has " + there)
              + "; what is for the node stands in it: shunt { control { port = 15000 } }");
    }
    return config;
  }

  /** The key that KEY=VALUE gives a value; empty where there is none. */
  static Optional<String> key(String text) {
    int equals = text.indexOf('=');
    return equals < 1
        ? Optional.empty()
        : Optional.of(text.substring(0, equals).strip().replaceFirst("^shunt\\.", ""));
  }

  private static void put(String text, Map<String, ConfigValue> values, List<String> wrong) {
    var path = key(text);
    if (path.isEmpty()) {
      wrong.add(
          "--set " + text + ": no key and value; write KEY=VALUE, such as control.port=15000");
      return;
    }
    // Its value may be a secret, so the key alone tells where it came from.
    var origin = "--set " + path.get();
    try {
      var value = text.substring(text.indexOf('=') + 1);
      put(path.get(), Environment.parsed(path.get(), value, origin), values);
    } catch (InvalidConfigurationException e) {
      e.problems().forEach(problem -> wrong.add(origin + ": " + problem.text()));
    }
  }

  /** The later of two comes last, since it goes over what is there. */
  private static void put(String path, ConfigValue value, Map<String, ConfigValue> values) {
    values.remove(path);
    values.put(path, value);
  }
}
