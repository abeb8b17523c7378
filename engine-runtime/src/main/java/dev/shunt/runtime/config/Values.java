package dev.shunt.runtime.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigOrigin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Reads values under {@code shunt} and gathers what is out of range. */
final class Values {
  private static final Duration LONGEST = Duration.ofDays(36_500);

  private final Config root;
  private final List<Problem> problems;

  Values(Config root) {
    this(root, new ArrayList<>());
  }

  Values(Config root, List<Problem> problems) {
    this.root = root;
    this.problems = problems;
  }

  Config root() {
    return root;
  }

  String text(String path) {
    return root.getString("shunt." + path);
  }

  List<String> texts(String path) {
    var texts = new ArrayList<String>();
    for (var element : root.getList("shunt." + path)) {
      switch (element.valueType()) {
        case STRING, NUMBER, BOOLEAN -> texts.add(element.unwrapped().toString());
        case OBJECT, LIST, NULL ->
            wrong(element.origin(), path, ValueType.kind(element) + " is not a text");
      }
    }
    return texts;
  }

  boolean flag(String path) {
    return root.getBoolean("shunt." + path);
  }

  int number(String path, int lowest, int highest) {
    long value = root.getLong("shunt." + path);
    if (value < lowest || value > highest) {
      wrong(path, value + " is out of range; right is " + lowest + " to " + highest);
      return lowest;
    }
    return (int) value;
  }

  /** At least a millisecond. */
  Duration time(String path) {
    return time(path, Duration.ofMillis(1));
  }

  Duration time(String path, Duration lowest) {
    var value = root.getDuration("shunt." + path);
    if (value.compareTo(lowest) < 0 || value.compareTo(LONGEST) > 0) {
      wrong(
          path,
          root.getString("shunt." + path)
              + " is out of range; right is "
              + lowest.toMillis()
              + "ms to "
              + LONGEST.toDays()
              + "d");
      return Duration.ofMillis(1);
    }
    return value;
  }

  long size(String path, long lowest, long highest) {
    long value = root.getMemorySize("shunt." + path).toBytes();
    if (value < lowest || value > highest) {
      wrong(
          path,
          root.getString("shunt." + path)
              + " is out of range; right is "
              + lowest
              + "B to "
              + highest
              + "B");
      return lowest;
    }
    return value;
  }

  void wrong(String path, String text) {
    var origin = root.hasPath("shunt." + path) ? root.getValue("shunt." + path).origin() : null;
    wrong(origin, path, text);
  }

  void wrong(ConfigOrigin origin, String path, String text) {
    problems.add(Problem.at(origin, Problem.Kind.OUT_OF_RANGE, "shunt." + path, text));
  }

  /** What is wrong in type although nobody checked before: a defect of the caller. */
  static Problem unchecked(ConfigException e) {
    return Problem.at(
        e.origin(), Problem.Kind.WRONG_TYPE, "shunt", Redacted.message(e.getMessage()));
  }
}
