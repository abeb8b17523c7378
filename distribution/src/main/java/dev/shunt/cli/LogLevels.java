package dev.shunt.cli;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** What is logged, in the words of SLF4J; what writes it is the JDK's own logging. */
final class LogLevels implements ITypeConverter<LogLevels.Setting> {
  private static final Map<String, Level> LEVELS =
      Map.of(
          "trace", Level.FINEST,
          "debug", Level.FINE,
          "info", Level.INFO,
          "warn", Level.WARNING,
          "error", Level.SEVERE,
          "off", Level.OFF);

  /** Loggers are found by name for as long as somebody holds them. */
  private static final Map<String, Logger> HELD = new ConcurrentHashMap<>();

  /**
   * A level for the loggers below a name.
   *
   * @param logger its name; empty for all
   * @param level what it lets through
   */
  record Setting(String logger, Level level) {}

  @Override
  public Setting convert(String text) {
    int equals = text.indexOf('=');
    var name = text.substring(equals + 1).strip().toLowerCase(Locale.ROOT);
    var level = LEVELS.get(name);
    if (level == null || equals == 0) {
      throw new TypeConversionException(
          "'"
              + text
              + "' is no level; write trace, debug, info, warn, error or off, or NAME=LEVEL such as"
              + " dev.shunt.runtime=debug");
    }
    return new Setting(equals < 0 ? "" : text.substring(0, equals).strip(), level);
  }

  /** Sets them. */
  static void apply(List<Setting> settings) {
    settings.forEach(setting -> logger(setting.logger()).setLevel(setting.level()));
  }

  /** A logger that stays what it is made to be. */
  static Logger logger(String name) {
    return HELD.computeIfAbsent(name, Logger::getLogger);
  }
}
