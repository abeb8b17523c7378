package dev.shunt.cli;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * What a benchmark saw as time went by. However long it takes, there are no more points than can be
 * told apart on a page: when there are too many, each two become one. For one thread.
 */
final class Series {
  static final int MOST = 600;

  private final List<Point> points = new ArrayList<>();
  private final Histogram pending = new Histogram(3);
  private int merged = 1;
  private int waiting;
  private long from;
  private long bytes;

  /**
   * A stretch of time.
   *
   * @param from its begin, in nanoseconds since the start
   * @param to its end
   * @param bytes that were moved
   * @param p50 of the batches that ended in it, in nanoseconds; 0 where none did
   * @param p99 likewise
   * @param max likewise
   */
  record Point(long from, long to, long bytes, long p50, long p99, long max) {
    /** Bytes a second. */
    double rate() {
      return to <= from ? 0 : bytes * 1e9 / (to - from);
    }

    /** One for two that follow one another; of percentiles the worse one is kept. */
    Point and(Point next) {
      return new Point(
          from,
          next.to,
          bytes + next.bytes,
          Math.max(p50, next.p50),
          Math.max(p99, next.p99),
          Math.max(max, next.max));
    }
  }

  /**
   * Adds a look.
   *
   * @param now nanoseconds since the start
   * @param moved bytes since the last look
   * @param latencies of batches that ended since then, or none
   */
  void add(long now, long moved, Histogram latencies) {
    bytes += moved;
    pending.add(latencies);
    if (++waiting < merged) {
      return;
    }
    points.add(
        new Point(
            from,
            now,
            bytes,
            pending.getValueAtPercentile(50),
            pending.getValueAtPercentile(99),
            pending.getMaxValue()));
    pending.reset();
    from = now;
    bytes = 0;
    waiting = 0;
    if (points.size() > MOST) {
      halve();
    }
  }

  private void halve() {
    var halved = new ArrayList<Point>();
    for (int i = 0; i < points.size(); i += 2) {
      var point = points.get(i);
      halved.add(i + 1 < points.size() ? point.and(points.get(i + 1)) : point);
    }
    points.clear();
    points.addAll(halved);
    merged *= 2;
  }

  /** In the order of time. */
  List<Point> points() {
    return List.copyOf(points);
  }
}
