package dev.shunt.runtime.config;

import java.time.Duration;

/**
 * {@code shunt.recorder}.
 *
 * @param enable whether the JDK's flight recorder runs
 * @param maxAge how far back it remembers
 * @param maxSize how many bytes at most
 */
public record RecorderConfig(boolean enable, Duration maxAge, long maxSize) {
  static RecorderConfig of(Values values) {
    return new RecorderConfig(
        values.flag("recorder.enable"),
        values.time("recorder.max-age", Duration.ofSeconds(1)),
        values.size("recorder.max-size", 1 << 20, 1L << 40));
  }
}
