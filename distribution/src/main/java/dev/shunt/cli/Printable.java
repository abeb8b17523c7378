package dev.shunt.cli;

/**
 * Text of others, made fit for lines that people and programs read: whatever would move a cursor,
 * begin a line, or turn the order of what is seen is written out as an escape.
 */
final class Printable {
  private static final int NON_JOINER = 0x200c;
  private static final int JOINER = 0x200d;

  private Printable() {}

  /** A text on one line, and nothing in it that is not seen. */
  static String of(String text) {
    return escape(text, false);
  }

  /** Likewise, where the lines and tabs of the text are its own. */
  static String lines(String text) {
    return escape(text, true);
  }

  private static String escape(String text, boolean lines) {
    if (text.codePoints().noneMatch(c -> hidden(c) && !(lines && isLayout(c)))) {
      return text;
    }
    var out = new StringBuilder(text.length() + 16);
    text.codePoints().forEach(c -> append(out, c, lines));
    return out.toString();
  }

  private static void append(StringBuilder out, int c, boolean lines) {
    if (!hidden(c) || (lines && isLayout(c))) {
      out.appendCodePoint(c);
      return;
    }
    switch (c) {
      case '\n' -> out.append("\\n");
      case '\r' -> out.append("\\r");
      case '\t' -> out.append("\\t");
      default -> {
        for (char unit : Character.toChars(c)) {
          out.append(escaped(unit));
        }
      }
    }
  }

  private static boolean isLayout(int c) {
    return c == '\n' || c == '\t';
  }

  /** One half of a pair is shown as no more than another one. */
  static String escaped(char unit) {
    return "\\u%04x".formatted((int) unit);
  }

  /**
   * Whether a character is not seen as what it is: controls, separators of lines, halves of pairs,
   * and formats, among them those for the direction of text. The joiners are part of scripts.
   */
  static boolean hidden(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          true;
      case Character.FORMAT -> c != NON_JOINER && c != JOINER;
      default -> false;
    };
  }
}
