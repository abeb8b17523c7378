package dev.shunt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Reads the text format of Prometheus 0.0.4, and lets nothing pass that is not in it. */
final class PrometheusText {
  private static final Pattern SAMPLE =
      Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)})? (\\S+)");
  private static final Pattern LABEL =
      Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\\n]|\\\\[\\\\\"n])*)\"(,|$)");

  private final Map<String, String> types = new LinkedHashMap<>();
  private final Map<String, Double> samples = new HashMap<>();
  private String family = "";
  private Map<String, Double> buckets = new LinkedHashMap<>();

  PrometheusText(String text) {
    assertTrue(text.endsWith("\n"), "the last line has no end");
    text.lines().forEach(this::line);
  }

  /** The value of a sample, with its labels sorted by name. */
  Optional<Double> value(String sample) {
    return Optional.ofNullable(samples.get(sample));
  }

  Map<String, String> types() {
    return types;
  }

  int size() {
    return samples.size();
  }

  private void line(String line) {
    assertFalse(line.isEmpty(), "an empty line");
    if (line.startsWith("# HELP ")) {
      var words = line.split(" ", 4);
      assertEquals(4, words.length, line);
      family = words[2];
      assertFalse(types.containsKey(family), "twice: " + family);
    } else if (line.startsWith("# TYPE ")) {
      var words = line.split(" ");
      assertEquals(4, words.length, line);
      assertEquals(family, words[2], "TYPE follows the HELP of the same family");
      assertTrue(words[3].matches("counter|gauge|histogram"), line);
      types.put(family, words[3]);
    } else {
      sample(line);
    }
  }

  private void sample(String line) {
    var sample = SAMPLE.matcher(line);
    assertTrue(sample.matches(), line);
    var type = types.get(family);
    var suffix = sample.group(1).substring(Math.min(family.length(), sample.group(1).length()));
    assertTrue(sample.group(1).startsWith(family), line + " among " + family);
    assertTrue(
        type.equals("histogram") ? suffix.matches("_bucket|_sum|_count") : suffix.isEmpty(), line);
    var labels = labels(Optional.ofNullable(sample.group(2)).orElse(""), line);
    var value = Double.parseDouble(sample.group(3));
    assertTrue(Double.isFinite(value) && value >= 0, line);
    assertTrue(!type.equals("counter") || value == Math.rint(value), line);
    if (type.equals("histogram")) {
      histogram(suffix, labels, value, line);
    }
    var key = sample.group(1) + (labels.isEmpty() ? "" : labels.toString());
    assertFalse(samples.containsKey(key), "twice: " + line);
    samples.put(key, value);
  }

  private static Map<String, String> labels(String text, String line) {
    var labels = new TreeMap<String, String>();
    var label = LABEL.matcher(text);
    int end = 0;
    while (end < text.length()) {
      assertTrue(label.find(end) && label.start() == end, line);
      assertEquals(null, labels.put(label.group(1), label.group(2)), line);
      end = label.end();
      assertTrue(!label.group(3).equals(",") || end < text.length(), line);
    }
    return labels;
  }

  /** Buckets grow to +Inf, and that one is the count. */
  private void histogram(String suffix, Map<String, String> labels, double value, String line) {
    switch (suffix) {
      case "_bucket" -> {
        var last = buckets.values().stream().reduce(0.0, Math::max);
        assertTrue(value >= last, "not cumulative: " + line);
        assertTrue(labels.containsKey("le"), line);
        buckets.put(labels.get("le"), value);
      }
      case "_count" -> {
        assertEquals(buckets.get("+Inf"), value, line);
        buckets = new LinkedHashMap<>();
      }
      default -> assertTrue(buckets.containsKey("+Inf"), line);
    }
  }
}
