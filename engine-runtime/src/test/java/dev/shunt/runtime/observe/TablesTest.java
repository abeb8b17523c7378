package dev.shunt.runtime.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.Threshold;
import jdk.jfr.ValueDescriptor;
import org.junit.jupiter.api.Test;

/** The package's documentation lists what there is, and nothing else. */
class TablesTest {
  private static final Path SOURCES = Path.of("src/main/java/dev/shunt/runtime/observe");
  private static final List<String> GIVEN =
      List.of("startTime", "duration", "eventThread", "stackTrace");

  @Test
  void theTableOfMetricsListsEachMetric() throws IOException {
    var lines = new ArrayList<String>();
    for (var metric : Metric.values()) {
      var labels = metric.labels().isEmpty() ? "" : "{" + String.join(",", metric.labels()) + "}";
      lines.add(metric.metric() + labels + " " + metric.type());
      lines.addAll(wrapped(metric.help()));
    }
    assertEquals(String.join("\n", lines), documented("metrics"));
  }

  @Test
  void theTableOfEventsListsEachEvent() throws IOException {
    var lines = new ArrayList<String>();
    for (var type : events()) {
      var threshold = type.getAnnotation(Threshold.class);
      lines.add(
          type.getName() + (threshold == null ? "" : " (of " + threshold.value() + " or more)"));
      lines.addAll(wrapped(type.getAnnotation(Description.class).value()));
      for (var field : type.getFields()) {
        if (!GIVEN.contains(field.getName())) {
          lines.add("    " + field.getName() + ": " + describe(field));
        }
      }
    }
    assertEquals(String.join("\n", lines), documented("events"));
  }

  @Test
  void namesKeepToTheConventions() {
    for (var metric : Metric.values()) {
      var name = metric.metric();
      assertTrue(name.matches("shunt(_[a-z]+)+"), name);
      assertEquals(metric.type() == Metric.Type.COUNTER, name.endsWith("_total"), name);
      assertTrue(metric.type() != Metric.Type.HISTOGRAM || name.endsWith("_seconds"), name);
      assertTrue(!metric.labels().contains("peer"), name + " has a series for each peer");
      assertTrue(!metric.help().contains("\n") && !metric.help().isBlank(), name);
    }
    var names = Stream.of(Metric.values()).map(Metric::metric).toList();
    assertEquals(names.stream().distinct().toList(), names);
  }

  private static String describe(ValueDescriptor field) {
    var description = field.getAnnotation(Description.class);
    return description == null ? "" : description.value();
  }

  private static List<EventType> events() throws IOException {
    try (var files = Files.list(SOURCES)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith("Event.java"))
          .sorted()
          .map(name -> name.replace(".java", ""))
          .map(TablesTest::event)
          .toList();
    }
  }

  private static EventType event(String name) {
    try {
      return EventType.getEventType(
          Class.forName("dev.shunt.runtime.observe." + name).asSubclass(Event.class));
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  private static List<String> wrapped(String text) {
    var lines = new ArrayList<String>();
    var line = new StringBuilder("   ");
    for (var word : text.split(" ")) {
      if (line.length() + word.length() > 90) {
        lines.add(line.toString());
        line = new StringBuilder("   ");
      }
      line.append(' ').append(word);
    }
    lines.add(line.toString());
    return lines;
  }

  private static String documented(String table) throws IOException {
    var text = Files.readString(SOURCES.resolve("package-info.java"));
    var from = text.indexOf("id=\"" + table + "\"");
    assertTrue(from > 0, "no table of " + table);
    var begin = text.indexOf("{@code\n", from) + "{@code\n".length();
    return text.substring(begin, text.indexOf(" * }</pre>", begin))
        .lines()
        .map(line -> line.replaceFirst("^ \\* ?", ""))
        .collect(Collectors.joining("\n"));
  }
}
