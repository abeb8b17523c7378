package dev.shunt.cli;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Moments as people read them: by the clock on the wall, and by how far off they are.
 *
 * @param now as of when
 */
record Times(Instant now) {
  private static final DateTimeFormatter TODAY = DateTimeFormatter.ofPattern("HH:mm:ss");
  private static final DateTimeFormatter EARLIER = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm");

  /** A moment of a status; empty if it is none. */
  static Optional<Instant> read(String text) {
    try {
      return Optional.of(Instant.parse(text));
    } catch (DateTimeParseException _) {
      return Optional.empty();
    }
  }

  /** Such as {@code since 12:00:03 (3 min 5 s)}, with a blank before it. */
  String since(Instant time) {
    return " since " + clock(time) + " (" + span(Duration.between(time, now)) + ")";
  }

  /** Such as {@code in 12 s, at 12:00:30}, or {@code now}. */
  String until(Instant time) {
    var left = Duration.between(now, time);
    return left.toMillis() <= 0 ? "now" : "in " + shortSpan(left) + ", at " + clock(time);
  }

  /** The time of day, with the day where that is another one. */
  String clock(Instant time) {
    var near = Duration.between(time, now).abs().compareTo(Duration.ofHours(20)) < 0;
    return (near ? TODAY : EARLIER).format(time.atZone(ZoneId.systemDefault()));
  }

  /** A delay as it is set, such as {@code 500 ms} or {@code 30 s}. */
  static String ofMillis(long millis) {
    return shortSpan(Duration.ofMillis(millis));
  }

  private static String shortSpan(Duration span) {
    return span.toMillis() < 1000 ? span.toMillis() + " ms" : span(span);
  }

  /** Such as {@code 3 h 12 min}. */
  static String span(Duration duration) {
    var left = duration.isNegative() ? Duration.ZERO : duration.truncatedTo(ChronoUnit.SECONDS);
    if (left.toDays() > 0) {
      return parts(left.toDays(), "d", left.toHoursPart(), "h");
    }
    if (left.toHours() > 0) {
      return parts(left.toHours(), "h", left.toMinutesPart(), "min");
    }
    return left.toMinutes() > 0
        ? parts(left.toMinutes(), "min", left.toSecondsPart(), "s")
        : left.toSeconds() + " s";
  }

  private static String parts(long large, String unit, long small, String smaller) {
    return large + " " + unit + " " + small + " " + smaller;
  }
}
