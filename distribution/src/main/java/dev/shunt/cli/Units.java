package dev.shunt.cli;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.TypeConversionException;

/** Numbers as people write and read them. */
final class Units {
  private static final String[] BYTES = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};

  private Units() {}

  /** Reads a time with a unit, as configuration has them. */
  static Duration duration(String text) {
    var stripped = text.strip();
    if (!stripped.isEmpty() && Character.isLetter(stripped.charAt(stripped.length() - 1))) {
      try {
        var duration = ConfigFactory.parseMap(Map.of("time", stripped)).getDuration("time");
        if (duration.isPositive()) {
          return duration;
        }
      } catch (ConfigException _) {
        // Told below, with what would be right.
      }
    }
    throw new TypeConversionException(
        "'" + text + "' is no time; write a number above 0 with its unit, such as 500ms or 10s");
  }

  /** Such as {@code 64 MiB} or {@code 1.46 GiB}. */
  static String bytes(double bytes) {
    int unit = 0;
    double value = bytes;
    while (value >= 1024 && unit < BYTES.length - 1) {
      value /= 1024;
      unit++;
    }
    return number(value) + " " + BYTES[unit];
  }

  /** Such as {@code 1.46 GiB/s}. */
  static String rate(double bytes, long nanos) {
    return nanos <= 0 ? "-" : bytes(bytes * 1e9 / nanos) + "/s";
  }

  /** Such as {@code 0.83 ms} or {@code 12 s}. */
  static String nanos(double nanos) {
    if (nanos < 1e3) {
      return number(nanos) + " ns";
    }
    if (nanos < 1e6) {
      return number(nanos / 1e3) + " us";
    }
    return nanos < 1e9 ? number(nanos / 1e6) + " ms" : number(nanos / 1e9) + " s";
  }

  /** Three digits that count, and no zeros behind the point. */
  static String number(double value) {
    double size = Math.abs(value);
    var text = String.format(Locale.ROOT, size < 10 ? "%.2f" : size < 100 ? "%.1f" : "%.0f", value);
    return text.contains(".") ? text.replaceFirst("\\.?0+$", "") : text;
  }

  /** Such as {@code 1 request} or {@code 12,000 requests}. */
  static String count(long count, String what) {
    return String.format(Locale.ROOT, "%,d %s%s", count, what, count == 1 ? "" : "s");
  }
}
