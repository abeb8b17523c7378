package dev.shunt.api.sim;

import java.util.function.Consumer;

/** Folds what happens into 64 bits: two runs of a seed that differ anywhere differ here. */
public final class Trace {
  private long hash = 0x243f6a8885a308d3L;
  private Consumer<String> lines;

  Trace() {}

  /** What happened so far. */
  public long hash() {
    return hash;
  }

  /** Also tells each thing as a line, to look at a failing seed. Null for no longer. */
  public void tell(Consumer<String> lines) {
    this.lines = lines;
  }

  /** Whether somebody reads lines: then it is worth making one. */
  public boolean told() {
    return lines != null;
  }

  /** A line for the reader, if there is one; not part of the hash. */
  public void line(long now, String text) {
    if (lines != null) {
      lines.accept(now + " " + text);
    }
  }

  /**
   * Something happened.
   *
   * @param what a constant text
   */
  public void add(long now, String what, long a, long b) {
    fold(now);
    fold(what.hashCode());
    fold(a);
    fold(b);
    if (lines != null) {
      lines.accept(now + " " + what + " " + a + " " + b);
    }
  }

  /** Any number that must be the same in each run. */
  public void fold(long value) {
    hash = Long.rotateLeft((hash ^ value) * 0x9e3779b97f4a7c15L, 29);
  }
}
