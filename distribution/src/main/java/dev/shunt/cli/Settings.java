package dev.shunt.cli;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Puts configuration together from a file and single values. */
final class Settings {
  private Settings() {}

  /** A file, a command's own values over it, and over both those that its caller gave. */
  static Config merge(Optional<Path> file, List<String> own, List<String> given) {
    var config = file.map(Settings::read).orElseGet(ConfigFactory::empty);
    for (var value : own) {
      config = value(value).withFallback(config);
    }
    for (var value : given) {
      config = value(value).withFallback(config);
    }
    return config;
  }

  private static Config read(Path file) {
    try {
      return ConfigFactory.parseFile(
          file.toFile(), ConfigParseOptions.defaults().setAllowMissing(false));
    } catch (ConfigException e) {
      throw new ShuntException(FailureCode.CONFIGURATION, "--config " + file + ": " + text(e), e);
    }
  }

  /** A path below {@code shunt}, or with it, and a value in HOCON. */
  private static Config value(String text) {
    int equals = text.indexOf('=');
    if (equals < 1) {
      throw new ShuntException(
          FailureCode.CONFIGURATION,
          "--set " + text + ": no key and value; write KEY=VALUE, such as control.port=15000");
    }
    var path = text.startsWith("shunt.") ? text : "shunt." + text;
    try {
      return ConfigFactory.parseString(
          path, ConfigParseOptions.defaults().setOriginDescription("--set " + text));
    } catch (ConfigException e) {
      throw new ShuntException(
          FailureCode.CONFIGURATION,
          "--set "
              + text
              + ": "
              + text(e).replaceFirst("^--set .*?: \\d+: ", "")
              + "; put a text with special characters into \"\"",
          e);
    }
  }

  private static String text(ConfigException thrown) {
    return thrown.getMessage().lines().findFirst().orElse(thrown.toString());
  }
}
