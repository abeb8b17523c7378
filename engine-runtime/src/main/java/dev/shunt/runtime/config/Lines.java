package dev.shunt.runtime.config;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** Looks into a file of configuration for what its parser does not tell. */
final class Lines {
  private static final Pattern KEYS = Pattern.compile("[A-Za-z][A-Za-z0-9_-]*");

  private Lines() {}

  /** The line of the first {@code include} that names a text; 0 if there is none to be found. */
  static int including(Path file, String name) {
    var statement = Pattern.compile("^[^#/\"]*\\binclude\\b.*\"" + Pattern.quote(name) + "\".*");
    var lines = of(file);
    for (int i = 0; i < lines.size(); i++) {
      if (statement.matcher(lines.get(i)).matches()) {
        return i + 1;
      }
    }
    return 0;
  }

  /** Whether the line, or the one before, has something that looks like a secret's key. */
  static boolean mayTellASecret(Path file, int line) {
    var lines = of(file);
    for (int i = Math.max(1, line - 1); i <= Math.min(line, lines.size()); i++) {
      if (KEYS.matcher(lines.get(i - 1)).results().anyMatch(r -> Secrets.isSecret(r.group()))) {
        return true;
      }
    }
    return false;
  }

  private static List<String> of(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (MalformedInputException notText) {
      return List.of();
    } catch (IOException gone) {
      // It was there a moment ago; its parser tells what is wrong with it.
      return List.of();
    }
  }
}
