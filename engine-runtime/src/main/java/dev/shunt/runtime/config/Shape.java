package dev.shunt.runtime.config;

import java.util.Optional;

/**
 * How deep HOCON is nested, and of how much it is made. It is looked at before a text is parsed,
 * since the parser goes down one frame of its stack after the other, and copies a section or a text
 * for each value that is laid over it or joined to it.
 */
final class Shape {
  /** Sections and lists within one another; also the parts of one key. */
  static final int MOST = 64;

  /** Values, sections, lists and elements of lists, of all files together. */
  static final int MOST_VALUES = 8192;

  /** What waits for other values is copied more often than these are. */
  static final int MOST_REFERENCES = MOST_VALUES / 4;

  /** Whatever stands between blanks: keys, signs, values and elements of lists. */
  static final int MOST_WORDS = 8 * MOST_VALUES;

  static final String TOO_DEEP =
      "is nested too deeply; right is at most " + MOST + " sections or lists within one another";

  private final String text;
  private int at;
  private int line = 1;
  private int values;
  private int references;
  private int words;

  /** The brackets that are open, the innermost in the lowest bit, which is set for a list. */
  private long lists;

  private int depth;

  /** Whether what comes now is one that was counted, so that its bracket is none besides. */
  private boolean counted;

  /** Whether an element of a list may begin. */
  private boolean fresh;

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

  /** What there is too much of, and how much may be; empty where there is not. */
  static Optional<String> tooMuch(int values, int references, int words) {
    if (values > MOST_VALUES) {
      return Optional.of("has too many values; right is at most " + MOST_VALUES);
    }
    if (references > MOST_REFERENCES) {
      return Optional.of("has too many substitutions; right is at most " + MOST_REFERENCES);
    }
    return words > MOST_WORDS
        ? Optional.of("has too many words; right is at most " + MOST_WORDS)
        : Optional.empty();
  }

  /** What is wrong with its depth or its number of parts, as a text of its own. */
  Optional<String> problem() {
    return tooDeepAt > 0 ? Optional.of(TOO_DEEP) : tooMuch(values, references, words);
  }

  /** Values, sections, lists and elements of lists. */
  int values() {
    return values;
  }

  /** Substitutions, of which a {@code +=} is one. */
  int references() {
    return references;
  }

  /** What stands between blanks or quotes. */
  int words() {
    return words;
  }

  private int scan() {
    int parts = 0;
    boolean blank = true;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '#' || text.startsWith("//", at)) {
        int end = text.indexOf('\n', at);
        at = end < 0 ? text.length() : end;
        continue;
      }
      count(c);
      if (c == '"') {
        words++;
        string();
        continue;
      }
      parts = c == '.' ? parts + 1 : "\n,=:{}[]".indexOf(c) < 0 ? parts : 0;
      words += blank && c > ' ' ? 1 : 0;
      blank = c <= ' ';
      if (depth > MOST || parts >= MOST) {
        return line;
      }
      at++;
    }
    return 0;
  }

  private void count(char c) {
    if (fresh && isInList() && c > ' ' && ",]".indexOf(c) < 0) {
      values++;
      fresh = false;
      counted = true;
    }
    switch (c) {
      case '=', ':' -> {
        values++;
        counted = true;
      }
      case '{', '[' -> {
        values += counted ? 0 : 1;
        counted = false;
        fresh = c == '[';
        lists = lists << 1 | (fresh ? 1 : 0);
        depth++;
      }
      case '}', ']' -> {
        counted = false;
        fresh = false;
        lists >>>= 1;
        depth--;
      }
      case '$' -> {
        references++;
        // Its brace is no section.
        counted = true;
      }
      case '+' -> references += text.startsWith("+=", at) ? 1 : 0;
      case ',' -> fresh = true;
      case '\n' -> {
        line++;
        fresh = true;
      }
      default -> counted &= c <= ' ';
    }
  }

  private boolean isInList() {
    return (lists & 1) == 1;
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
