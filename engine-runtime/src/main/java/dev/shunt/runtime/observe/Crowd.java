package dev.shunt.runtime.observe;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Lines of one kind for people: within a second no more than a few; the others are counted, and
 * told as one when the second is over. On one thread.
 */
public final class Crowd {
  /** Lines within a window, before the rest is gathered. */
  public static final int LINES = 10;

  /** In nanoseconds. */
  static final long WINDOW = 1_000_000_000L;

  private static final int NAMES = 5;

  private final Consumer<String> sink;
  private final String one;
  private final String many;
  private final BiConsumer<Long, Runnable> later;
  private final Map<String, Integer> names = new LinkedHashMap<>();
  private String first = "";
  private boolean began;
  private long from;
  private int lines;
  private int changes;
  private int unnamed;

  /**
   * Nothing is told yet.
   *
   * @param sink takes the lines
   * @param one what happened to one more, as "peer is unreachable"
   * @param many the same of several
   * @param later has something done at a time
   */
  public Crowd(Consumer<String> sink, String one, String many, BiConsumer<Long, Runnable> later) {
    this.sink = sink;
    this.one = one;
    this.many = many;
    this.later = later;
  }

  /**
   * Something happened.
   *
   * @param name of what it happened to
   * @param line what is told of it if it is alone
   * @param detail what is told of the first of many
   */
  public void tell(String name, String line, String detail, long now) {
    if (!began || now - from >= WINDOW) {
      flush();
      began = true;
      from = now;
      lines = 0;
    }
    if (lines < LINES) {
      lines++;
      sink.accept(line);
      return;
    }
    if (changes++ == 0) {
      first = detail;
      later.accept(from + WINDOW, this::flush);
    }
    if (names.containsKey(name) || names.size() < NAMES) {
      names.merge(name, 1, Integer::sum);
    } else {
      unnamed++;
    }
  }

  /** When the last window began. */
  public long since() {
    return from;
  }

  /** Tells what is left to tell. */
  public void flush() {
    if (changes == 0) {
      return;
    }
    var text = new StringJoiner(", ");
    names.forEach((name, times) -> text.add(times == 1 ? name : name + " (" + times + " times)"));
    var rest = unnamed == 0 ? "" : " and " + unnamed + " more";
    sink.accept(
        changes
            + " more "
            + (changes == 1 ? one : many)
            + " within a second: "
            + text
            + rest
            + (first.isEmpty() ? "" : "; the first of them: " + first));
    names.clear();
    changes = 0;
    unnamed = 0;
  }
}
