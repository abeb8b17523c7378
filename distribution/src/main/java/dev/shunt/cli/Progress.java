package dev.shunt.cli;

import java.io.PrintWriter;
import java.util.Locale;

/**
 * Shows how far something is: a bar that is drawn over and over on a terminal, and elsewhere a line
 * every few seconds. For one thread.
 */
final class Progress {
  private static final long REDRAW = 100_000_000L;
  private static final long LINE = 5_000_000_000L;
  private static final long TERMINAL_WINDOW = 2_000_000_000L;
  private static final int WIDTH = 40;

  private final PrintWriter err;
  private final boolean terminal;
  private final String label;
  private final double total;
  private final long start;
  private long next;

  /**
   * @param total of which {@code done} is a part
   * @param now monotonic nanoseconds, as everywhere here
   */
  Progress(PrintWriter err, boolean terminal, String label, double total, long now) {
    this.err = err;
    this.terminal = terminal;
    this.label = label;
    this.total = total;
    this.start = now;
    this.next = terminal ? now : now + LINE;
  }

  /** How far back a rate that is shown looks, in nanoseconds: off a terminal to the line before. */
  static long window(boolean terminal) {
    return terminal ? TERMINAL_WINDOW : LINE;
  }

  /** Shows it where that is due. */
  void show(double done, String rate, long now) {
    if (now - next >= 0) {
      next = now + (terminal ? REDRAW : LINE);
      print(done, rate, now);
    }
  }

  /** Leaves the whole bar on a terminal; elsewhere whatever comes next says how it ended. */
  void end(double done, String rate, long now) {
    if (terminal) {
      print(done, rate, now);
      err.println();
      err.flush();
    }
  }

  private void print(double done, String rate, long now) {
    double part = total <= 0 ? 1 : Math.clamp(done / total, 0, 1);
    if (terminal) {
      int full = (int) (part * WIDTH);
      var bar = "#".repeat(full) + "-".repeat(WIDTH - full);
      err.print("\r" + line("%-10s [%s] %3.0f %%  %-14s", label, bar, part * 100, rate));
    } else {
      var elapsed = Units.nanos(now - start);
      err.println(line("%s: %.0f %%, %s after %s", label, part * 100, rate, elapsed));
    }
    err.flush();
  }

  private static String line(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
