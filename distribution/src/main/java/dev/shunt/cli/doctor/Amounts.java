package dev.shunt.cli.doctor;

import java.util.Locale;

/** Numbers for people. */
final class Amounts {
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};

  private Amounts() {}

  static String bytes(double bytes) {
    int unit = 0;
    double value = bytes;
    while (value >= 1024 && unit < UNITS.length - 1) {
      value /= 1024;
      unit++;
    }
    var text = String.format(Locale.ROOT, value < 10 ? "%.1f" : "%.0f", value);
    return text.replaceFirst("\\.0$", "") + " " + UNITS[unit];
  }
}
