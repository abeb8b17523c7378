package dev.shunt.runtime.sim;

import dev.shunt.api.Engine.SegmentResult;
import dev.shunt.api.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Whom nodes have opened, and what they wait for. */
final class Openings {
  private final Cluster cluster;
  private final Story story;
  private final List<Opening> openings = new ArrayList<>();

  private record Opening(
      SimNode from, Place to, Signal<SegmentResult> signal, long deadline, int registered) {}

  Openings(Cluster cluster, Story story) {
    this.cluster = cluster;
    this.story = story;
  }

  boolean quiet() {
    return openings.isEmpty();
  }

  /** What a process asked for is nobody's any more. */
  void died(SimNode node) {
    openings.removeIf(one -> one.from == node);
  }

  void open(SimNode from, Place to) {
    long within = 2 * Cluster.SECOND;
    var signal = from.engine().openSegmentAsync(to.segment(), Duration.ofNanos(within));
    openings.add(new Opening(from, to, signal, cluster.world().now() + within, to.registered()));
  }

  boolean opening(SimNode from, Place to) {
    for (var one : openings) {
      if (one.from == from && one.to == to) {
        return true;
      }
    }
    return false;
  }

  /** Whether all nodes have a handle of all others that is of their present generation. */
  boolean allOpen() {
    for (var from : cluster.nodes()) {
      for (var to : cluster.places()) {
        if (from != to && !isOpen(from, to)) {
          return false;
        }
      }
    }
    return true;
  }

  static boolean isOpen(SimNode from, Place to) {
    var handle = from.handles[to.index()];
    return handle != null
        && handle.generation() == to.generation()
        && handle.buffers().size() == to.buffers();
  }

  void check() {
    for (int i = openings.size() - 1; i >= 0; i--) {
      var one = openings.get(i);
      if (!one.signal.isDone()) {
        if (!one.from.controlStandsStill() && story.late(one.from, one.deadline)) {
          cluster.broken(one.from + ": opening " + one.to + " outlasts its deadline");
        }
        continue;
      }
      openings.remove(i);
      switch (one.signal.poll().orElseThrow()) {
        case SegmentResult.Opened(var segment) -> {
          cluster.say(one.from + " opened " + one.to + " as " + segment);
          one.from.handles[one.to.index()] = segment;
          one.from.handleAges[one.to.index()] = one.registered;
        }
        case SegmentResult.Refused(var failure) ->
            cluster.say(one.from + " could not open " + one.to + ": " + failure.message());
      }
    }
  }
}
