package dev.shunt.cli;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigValue;
import dev.shunt.api.Engine;
import dev.shunt.api.EngineFactory;
import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Configuration out of a file and single values.
 *
 * @param file what a cluster's nodes share, not resolved yet
 * @param values over it, by a path below {@code shunt}; they still know where they came from
 */
record Settings(Config file, Map<String, ConfigValue> values) {
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

  private static Config read(Path file) {
    try {
      return ConfigFactory.parseFile(
          file.toFile(), ConfigParseOptions.defaults().setAllowMissing(false));
    } catch (ConfigException e) {
      throw new ShuntException(FailureCode.CONFIGURATION, "--config " + file + ": " + text(e), e);
    }
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
