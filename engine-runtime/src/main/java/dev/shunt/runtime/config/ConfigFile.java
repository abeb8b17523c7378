package dev.shunt.runtime.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigSyntax;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A file of configuration with what it includes. {@code include "other.conf"} is read relative to
 * the file that it stands in, and must be there; {@code include "?other.conf"} may be missing.
 * Nothing is read from a class path or over a network, nor out of a pipe or a device. All of it is
 * at most 1 MiB with 8192 values, each section, list and element of a list among them, 2048
 * substitutions and 256 includes, of which 32 within one another; sections and lists are nested 64
 * deep.
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
    Intake.why(file).ifPresent(why -> problems.add(unreadable(file.toString(), why)));
    if (problems.isEmpty()) {
      var config = parse(file, List.of(file.toAbsolutePath().normalize()), new Intake(), problems);
      if (problems.isEmpty()) {
        return config;
      }
    }
    throw new InvalidConfigurationException(problems);
  }

  /**
   * Parses one.
   *
   * @param chain the files by way of which it is read, itself at the end
   * @param intake what may still be read
   * @param problems to add to
   */
  static Config parse(Path file, List<Path> chain, Intake intake, List<Problem> problems) {
    try {
      var text = intake.text(file, problems);
      return text.isEmpty()
          ? ConfigFactory.empty()
          : parse(file, text.get(), new Includes(file, text.get(), chain, intake, problems));
    } catch (IOException e) {
      var cause = e.getMessage() == null ? "" : ": " + e.getMessage();
      problems.add(
          unreadable(file.toString(), "cannot be read" + cause.replace(file.toString(), "")));
      return ConfigFactory.empty();
    }
  }

  private static Config parse(Path file, String text, Includes includes) {
    var options =
        ConfigParseOptions.defaults()
            .setSyntax(syntax(file.toString()))
            .setOriginDescription(file.toString())
            .setIncluder(includes);
    try {
      return ConfigFactory.parseString(text, options);
    } catch (ConfigException e) {
      includes.problems().add(malformed(file, text, e));
    } catch (StackOverflowError e) {
      includes.problems().add(unreadable(file.toString(), Shape.TOO_DEEP));
    }
    return ConfigFactory.empty();
  }

  private static ConfigSyntax syntax(String name) {
    return name.endsWith(".json")
        ? ConfigSyntax.JSON
        : name.endsWith(".properties") ? ConfigSyntax.PROPERTIES : ConfigSyntax.CONF;
  }

  private static Problem malformed(Path file, String content, ConfigException e) {
    var where = e.origin() == null ? file.toString() : Problem.where(e.origin());
    var text = String.valueOf(e.getMessage());
    var prefix = e.origin() == null ? file + ": " : e.origin().description() + ": ";
    text = Redacted.message(text.startsWith(prefix) ? text.substring(prefix.length()) : text);
    if (Lines.mayTellASecret(content, e.origin() == null ? 0 : e.origin().lineNumber())) {
      text = "this line cannot be parsed; it is not shown, since it may hold a secret";
    }
    return unreadable(where, text);
  }

  static Problem unreadable(String where, String text) {
    return new Problem(Problem.Kind.UNREADABLE, where, "", text);
  }
}
