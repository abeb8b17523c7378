package dev.shunt.runtime.transport;

import dev.shunt.api.spi.PathId;
import dev.shunt.runtime.observe.Change;
import dev.shunt.runtime.observe.Journal;
import dev.shunt.runtime.observe.PathName;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells people of one transport's paths that rest: a line in the log and an event when one begins
 * to, and when it may be used again. What fails on it meanwhile is counted, and told with that.
 */
final class PathTales {
  private static final Logger LOG = LoggerFactory.getLogger(PathTales.class);
  private static final long MILLI = 1_000_000;

  private final String transport;
  private final Journal journal;

  /** Those that rest, with how often they failed since. */
  private final Map<PathId, Integer> resting = new HashMap<>();

  PathTales(String transport, Journal journal) {
    this.transport = transport;
    this.journal = journal;
  }

  /**
   * A path rests: maybe it did before.
   *
   * @param rest nanoseconds from now
   */
  void paused(PathId path, PathName name, long rest, String cause) {
    if (resting.merge(path, 0, (failures, _) -> failures + 1) > 0) {
      return;
    }
    LOG.warn(
        "{}: path {} -> {} of {} rests for {} ms: {}",
        transport,
        name.localRail(),
        name.remoteRail(),
        name.peer(),
        rest / MILLI,
        cause);
    journal.path(Change.PATH_PAUSED, name, rest, cause);
  }

  /** Its rest is over. */
  void resumed(PathId path, PathName name) {
    var failures = resting.remove(path);
    LOG.info(
        "{}: path {} -> {} of {} may be used again{}",
        transport,
        name.localRail(),
        name.remoteRail(),
        name.peer(),
        failures == null || failures == 0 ? "" : "; it failed " + failures + " times meanwhile");
    journal.path(Change.PATH_RESUMED, name, 0, "");
  }

  /** Nothing is to be told of a remote any more. */
  void forget(String remote) {
    resting.keySet().removeIf(path -> path.remote().equals(remote));
  }
}
