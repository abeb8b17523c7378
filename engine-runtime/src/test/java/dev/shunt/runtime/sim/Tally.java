package dev.shunt.runtime.sim;

import java.util.EnumSet;
import java.util.Set;

/** What many seeds came to. The lock is for the few threads that add to it. */
final class Tally {
  private final long[] met = new long[Mark.values().length];
  private int seeds;
  private long nodes;
  private long slices;
  private long faults;
  private long batches;
  private long events;
  private int fewestNodes = Integer.MAX_VALUE;
  private long fewestSlices = Long.MAX_VALUE;
  private int fewestFaults = Integer.MAX_VALUE;

  synchronized void add(Seeds.Result result) {
    seeds++;
    nodes += result.nodes();
    slices += result.slices();
    faults += result.faults();
    batches += result.batches();
    events += result.events();
    fewestNodes = Math.min(fewestNodes, result.nodes());
    fewestSlices = Math.min(fewestSlices, result.slices());
    fewestFaults = Math.min(fewestFaults, result.faults());
    for (var mark : result.marks()) {
      met[mark.ordinal()]++;
    }
  }

  /** Those of a set that no seed met. */
  synchronized Set<Mark> missing(Set<Mark> wanted) {
    var missing = EnumSet.noneOf(Mark.class);
    for (var mark : wanted) {
      if (met[mark.ordinal()] == 0) {
        missing.add(mark);
      }
    }
    return missing;
  }

  /** Whether no seed was smaller. */
  synchronized boolean fewest(int nodesAtLeast, long slicesAtLeast, int faultsAtLeast) {
    return fewestNodes >= nodesAtLeast
        && fewestSlices >= slicesAtLeast
        && fewestFaults >= faultsAtLeast;
  }

  synchronized String report(String name) {
    double of = Math.max(1, seeds);
    var text = new StringBuilder();
    text.append(
        String.format(
            "%s: %d seeds; the mean of one: %.1f nodes, %.0f batches, %.0f slices, %.1f faults,"
                + " %.0f events; how many met:",
            name, seeds, nodes / of, batches / of, slices / of, faults / of, events / of));
    for (var mark : Mark.values()) {
      text.append(' ').append(mark).append(' ').append(met[mark.ordinal()]);
    }
    return text.toString();
  }
}
