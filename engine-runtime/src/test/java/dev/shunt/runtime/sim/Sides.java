package dev.shunt.runtime.sim;

import java.util.ArrayList;
import java.util.List;

/** What both sides of a pair of nodes have: nodes of a cluster are of the one and the other. */
record Sides(List<Side> both) {
  private static final List<int[]> ROWS = Pairs.of(levels());
  private static final List<Sides> ALL = ROWS.stream().map(Sides::of).toList();
  private static final Sides SAME = new Sides(List.of(new Side(), new Side()));

  /** Both have all. */
  static Sides same() {
    return SAME;
  }

  /** All rows of a covering array. */
  static List<Sides> all() {
    return ALL;
  }

  static List<int[]> rows() {
    return ROWS;
  }

  /** Of each feature, on the one side and then on the other. */
  static int[] levels() {
    var features = Feature.values();
    var levels = new int[2 * features.length];
    for (int i = 0; i < features.length; i++) {
      levels[i] = features[i].levels();
      levels[features.length + i] = features[i].levels();
    }
    return levels;
  }

  private static Sides of(int[] row) {
    var features = Feature.values();
    var sides = new ArrayList<Side>();
    for (int s = 0; s < 2; s++) {
      var side = new Side();
      for (int i = 0; i < features.length; i++) {
        side = side.with(features[i], row[s * features.length + i]);
      }
      sides.add(side);
    }
    return new Sides(List.copyOf(sides));
  }

  /** Both with that. */
  Sides with(Feature feature, int level) {
    return new Sides(both.stream().map(side -> side.with(feature, level)).toList());
  }

  /** A node's. */
  Side of(int index) {
    return both.get(index % 2);
  }

  /** Whether one side or the other lacks it. */
  boolean lack(Feature feature) {
    return both.stream().anyMatch(side -> !side.has(feature));
  }

  /** Whether a stream of ours is not what every two of them have between them. */
  boolean plainWays() {
    return lack(Feature.EXTENSION)
        || both.stream()
            .anyMatch(side -> side.level(Feature.STREAM) == Feature.STREAM.levels() - 1);
  }

  @Override
  public String toString() {
    return both.toString();
  }
}
