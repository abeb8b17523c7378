package dev.shunt.runtime.config;

/**
 * How deep HOCON is nested, and of how much it is made. It is looked at before a text is parsed,
 * since the parser goes down one frame of its stack after the other, and copies a section or a text
 * for each value that is laid over it or joined to it.
 */
final class Shape {
  /** Sections and lists within one another; also the parts of one key. */
  static final int MOST = 64;

  /** What waits for other values is copied more often, */
  private static final int REFERENCE = 4;

  /** and what refers to itself for each time that it does. */
  private static final int APPENDED = 16;

  static final String TOO_DEEP =
      "is nested too deeply; right is at most " + MOST + " sections or lists within one another";

  private final String text;
  private int at;
  private int line = 1;
  private int values;
  private int words;
  private final int tooDeepAt;

  private Shape(String text) {
    this.text = text;
    this.tooDeepAt = scan();
  }

  static Shape of(String text) {
    return new Shape(text);
  }

  /** The line where it becomes too deep; 0 if it does not. */
  int tooDeepAt() {
    return tooDeepAt;
  }

  /** Values, sections and lists, about; a substitution or a {@code +=} counts as several. */
  int values() {
    return values;
  }

  /** What stands between blanks or quotes. */
  int words() {
    return words;
  }

  private int scan() {
    int depth = 0;
    int parts = 0;
    boolean blank = true;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '"') {
        words++;
        string();
        continue;
      }
      if (c == '#' || text.startsWith("//", at)) {
        int end = text.indexOf('\n', at);
        at = end < 0 ? text.length() : end;
        continue;
      }
      switch (c) {
        case '{', '[' -> depth++;
        case '}', ']' -> depth--;
        case '.' -> parts++;
        case '\n' -> line++;
        default -> {}
      }
      values += "=:{[".indexOf(c) >= 0 ? 1 : c == '$' ? REFERENCE : c == '+' ? APPENDED : 0;
      words += blank && c > ' ' ? 1 : 0;
      blank = c <= ' ';
      parts = "\n,=:{}[]".indexOf(c) < 0 ? parts : 0;
      if (depth > MOST || parts >= MOST) {
        return line;
      }
      at++;
    }
    return 0;
  }

  private void string() {
    if (text.startsWith("\"\"\"", at)) {
      int end = text.indexOf("\"\"\"", at + 3);
      end = end < 0 ? text.length() : end + 3;
      for (; at < end; at++) {
        line += text.charAt(at) == '\n' ? 1 : 0;
      }
      return;
    }
    at++;
    // One that is not closed ends with its line, and the parser tells so.
    while (at < text.length() && text.charAt(at) != '"' && text.charAt(at) != '\n') {
      at += text.charAt(at) == '\\' ? 2 : 1;
    }
    at += at < text.length() && text.charAt(at) == '"' ? 1 : 0;
  }
}
