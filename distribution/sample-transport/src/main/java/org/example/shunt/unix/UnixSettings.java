package org.example.shunt.unix;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What the configuration says.
 *
 * @param helloNanos how long a connection may take to say who is there
 * @param progressNanos how long an inbound request may stand still
 */
record UnixSettings(
    List<Path> directories,
    boolean strictRails,
    long helloNanos,
    long progressNanos,
    int maxInbound) {
  static UnixSettings of(Config config) {
    var directories = config.getStringList("directories");
    return new UnixSettings(
        (directories.isEmpty() ? List.of(System.getProperty("java.io.tmpdir")) : directories)
            .stream().map(text -> path(config, text)).toList(),
        config.hasPath("strict-rails") && config.getBoolean("strict-rails"),
        nanos(config, "hello-timeout", TimeUnit.HOURS.toNanos(1)),
        nanos(config, "inbound-progress-timeout", TimeUnit.DAYS.toNanos(1)),
        number(config, "max-inbound", 65_536));
  }

  private static Path path(Config config, String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw wrong(config, "directories", "'" + text + "' is no path: " + e.getReason());
    }
  }

  private static long nanos(Config config, String key, long most) {
    long value = config.getDuration(key).toNanos();
    if (value < 1_000_000 || value > most) {
      throw wrong(
          config,
          key,
          value / 1_000_000 + " ms is out of range; right is 1ms to " + most / 1_000_000 + "ms");
    }
    return value;
  }

  private static int number(Config config, String key, int most) {
    int value = config.getInt(key);
    if (value < 1 || value > most) {
      throw wrong(config, key, value + " is out of range; right is 1 to " + most);
    }
    return value;
  }

  private static ConfigException wrong(Config config, String key, String text) {
    return new ConfigException.BadValue(config.getValue(key).origin(), key, text);
  }
}
