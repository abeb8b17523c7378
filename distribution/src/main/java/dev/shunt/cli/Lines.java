package dev.shunt.cli;

import java.util.ArrayList;
import java.util.List;

/** Text for people, at a hundred columns. */
final class Lines {
  static final int WIDTH = 100;

  private Lines() {}

  /**
   * Breaks a text between words. What of it is not seen is written out.
   *
   * @param first what stands before its first line
   * @param indent how far the others are moved in
   * @return lines that are no longer than {@link #WIDTH}, as far as there are blanks to break at
   */
  static List<String> wrap(String first, int indent, String text) {
    var lines = new ArrayList<String>();
    var line = new StringBuilder(Printable.of(first));
    boolean empty = true;
    for (var word : Printable.of(text.strip()).split(" +")) {
      if (!empty && line.length() + 1 + word.length() > WIDTH) {
        lines.add(line.toString());
        line = new StringBuilder(" ".repeat(indent));
        empty = true;
      }
      line.append(empty ? "" : " ").append(word);
      empty = false;
    }
    lines.add(line.toString().stripTrailing());
    return lines;
  }
}
