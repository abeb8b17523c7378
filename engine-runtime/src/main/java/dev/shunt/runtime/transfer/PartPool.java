package dev.shunt.runtime.transfer;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Parts of one lane that wait to be used again. Callers take, the lane gives, and nobody waits: a
 * stack of places, whose head counts its changes, so that one that came back meanwhile is no
 * mistake. It never holds more than it has places; what finds none is left to the collector.
 */
final class PartPool {
  static final int PLACES = 256;
  private static final int EMPTY = -1;
  private static final long PLACE = 0xffff_ffffL;
  private static final long CHANGE = 1L << 32;

  private final LanePart[] parts = new LanePart[PLACES];
  private final AtomicIntegerArray below = new AtomicIntegerArray(PLACES);
  private final AtomicLong head = new AtomicLong(EMPTY & PLACE);
  private final AtomicInteger made = new AtomicInteger();

  /** A part that nobody else has. */
  LanePart take(Lane lane) {
    long now = head.get();
    int place = (int) now;
    while (place != EMPTY) {
      long then = changed(now, below.get(place));
      if (head.compareAndSet(now, then)) {
        return parts[place];
      }
      now = head.get();
      place = (int) now;
    }
    return make(lane);
  }

  private LanePart make(Lane lane) {
    int place = made.get();
    while (place < PLACES) {
      if (made.compareAndSet(place, place + 1)) {
        var part = new LanePart(lane, place);
        parts[place] = part;
        return part;
      }
      place = made.get();
    }
    return new LanePart(lane, EMPTY);
  }

  /** Takes back a part that nobody uses any more. */
  void give(LanePart part) {
    int place = part.place();
    if (place == EMPTY) {
      return;
    }
    long now;
    do {
      now = head.get();
      below.set(place, (int) now);
    } while (!head.compareAndSet(now, changed(now, place)));
  }

  /** Puts another one in the place of a part that must not be used again. */
  void replace(LanePart part, Lane lane) {
    int place = part.place();
    if (place != EMPTY) {
      var other = new LanePart(lane, place);
      parts[place] = other;
      give(other);
    }
  }

  private static long changed(long head, int place) {
    return (head & ~PLACE) + CHANGE | place & PLACE;
  }
}
