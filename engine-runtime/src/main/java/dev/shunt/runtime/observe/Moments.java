package dev.shunt.runtime.observe;

import java.time.Instant;
import java.util.LinkedHashMap;

/**
 * Moments of the monotonic clock as times that people read: each is translated once, so that it
 * stays what it was however often somebody looks. Any thread.
 */
final class Moments {
  private static final int MOST = 8192;

  private final LinkedHashMap<String, Moment> known = new LinkedHashMap<>(16, 0.75f, true);

  private record Moment(long nanos, Instant time) {}

  /** Nothing was asked yet. */
  Moments() {}

  /**
   * When something was, or will be.
   *
   * @param what whose moment; another one of the same takes its place
   * @param nanos the moment
   * @param nanosNow the monotonic clock now
   * @param now the wall clock now
   */
  synchronized Instant at(String what, long nanos, long nanosNow, Instant now) {
    var moment = known.get(what);
    if (moment == null || moment.nanos() != nanos) {
      moment = new Moment(nanos, now.plusNanos(nanos - nanosNow));
      known.put(what, moment);
      if (known.size() > MOST) {
        known.pollFirstEntry();
      }
    }
    return moment.time();
  }

  /** For how many moments there is a time. */
  synchronized int size() {
    return known.size();
  }
}
