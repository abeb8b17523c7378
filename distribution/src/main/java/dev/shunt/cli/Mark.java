package dev.shunt.cli;

/**
 * Something that happened while a benchmark ran.
 *
 * @param at nanoseconds since its start
 * @param kind whether it is bad news
 * @param text what
 */
record Mark(long at, Kind kind, String text) {
  /** How it is drawn. */
  enum Kind {
    /** Something cannot be used. */
    LOST("lost"),
    /** It can be used again. */
    BACK("back"),
    /** Neither, and worth to be known. */
    NEWS("news");

    private final String style;

    Kind(String style) {
      this.style = style;
    }

    /** Its name in the page's style. */
    String style() {
      return style;
    }
  }
}
