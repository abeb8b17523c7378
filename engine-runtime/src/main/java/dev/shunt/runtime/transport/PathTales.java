package dev.shunt.runtime.transport;

import dev.shunt.api.spi.PathId;
import dev.shunt.runtime.observe.Change;
import dev.shunt.runtime.observe.Crowd;
import dev.shunt.runtime.observe.Journal;
import dev.shunt.runtime.observe.PathName;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells people of one transport's paths that rest: a line in the log and an event when one begins
 * to, and when it may be used again. What fails on it meanwhile is counted, and told with that. Of
 * many at once there are a few lines and a number. On the steward's thread.
 */
final class PathTales {
  private static final Logger LOG = LoggerFactory.getLogger(PathTales.class);
  private static final long MILLI = 1_000_000;

  private final String transport;
  private final Journal journal;
  private final Crowd rests;
  private final Crowd goesOn;
  private final Crowd lost;
  private final Crowd works;

  /** Those that rest, with how often they failed since. */
  private final Map<PathId, Integer> resting = new HashMap<>();

  /**
   * Nothing is told yet.
   *
   * @param later has something done at a time
   */
  PathTales(String transport, Journal journal, BiConsumer<Long, Runnable> later) {
    this(transport, journal, text -> LOG.warn("{}", text), text -> LOG.info("{}", text), later);
  }

  /** The same with other takers of lines. */
  PathTales(
      String transport,
      Journal journal,
      Consumer<String> warn,
      Consumer<String> info,
      BiConsumer<Long, Runnable> later) {
    this.transport = transport;
    this.journal = journal;
    rests = new Crowd(warn, transport + " path rests", transport + " paths rest", later);
    goesOn =
        new Crowd(
            info,
            transport + " path may be used again",
            transport + " paths may be used again",
            later);
    lost =
        new Crowd(
            warn,
            "peer is not reached by " + transport,
            "peers are not reached by " + transport,
            later);
    works =
        new Crowd(
            info,
            "peer is reached by " + transport + " again",
            "peers are reached by " + transport + " again",
            later);
  }

  /**
   * A path rests: maybe it did before.
   *
   * @param rest nanoseconds from now
   */
  void paused(PathId path, PathName name, long rest, String cause, long now) {
    if (resting.merge(path, 0, (failures, _) -> failures + 1) > 0) {
      return;
    }
    var line =
        "%s: path %s rests for %d ms: %s".formatted(transport, text(name), rest / MILLI, cause);
    rests.tell(text(name), line, cause, now);
    journal.path(Change.PATH_PAUSED, name, rest, cause);
  }

  /** Its rest is over. */
  void resumed(PathId path, PathName name, long now) {
    var failures = resting.remove(path);
    var line = "%s: path %s may be used again".formatted(transport, text(name));
    var detail =
        failures == null || failures == 0
            ? ""
            : "it failed " + failures + (failures == 1 ? " time" : " times") + " meanwhile";
    goesOn.tell(text(name), detail.isEmpty() ? line : line + "; " + detail, detail, now);
    journal.path(Change.PATH_RESUMED, name, 0, "");
  }

  private static String text(PathName name) {
    return name.localRail() + " -> " + name.remoteRail() + " of " + name.peer();
  }

  /** A remote is of no use by this transport, or of use again. */
  void standing(String remote, boolean good, String text, long now) {
    if (good) {
      works.tell(remote, remote + " by " + transport + " works again", "", now);
    } else {
      lost.tell(remote, remote + " by " + transport + " is of no use now; " + text, text, now);
    }
  }

  /** Tells what is left to tell. */
  void flush() {
    rests.flush();
    goesOn.flush();
    lost.flush();
    works.flush();
  }

  /** Nothing is to be told of a remote any more. */
  void forget(String remote) {
    resting.keySet().removeIf(path -> path.remote().equals(remote));
  }
}
