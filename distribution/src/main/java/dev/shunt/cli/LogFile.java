package dev.shunt.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.logging.Level;
import org.slf4j.LoggerFactory;

/**
 * The file that logging is configured by. Its levels may be changed while a node runs: a look every
 * few seconds tells. What else stands in it counts from the next start on.
 */
final class LogFile implements AutoCloseable {
  private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(LogFile.class);
  private static final long TURN_MILLIS = 2_000;
  private static final String SUFFIX = ".level";

  private final Path file;
  private final TreeSet<String> set = new TreeSet<>();
  private final Thread thread;
  private volatile FileTime read;

  private LogFile(Path file, FileTime read, long turnMillis) {
    this.file = file;
    this.read = read;
    levels(file).ifPresent(levels -> set.addAll(levels.keySet()));
    thread = Thread.ofPlatform().daemon().name("shunt-log-levels").start(() -> watch(turnMillis));
  }

  /** Watches the one that this process was started with. */
  static LogFile watch() {
    var given = System.getProperty("java.util.logging.config.file");
    var file =
        given != null
            ? Path.of(given)
            : Path.of(System.getProperty("java.home"), "conf", "logging.properties");
    return watch(file, TURN_MILLIS);
  }

  static LogFile watch(Path file, long turnMillis) {
    return new LogFile(file, changed(file), turnMillis);
  }

  private void watch(long turnMillis) {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        Thread.sleep(turnMillis);
        var now = changed(file);
        if (!now.equals(read)) {
          read = now;
          load();
        }
      }
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  private void load() {
    var levels = levels(file);
    if (levels.isEmpty()) {
      LOG.warn("{} cannot be read, so levels stay as they are", file);
      return;
    }
    var named = new TreeSet<String>();
    levels
        .get()
        .forEach(
            (logger, text) -> {
              if (apply(logger, text)) {
                named.add(logger);
              }
            });
    set.stream()
        .filter(gone -> !named.contains(gone))
        .forEach(gone -> LogLevels.logger(gone).setLevel(gone.isEmpty() ? Level.INFO : null));
    set.clear();
    set.addAll(named);
    LOG.info("levels of {}: {}", file, levels.get());
  }

  /** What stands in the file, by logger; empty if it cannot be read. */
  private static Optional<Map<String, String>> levels(Path file) {
    var properties = new Properties();
    try (var in = Files.newInputStream(file)) {
      properties.load(in);
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty();
    }
    var handlers = List.of(properties.getProperty("handlers", "").strip().split("[,\\s]+"));
    var levels = new TreeMap<String, String>();
    for (var key : properties.stringPropertyNames()) {
      if (key.endsWith(SUFFIX)) {
        var logger = key.substring(0, key.length() - SUFFIX.length());
        // A handler's level stands in the same file, under its class.
        if (logger.isEmpty() || !handlers.contains(logger)) {
          levels.put(logger, properties.getProperty(key).strip());
        }
      }
    }
    return Optional.of(levels);
  }

  private boolean apply(String logger, String text) {
    try {
      LogLevels.logger(logger).setLevel(Level.parse(text));
      return true;
    } catch (IllegalArgumentException e) {
      LOG.warn(
          "{}: {}.level = {} is no level; right is FINEST, FINE, INFO, WARNING, SEVERE or OFF",
          file,
          logger,
          text);
      return false;
    }
  }

  private static FileTime changed(Path file) {
    try {
      return Files.getLastModifiedTime(file);
    } catch (IOException _) {
      // Not there, or not now: the next look tells.
      return FileTime.fromMillis(0);
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
