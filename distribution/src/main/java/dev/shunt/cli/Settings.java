package dev.shunt.cli;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import dev.shunt.api.Engine;
import dev.shunt.api.EngineFactory;
import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Configuration out of a file and single values.
 *
 * @param file what a cluster's nodes share, not resolved yet
 * @param values over it, by a path below {@code shunt}; they still know where they came from
 */
record Settings(Config file, Map<String, ConfigValue> values) {
  private static final String SECTION = "shunt";

  /** That of both times below in reference.conf. */
  private static final Duration DEFAULT_TIME = Duration.ofSeconds(30);

  /** A file, a command's own values over it, and over both those that its caller gave. */
  static Settings of(Optional<Path> file, List<String> own, List<String> given) {
    var values = new LinkedHashMap<String, ConfigValue>();
    var all = new ArrayList<>(own);
    all.addAll(given);
    for (var text : all) {
      put(text, values);
    }
    return new Settings(file.map(Settings::read).orElseGet(ConfigFactory::empty), values);
  }

  /** Opens an engine with them. */
  Engine open() {
    var builder = EngineFactory.installed().builder().config(file);
    values.forEach(builder::set);
    return builder.open();
  }

  /** How long a batch may take that names no deadline. */
  Duration transferDeadline() {
    return time("transfer.deadline");
  }

  /** How long a call over the control plane may take. */
  Duration requestTimeout() {
    return time("rpc.request-timeout");
  }

  /** For what waits here; it is the engine that says what is wrong with it. */
  private Duration time(String path) {
    try {
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
      return all.hasPath(key) ? all.getDuration(key) : DEFAULT_TIME;
    } catch (ConfigException _) {
      return DEFAULT_TIME;
    }
  }

  private static Config read(Path file) {
    if (!Files.exists(file)) {
      throw wrong(file, "there is no such file", null);
    }
    if (Files.isDirectory(file)) {
      throw wrong(file, "is a directory; right is a HOCON file", null);
    }
    if (!Files.isReadable(file)) {
      throw wrong(file, "may not be read by this user", null);
    }
    var config = parse(file);
    if (!config.root().containsKey(SECTION)) {
      var there = String.join(", ", new TreeSet<>(config.root().keySet()));
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

  private static Config parse(Path file) {
    try {
      return ConfigFactory.parseFile(
          file.toFile(), ConfigParseOptions.defaults().setAllowMissing(false));
    } catch (ConfigException.IO e) {
      var cause = e.getCause() == null ? "" : ": " + e.getCause().getMessage();
      throw wrong(file, "cannot be read" + cause.replace(file + " ", ""), e);
    } catch (ConfigException e) {
      throw wrong(file, text(e).replaceFirst("^" + Pattern.quote(file + ": "), "line "), e);
    }
  }

  private static ShuntException wrong(Path file, String text, Throwable cause) {
    return new ShuntException(FailureCode.CONFIGURATION, "--config " + file + ": " + text, cause);
  }

  private static void put(String text, Map<String, ConfigValue> values) {
    int equals = text.indexOf('=');
    if (equals < 1) {
      throw new ShuntException(
          FailureCode.CONFIGURATION,
          "--set " + text + ": no key and value; write KEY=VALUE, such as control.port=15000");
    }
    var key = text.substring(0, equals).strip();
    var path = key.replaceFirst("^shunt\\.", "");
    var origin = "--set " + text;
    try {
      var options = ConfigParseOptions.defaults().setOriginDescription(origin);
      values.put(path, ConfigFactory.parseString(text, options).resolve().getValue(key));
    } catch (ConfigException e) {
      throw new ShuntException(
          FailureCode.CONFIGURATION,
          origin + ": " + text(e) + "; put a text with special characters into \"\"",
          e);
    }
  }

  private static String text(ConfigException thrown) {
    var line = thrown.getMessage().lines().findFirst().orElse(thrown.toString());
    return line.replaceFirst("^--set .*?: \\d+: ", "");
  }
}
