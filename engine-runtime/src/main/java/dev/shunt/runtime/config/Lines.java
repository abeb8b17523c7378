package dev.shunt.runtime.config;

import java.util.regex.Pattern;

/** Looks into a file of configuration for what its parser does not tell. */
final class Lines {
  private static final Pattern KEYS = Pattern.compile("[A-Za-z][A-Za-z0-9_-]*");
  private static final Pattern BEFORE = Pattern.compile("[^#/\"]*");

  private Lines() {}

  /** The line of the first {@code include} that names a file; 0 if there is none to be found. */
  static int including(String text, String name) {
    var quoted = '"' + name + '"';
    var lines = text.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      var line = lines.get(i);
      int at = line.indexOf("include");
      if (at >= 0 && line.indexOf(quoted, at) > 0 && BEFORE.matcher(line).region(0, at).matches()) {
        return i + 1;
      }
    }
    return 0;
  }

  /** Whether the line, or the one before, has something that looks like a secret's key. */
  static boolean mayTellASecret(String text, int line) {
    var lines = text.lines().toList();
    for (int i = Math.max(1, line - 1); i <= Math.min(line, lines.size()); i++) {
      if (KEYS.matcher(lines.get(i - 1)).results().anyMatch(r -> Secrets.isSecret(r.group()))) {
        return true;
      }
    }
    return false;
  }
}
