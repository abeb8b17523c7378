package dev.shunt.runtime.sim;

import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLongArray;

/** Counts marks over many seeds, from several threads. */
final class Marks {
  private final AtomicLongArray seeds = new AtomicLongArray(Mark.values().length);

  /** Adds what one seed met. */
  void add(Set<Mark> met) {
    for (var mark : met) {
      seeds.incrementAndGet(mark.ordinal());
    }
  }

  /** In how many seeds it was met. */
  long seeds(Mark mark) {
    return seeds.get(mark.ordinal());
  }

  /** Those of a set that no seed met. */
  Set<Mark> missing(Set<Mark> wanted) {
    var missing = EnumSet.noneOf(Mark.class);
    for (var mark : wanted) {
      if (seeds(mark) == 0) {
        missing.add(mark);
      }
    }
    return missing;
  }
}
