package dev.shunt.runtime.config;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What others say of a configuration, without pieces of it. Before all of it is resolved nobody
 * knows which of its values are secrets, so none is shown.
 */
final class Redacted {
  private static final Pattern A_SIGN =
      Pattern.compile("(?<![^\\s(:])'[^'\\w]{1,2}'(?![^\\s).,:;])");

  private Redacted() {}

  /** The parser's message: signs such as ']' stay, any longer piece of the text goes. */
  static String message(String message) {
    var line = message.lines().findFirst().orElse("");
    if (line.contains("Cannot concatenate")) {
      return "a text, a list and a section cannot be joined with one another";
    }
    var rest = A_SIGN.matcher(line).replaceAll("");
    if (rest.indexOf('\'') < 0 && rest.indexOf('"') < 0) {
      return line;
    }
    int from = firstQuote(line);
    int to = Math.max(line.lastIndexOf('\''), line.lastIndexOf('"'));
    return line.substring(0, from) + "'...'" + line.substring(to + 1);
  }

  private static int firstQuote(String line) {
    int i = 0;
    while (line.charAt(i) != '\'' && line.charAt(i) != '"') {
      i++;
    }
    return i;
  }

  /** The substitutions in what was rendered, without the texts around them. */
  static List<String> references(String rendered) {
    var found = new LinkedHashSet<>(substitutions(rendered));
    var must = new ArrayList<>(found);
    must.removeIf(r -> r.startsWith("${?"));
    return must.isEmpty() ? List.copyOf(found) : must;
  }

  /** Every substitution, as often as it stands there. */
  static List<String> substitutions(String rendered) {
    var found = new ArrayList<String>();
    for (int i = 0; i < rendered.length(); i++) {
      if (rendered.charAt(i) == '"') {
        i = string(rendered, i);
      } else if (rendered.startsWith("${", i)) {
        int from = i;
        while (i < rendered.length() && rendered.charAt(i) != '}') {
          i = rendered.charAt(i) == '"' ? string(rendered, i) + 1 : i + 1;
        }
        found.add(rendered.substring(from, Math.min(i + 1, rendered.length())));
      }
    }
    return found;
  }

  /** What stands between the commas of what was rendered, those within brackets left alone. */
  static List<String> layers(String rendered) {
    var layers = new ArrayList<String>();
    int depth = 0;
    int from = 0;
    for (int i = 0; i < rendered.length(); i++) {
      switch (rendered.charAt(i)) {
        case '"' -> i = string(rendered, i);
        case '[', '{' -> depth++;
        case ']', '}' -> depth--;
        case ',' -> {
          if (depth == 0) {
            layers.add(rendered.substring(from, i));
            from = i + 1;
          }
        }
        default -> {}
      }
    }
    layers.add(rendered.substring(from));
    return layers;
  }

  /** The quote that closes the one at a place. */
  private static int string(String text, int open) {
    int i = open + 1;
    while (i < text.length() && text.charAt(i) != '"') {
      i += text.charAt(i) == '\\' ? 2 : 1;
    }
    return i;
  }
}
