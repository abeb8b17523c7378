package dev.shunt.runtime.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A file of configuration with what it includes. {@code include "other.conf"} is read relative to
 * the file that it stands in, and must be there; {@code include "?other.conf"} may be missing.
 * Nothing is read from a class path or over a network.
 */
public final class ConfigFile {
  private ConfigFile() {}

  /**
   * Reads it; substitutions are left for later.
   *
   * @throws InvalidConfigurationException telling all files that are not there, cannot be read or
   *     cannot be understood, with file and line
   */
  public static Config read(Path file) {
    var problems = new ArrayList<Problem>();
    why(file).ifPresent(why -> problems.add(unreadable(file.toString(), why)));
    if (problems.isEmpty()) {
      var config = parse(file, List.of(file.toAbsolutePath().normalize()), problems);
      if (problems.isEmpty()) {
        return config;
      }
    }
    throw new InvalidConfigurationException(problems);
  }

  /** Why a file cannot be read; empty if it can. */
  static Optional<String> why(Path file) {
    if (!Files.exists(file)) {
      return Optional.of("there is no such file");
    }
    if (Files.isDirectory(file)) {
      return Optional.of("is a directory; right is a HOCON file");
    }
    return Files.isReadable(file) ? Optional.empty() : Optional.of("may not be read by this user");
  }

  /**
   * Parses one.
   *
   * @param chain the files by way of which it is read, itself at the end
   * @param problems to add to
   */
  static Config parse(Path file, List<Path> chain, List<Problem> problems) {
    var options =
        ConfigParseOptions.defaults()
            .setAllowMissing(false)
            .setIncluder(new Includes(file, chain, problems));
    try {
      return ConfigFactory.parseFile(file.toFile(), options);
    } catch (ConfigException.IO e) {
      var cause = e.getCause() == null ? "" : ": " + e.getCause().getMessage();
      problems.add(
          unreadable(file.toString(), "cannot be read" + cause.replace(file.toString(), "")));
    } catch (ConfigException e) {
      problems.add(malformed(file, e));
    }
    return ConfigFactory.empty();
  }

  private static Problem malformed(Path file, ConfigException e) {
    var where = e.origin() == null ? file.toString() : Problem.where(e.origin());
    var text = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    var prefix = e.origin() == null ? file + ": " : e.origin().description() + ": ";
    text = text.startsWith(prefix) ? text.substring(prefix.length()) : text;
    if (Lines.mayTellASecret(file, e.origin() == null ? 0 : e.origin().lineNumber())) {
      text = "this line cannot be parsed; it is not shown, since it may hold a secret";
    }
    return unreadable(where, text);
  }

  static Problem unreadable(String where, String text) {
    return new Problem(Problem.Kind.UNREADABLE, where, "", text);
  }
}
