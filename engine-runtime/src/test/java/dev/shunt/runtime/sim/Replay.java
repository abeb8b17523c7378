package dev.shunt.runtime.sim;

import java.util.ArrayList;
import java.util.List;

/** Replays some seeds of each kind, and prints what came of them: in another JVM the same. */
final class Replay {
  private static final int SEEDS = 8;

  private Replay() {}

  /** A line for each seed, in an order of one's own: no seed depends on the one before it. */
  static List<String> lines(boolean backwards) {
    var lines = new ArrayList<String>();
    var seeds = new Seeds();
    for (var kind : Seeds.Kind.values()) {
      for (int i = 1; i <= SEEDS; i++) {
        long seed = 1000 + (backwards ? SEEDS + 1 - i : i);
        var result = seeds.run(kind, seed, cluster -> {});
        lines.add(kind + " " + seed + " " + result.events() + " " + result.trace());
      }
    }
    lines.sort(null);
    return lines;
  }

  /** Prints them. */
  public static void main(String[] args) {
    lines(true).forEach(System.out::println);
  }
}
