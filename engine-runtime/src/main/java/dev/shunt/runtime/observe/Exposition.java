package dev.shunt.runtime.observe;

import java.math.BigDecimal;

/** Writes the text format of Prometheus, version 0.0.4: a family at a time. */
public final class Exposition {
  /** What it is as a content type. */
  public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final StringBuilder text = new StringBuilder(8192);
  private Metric family;

  /** An empty text. */
  public Exposition() {}

  /** Begins a family: what follows are its samples. */
  public void family(Metric metric) {
    family = metric;
    text.append("# HELP ").append(metric.metric()).append(' ').append(metric.help()).append('\n');
    text.append("# TYPE ").append(metric.metric()).append(' ').append(metric.type()).append('\n');
  }

  /**
   * A sample of the family.
   *
   * @param labels values, in the order in which the metric names its labels
   */
  public void sample(long value, String... labels) {
    line("", "", "", Long.toString(value), labels);
  }

  /** A sample that may be a fraction. */
  public void sample(double value, String... labels) {
    line("", "", "", decimal(value), labels);
  }

  /**
   * A histogram of times.
   *
   * @param counts by bucket, not cumulative
   * @param nanos the sum of the times
   */
  public void histogram(long[] counts, long nanos, String... labels) {
    long all = 0;
    for (int i = 0; i < Buckets.COUNT; i++) {
      all += counts[i];
      line("_bucket", "le", Buckets.bound(i), Long.toString(all), labels);
    }
    line("_sum", "", "", decimal(nanos / 1e9), labels);
    line("_count", "", "", Long.toString(all), labels);
  }

  private void line(
      String suffix, String extraLabel, String extraValue, String value, String... labels) {
    if (labels.length != family.labels().size()) {
      throw new IllegalArgumentException(family + " has labels " + family.labels());
    }
    text.append(family.metric()).append(suffix);
    var separator = '{';
    for (int i = 0; i < labels.length; i++) {
      text.append(separator);
      label(family.labels().get(i), labels[i]);
      separator = ',';
    }
    if (!extraLabel.isEmpty()) {
      text.append(separator);
      label(extraLabel, extraValue);
      separator = ',';
    }
    if (separator == ',') {
      text.append('}');
    }
    text.append(' ').append(value).append('\n');
  }

  private void label(String name, String value) {
    text.append(name).append("=\"");
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '\\' -> text.append("\\\\");
        case '"' -> text.append("\\\"");
        case '\n' -> text.append("\\n");
        default -> text.append(c);
      }
    }
    text.append('"');
  }

  static String decimal(double value) {
    return value == 0
        ? "0"
        : new BigDecimal(Double.toString(value)).stripTrailingZeros().toPlainString();
  }

  /** All that was written. */
  public String text() {
    return text.toString();
  }
}
