package dev.shunt.runtime.control;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells people of peers: a line for each change, but of those of one kind within a second no more
 * than a few; the others are counted, and told as one when the second is over. One that comes and
 * goes is told of by itself a few times, and then as a number each minute. On the control thread.
 */
final class PeerTales {
  /** Lines within a window, before the rest is gathered. */
  static final int LINES = 10;

  static final long WINDOW = 1_000_000_000L;

  /** Whoever silences the log of peers names the class that watches them. */
  private static final Logger LOG = LoggerFactory.getLogger(PeerWatch.class);

  private static final int NAMES = 5;

  private final BiConsumer<Long, Runnable> later;
  private final Kind lost;
  private final Kind back;
  private final Kind again;
  private final Relapses relapses;

  /**
   * Tells the log.
   *
   * @param later has something done at a time
   */
  PeerTales(BiConsumer<Long, Runnable> later) {
    this(text -> LOG.warn("{}", text), text -> LOG.info("{}", text), later);
  }

  /**
   * Nothing is told yet.
   *
   * @param warn takes lines of peers that do not answer
   * @param info takes lines of those that do again
   * @param later has something done at a time
   */
  PeerTales(Consumer<String> warn, Consumer<String> info, BiConsumer<Long, Runnable> later) {
    this.later = later;
    this.lost = new Kind(warn, "unreachable");
    this.back = new Kind(info, "reachable again");
    this.again = new Kind(warn, "unreachable again and again");
    this.relapses = new Relapses(later, this::relapsed);
  }

  /** A peer does not answer. */
  void lost(String place, String why, long now) {
    if (relapses.lost(place, why, now)) {
      lost.tell(place, place + " is unreachable: " + why, why, now);
    }
  }

  private void relapsed(String place, int times, String why, boolean lost, long now) {
    var line =
        place
            + (lost ? " is unreachable: " : " is reachable: ")
            + "it was lost "
            + times
            + (times == 1 ? " more time" : " more times")
            + " within a minute, the last time because "
            + why;
    again.tell(place, line, why, now);
  }

  /** A peer answers again. */
  void back(String place, String span, long now) {
    if (relapses.back(place)) {
      back.tell(place, place + " is reachable again, after " + span, "after " + span, now);
    }
  }

  /** Tells what is left to tell. */
  void flush() {
    lost.flush();
    back.flush();
    relapses.flush(again.from);
    again.flush();
  }

  private final class Kind {
    private final Consumer<String> sink;
    private final String state;
    private final Map<String, Integer> names = new LinkedHashMap<>();
    private String first = "";
    private boolean began;
    private long from;
    private int lines;
    private int changes;
    private int unnamed;

    Kind(Consumer<String> sink, String state) {
      this.sink = sink;
      this.state = state;
    }

    void tell(String place, String line, String detail, long now) {
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
      if (names.containsKey(place) || names.size() < NAMES) {
        names.merge(place, 1, Integer::sum);
      } else {
        unnamed++;
      }
    }

    void flush() {
      if (changes == 0) {
        return;
      }
      var text = new StringJoiner(", ");
      names.forEach((name, times) -> text.add(times == 1 ? name : name + " (" + times + " times)"));
      var rest = unnamed == 0 ? "" : " and " + unnamed + " more";
      sink.accept(
          changes
              + (changes == 1 ? " more peer is " : " more peers are ")
              + state
              + " within a second: "
              + text
              + rest
              + "; the first of them: "
              + first);
      names.clear();
      changes = 0;
      unnamed = 0;
    }
  }
}
