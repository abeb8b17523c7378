package dev.shunt.policy.failover;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import dev.shunt.policy.failover.core.PeerLimits;
import dev.shunt.policy.failover.core.RailLimits;
import dev.shunt.policy.failover.core.RetryLimits;
import dev.shunt.policy.failover.core.Thresholds;
import java.time.Duration;
import java.util.Optional;

/** Reads the machines' numbers. */
final class Settings {
  private static final Duration LONGEST = Duration.ofDays(365);

  private Settings() {}

  static RetryLimits limits(Config config) {
    int attempts = number(config, "max-attempts", 1000);
    long first = time(config, "retry-delay", Duration.ofMillis(1));
    long most = time(config, "max-retry-delay", Duration.ofNanos(first));
    return new RetryLimits(attempts, first, most);
  }

  static Unfenced unfenced(Config config) {
    var wanted = config.getString("unfenced");
    if (!wanted.equals("complete") && !wanted.equals("fail")) {
      throw outside(config, "unfenced", "'" + wanted + "' is neither complete nor fail");
    }
    var grace = Duration.ofNanos(time(config, "unfenced-grace", Duration.ZERO));
    return new Unfenced(wanted.equals("complete"), grace);
  }

  static Thresholds thresholds(Config rails) {
    int errors = number(rails, "rail-error-threshold", 1_000_000);
    long window = time(rails, "rail-error-window", Duration.ofMillis(1));
    long cooldown = time(rails, "rail-cooldown", Duration.ofMillis(1));
    long most = time(rails, "rail-max-cooldown", Duration.ofNanos(cooldown));
    return new Thresholds(errors, window, cooldown, most);
  }

  static RailLimits rails(Config config) {
    long delay = time(config, "recovery-delay", Duration.ofMillis(1));
    long most = time(config, "max-recovery-delay", Duration.ofNanos(delay));
    return new RailLimits(delay, most, number(config, "failures-in-a-row", 1_000_000));
  }

  /** Empty where peers are not to be remembered. */
  static Optional<PeerLimits> peers(Config config) {
    if (config.isEmpty() || !config.getBoolean("enable")) {
      return Optional.empty();
    }
    long cooldown = time(config, "cooldown", Duration.ofMillis(1));
    long most = time(config, "max-cooldown", Duration.ofNanos(cooldown));
    long interval = time(config, "probe-interval", Duration.ofMillis(1));
    long age = time(config, "max-age", Duration.ofNanos(most));
    return Optional.of(new PeerLimits(cooldown, most, interval, age));
  }

  private static int number(Config config, String key, int highest) {
    int value = config.getInt(key);
    if (value < 1 || value > highest) {
      throw outside(config, key, value + " is out of range; right is 1 to " + highest);
    }
    return value;
  }

  private static long time(Config config, String key, Duration lowest) {
    var value = config.getDuration(key);
    if (value.compareTo(lowest) < 0 || value.compareTo(LONGEST) > 0) {
      throw outside(
          config,
          key,
          config.getString(key)
              + " is out of range; right is "
              + lowest.toMillis()
              + "ms to "
              + LONGEST.toDays()
              + "d");
    }
    return value.toNanos();
  }

  private static ConfigException outside(Config config, String key, String text) {
    return new ConfigException.BadValue(config.getValue(key).origin(), key, text);
  }
}
