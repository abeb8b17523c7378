package dev.shunt.runtime.control;

import dev.shunt.runtime.observe.Crowd;
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
  /** Whoever silences the log of peers names the class that watches them. */
  private static final Logger LOG = LoggerFactory.getLogger(PeerWatch.class);

  private final Crowd lost;
  private final Crowd back;
  private final Crowd again;
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
    this.lost = new Crowd(warn, "peer is unreachable", "peers are unreachable", later);
    this.back = new Crowd(info, "peer is reachable again", "peers are reachable again", later);
    this.again =
        new Crowd(
            warn,
            "peer is unreachable again and again",
            "peers are unreachable again and again",
            later);
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
    relapses.flush(again.since());
    again.flush();
  }
}
