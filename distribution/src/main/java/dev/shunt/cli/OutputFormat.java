package dev.shunt.cli;

import java.util.Locale;

/** Whom standard output is for. */
enum OutputFormat {
  /** People. */
  TEXT,
  /** Programs: one object, on one line. */
  JSON;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
