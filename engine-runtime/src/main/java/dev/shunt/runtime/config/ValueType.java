package dev.shunt.runtime.config;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/** What a key holds, as its default shows. */
enum ValueType {
  DURATION("a time with a unit, such as 500ms, 30s or 5m"),
  SIZE("a size with a unit, such as 64KiB or 16MiB"),
  INTEGER("a whole number"),
  DECIMAL("a number"),
  FLAG("true or false"),
  TEXT("a text"),
  LIST("a list, such as [a, b]"),
  ANY("a value");

  /** Longer than any that is right; many more digits take minutes to compute with. */
  private static final int LONGEST_NUMBER = 100;

  private static final Pattern BARE = Pattern.compile("[+-]?\\d+(\\.\\d+)?");

  /** A few characters for a number that as an integer would take more memory than there is. */
  private static final Pattern A_POWER = Pattern.compile("[+-]?[\\d.]+[eE][+-]?\\d{3,}\\D*");

  private static final Pattern A_DURATION =
      Pattern.compile(
          "\\d+(\\.\\d+)?\\s*(ns|nanos?|us|micros?|ms|millis?|s|seconds?|m|minutes?|h|hours?|d|days?)");
  private static final Pattern A_SIZE =
      Pattern.compile("\\d+(\\.\\d+)?\\s*(B|bytes?|[kKMGTPE]i?B?)");

  /** About a century: what is longer, a nanosecond clock cannot count well. */
  private static final Duration LONGEST = Duration.ofDays(36_500);

  private final String right;

  ValueType(String right) {
    this.right = right;
  }

  /** What would be right. */
  String right() {
    return right;
  }

  static ValueType of(ConfigValue value) {
    return switch (value.valueType()) {
      case BOOLEAN -> FLAG;
      case NUMBER -> isWhole(value.unwrapped().toString()) ? INTEGER : DECIMAL;
      case LIST -> LIST;
      case NULL, OBJECT -> ANY;
      case STRING -> {
        var text = value.unwrapped().toString().strip();
        yield A_DURATION.matcher(text).matches()
            ? DURATION
            : A_SIZE.matcher(text).matches() ? SIZE : TEXT;
      }
    };
  }

  /** What is wrong with a value, in words; empty if it fits. */
  Optional<Wrong> check(ConfigValue value) {
    if (value.valueType() == ConfigValueType.NULL) {
      return wrong("null is no value; leave the key out for its default");
    }
    var text = String.valueOf(value.unwrapped()).strip();
    boolean scalar =
        value.valueType() != ConfigValueType.OBJECT && value.valueType() != ConfigValueType.LIST;
    boolean counts = this == INTEGER || this == DECIMAL || this == DURATION || this == SIZE;
    if (scalar && counts && text.length() > LONGEST_NUMBER) {
      // It is not shown in part, as a secret could not be told in it.
      return outOfRange(
          "a value of " + text.length() + " characters is too long; right is " + right);
    }
    if (scalar && this == SIZE && A_POWER.matcher(text).matches()) {
      return outOfRange(text + " has too large an exponent; right is " + right);
    }
    return switch (this) {
      case ANY -> Optional.empty();
      case LIST ->
          value.valueType() == ConfigValueType.LIST ? Optional.empty() : no(value, scalar, text);
      case TEXT -> scalar ? Optional.empty() : no(value, false, text);
      case FLAG ->
          scalar && text.matches("true|false|yes|no|on|off")
              ? Optional.empty()
              : no(value, scalar, text);
      case INTEGER -> scalar && isWhole(text) ? Optional.empty() : no(value, scalar, text);
      case DECIMAL ->
          scalar && BARE.matcher(text).matches() ? Optional.empty() : no(value, scalar, text);
      case DURATION, SIZE -> scalar ? unit(value, text) : no(value, false, text);
    };
  }

  private Optional<Wrong> unit(ConfigValue value, String text) {
    if (BARE.matcher(text).matches()) {
      if (new BigDecimal(text).signum() == 0) {
        return Optional.empty();
      }
      return Optional.of(
          new Wrong(
              Problem.Kind.NO_UNIT,
              text
                  + " has no unit; right would be "
                  + (this == DURATION
                      ? text + "s or " + text + "ms"
                      : text + "B or " + text + "KiB")));
    }
    try {
      var at = value.atKey("v");
      if (this == DURATION) {
        return range(at.getDuration("v"), text);
      }
      return at.getMemorySize("v").toBytesBigInteger().bitLength() < Long.SIZE
          ? Optional.empty()
          : outOfRange(text + " is more than 64 bits hold");
    } catch (ConfigException | ArithmeticException e) {
      return text.startsWith("-") ? outOfRange(text + " is below 0") : no(value, true, text);
    }
  }

  private static Optional<Wrong> range(Duration duration, String text) {
    if (duration.isNegative()) {
      return outOfRange(text + " is below 0");
    }
    return duration.compareTo(LONGEST) <= 0
        ? Optional.empty()
        : outOfRange(text + " is more than " + LONGEST.toDays() + "d");
  }

  private Optional<Wrong> no(ConfigValue value, boolean scalar, String text) {
    var what = scalar ? "'" + text + "'" : kind(value);
    return wrong(what + " is not " + right);
  }

  private static Optional<Wrong> outOfRange(String text) {
    return Optional.of(new Wrong(Problem.Kind.OUT_OF_RANGE, text));
  }

  private static Optional<Wrong> wrong(String text) {
    return Optional.of(new Wrong(Problem.Kind.WRONG_TYPE, text));
  }

  /** What is said in place of a value that is none of a line. */
  static String kind(ConfigValue value) {
    return switch (value.valueType()) {
      case LIST -> "a list";
      case OBJECT -> "a section";
      case NULL -> "null";
      case STRING, NUMBER, BOOLEAN -> "a value";
    };
  }

  private static boolean isWhole(String text) {
    if (text.length() > LONGEST_NUMBER || !BARE.matcher(text).matches()) {
      return false;
    }
    var number = new BigDecimal(text).stripTrailingZeros();
    return number.scale() <= 0 && number.toBigInteger().bitLength() < Long.SIZE;
  }

  /** What is wrong with a value. */
  record Wrong(Problem.Kind kind, String text) {}
}
