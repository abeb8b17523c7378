package dev.shunt.cli;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Draws what a benchmark saw over time, as SVG. */
final class Charts {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 260;
  private static final int LEFT = 90;
  private static final int RIGHT = 10;
  private static final int TOP = 10;
  private static final int BOTTOM = 30;
  private static final int PARTS = 4;

  /** Numbers of marks that are nearer to one another would not be read. */
  private static final int LABEL_WIDTH = 22;

  private final BenchReport report;
  private final double least;
  private final double most;
  private final int rows;
  private final long end;
  private final ToDoubleFunction<Double> shown;
  private final StringBuilder svg = new StringBuilder();

  /**
   * @param least at the bottom, as it is shown
   * @param most at the top
   * @param rows between them
   * @param shown what stands for a value: itself, or its logarithm
   */
  private Charts(
      BenchReport report, double least, double most, int rows, ToDoubleFunction<Double> shown) {
    this.report = report;
    this.least = least;
    this.most = most <= least ? least + 1 : most;
    this.rows = rows;
    this.shown = shown;
    this.end = Math.max(1, points().isEmpty() ? 1 : points().getLast().to());
  }

  /** Bytes a second. */
  static String rate(BenchReport report) {
    double most = report.series().stream().mapToDouble(Series.Point::rate).max().orElse(0);
    var chart = new Charts(report, 0, nice(most), PARTS, d -> d);
    chart.open("Rate over time");
    chart.rows(value -> Units.bytes(value) + "/s");
    chart.line("one", Series.Point::rate);
    chart.hits();
    chart.marks();
    return chart.close();
  }

  /** The time of a batch, on a logarithmic scale: its worst is far from its usual. */
  static String latency(BenchReport report) {
    double most = report.series().stream().mapToDouble(Series.Point::max).max().orElse(0);
    double least =
        report.series().stream().mapToDouble(Series.Point::p50).filter(p -> p > 0).min().orElse(0);
    double bottom = Math.floor(log(least));
    double top = Math.max(bottom + 1, Math.ceil(log(most)));
    var chart = new Charts(report, bottom, top, (int) (top - bottom), d -> log(d));
    chart.open("Latency over time");
    chart.rows(value -> Units.nanos(Math.pow(10, value)));
    chart.line("three", Series.Point::p50);
    chart.line("one", Series.Point::p99);
    chart.line("two", Series.Point::max);
    chart.hits();
    chart.marks();
    return "<p class=\"key\"><b class=\"three\">p50</b> <b class=\"one\">p99</b>"
        + " <b class=\"two\">max</b>, logarithmic</p>\n"
        + chart.close();
  }

  private static double log(double nanos) {
    return Math.log10(Math.max(1, nanos));
  }

  /** The next round number in binary units, for an axis that reads well. */
  static double nice(double value) {
    double unit = 1;
    while (unit * 1024 <= value) {
      unit *= 1024;
    }
    for (double step :
        new double[] {1, 2, 4, 6, 8, 10, 16, 20, 40, 60, 80, 100, 200, 400, 600, 800}) {
      if (step * unit >= value) {
        return step * unit;
      }
    }
    return 1024 * unit;
  }

  private List<Series.Point> points() {
    return report.series();
  }

  private void open(String label) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">%n",
            WIDTH,
            HEIGHT,
            label));
    double warm = x(report.work().warmUp().toNanos());
    svg.append(
        String.format(
            Locale.ROOT,
            "<rect class=\"warm\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>%n",
            LEFT,
            TOP,
            Math.max(0, warm - LEFT),
            HEIGHT - TOP - BOTTOM));
  }

  private void rows(java.util.function.DoubleFunction<String> label) {
    for (int i = 0; i <= rows; i++) {
      double value = least + (most - least) * i / rows;
      double y = y(value);
      svg.append(
          String.format(
              Locale.ROOT,
              "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>"
                  + "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>%n",
              LEFT,
              y,
              WIDTH - RIGHT,
              y,
              LEFT - 8,
              y + 4,
              BenchPage.escape(label.apply(value))));
    }
    for (int i = 0; i <= PARTS; i++) {
      long at = end * i / PARTS;
      svg.append(
          String.format(
              Locale.ROOT,
              "<text x=\"%.1f\" y=\"%d\" text-anchor=\"%s\">%s</text>%n",
              x(at),
              HEIGHT - 8,
              i == 0 ? "start" : i == PARTS ? "end" : "middle",
              BenchPage.escape(Units.number(at / 1e9) + " s")));
    }
  }

  private void line(String style, ToDoubleFunction<Series.Point> value) {
    var path = new StringBuilder();
    var pen = "M";
    for (var point : points()) {
      double at = value.applyAsDouble(point);
      if (at <= 0 && least > 0) {
        // No batch ended then: that is a gap, and not a short time.
        pen = "M";
        continue;
      }
      double y = y(shown.applyAsDouble(at));
      double x = x((point.from() + point.to()) / 2);
      path.append(String.format(Locale.ROOT, "%s%.1f %.1f", pen, x, y));
      pen = "L";
    }
    if (!path.isEmpty()) {
      svg.append("<path class=\"line ")
          .append(style)
          .append("\" d=\"")
          .append(path)
          .append("\"/>\n");
    }
  }

  /** Browsers show a title where somebody points. */
  private void hits() {
    for (var point : points()) {
      var text =
          Units.number(point.to() / 1e9)
              + " s: "
              + Units.bytes(point.rate())
              + "/s, "
              + (point.max() <= 0
                  ? "no batch ended"
                  : "p50 "
                      + Units.nanos(point.p50())
                      + ", p99 "
                      + Units.nanos(point.p99())
                      + ", max "
                      + Units.nanos(point.max()));
      svg.append(
          String.format(
              Locale.ROOT,
              "<rect class=\"hit\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"><title>%s</title>"
                  + "</rect>%n",
              x(point.from()),
              TOP,
              Math.max(1, x(point.to()) - x(point.from())),
              HEIGHT - TOP - BOTTOM,
              BenchPage.escape(text)));
    }
  }

  /** Above the places that are pointed at, so that each has its own text; numbered as listed. */
  private void marks() {
    double labelled = Double.NEGATIVE_INFINITY;
    int number = 0;
    for (var mark : report.marks().list()) {
      number++;
      double x = x(mark.at());
      svg.append(
          String.format(
              Locale.ROOT,
              "<g class=\"mark %s\"><title>%s</title><line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\""
                  + " y2=\"%d\"/>",
              mark.kind().style(),
              BenchPage.escape(
                  number + ", " + Units.number(mark.at() / 1e9) + " s: " + mark.text()),
              x,
              TOP,
              x,
              HEIGHT - BOTTOM));
      if (x - labelled >= LABEL_WIDTH) {
        labelled = x;
        svg.append(
            String.format(
                Locale.ROOT, "<text x=\"%.1f\" y=\"%d\">%d</text>", x + 3, TOP + 12, number));
      }
      svg.append("</g>\n");
    }
  }

  private String close() {
    return svg.append("</svg>\n").toString();
  }

  private double x(long nanos) {
    return LEFT + (double) (WIDTH - LEFT - RIGHT) * Math.clamp(nanos, 0, end) / end;
  }

  private double y(double value) {
    return HEIGHT
        - BOTTOM
        - (HEIGHT - TOP - BOTTOM) * Math.clamp((value - least) / (most - least), 0, 1);
  }
}
