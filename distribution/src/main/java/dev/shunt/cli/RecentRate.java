package dev.shunt.cli;

import java.util.ArrayDeque;

/**
 * How much was moved lately. Bytes are counted when a batch ends, and between two glances none may
 * have ended, as where each is read back and compared: so it looks back over a whole window. For
 * one thread.
 */
final class RecentRate {
  private record Glance(long at, long bytes) {}

  private final ArrayDeque<Glance> glances = new ArrayDeque<>();
  private final long window;

  /**
   * @param start monotonic nanoseconds, when nothing was moved yet
   * @param window how far it looks back, in nanoseconds
   */
  RecentRate(long start, long window) {
    this.window = window;
    glances.add(new Glance(start, 0));
  }

  /** The rate of the last window, or since the start, with one more glance. */
  String with(long bytes, long now) {
    glances.add(new Glance(now, bytes));
    // One at the window's begin, or before it, is kept: from there it counts.
    while (glances.size() > 2 && now - second().at() >= window) {
      glances.removeFirst();
    }
    var first = glances.getFirst();
    return Units.rate(bytes - first.bytes(), now - first.at());
  }

  private Glance second() {
    var glances = this.glances.iterator();
    glances.next();
    return glances.next();
  }
}
