package dev.shunt.runtime.sim;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * A covering array of strength two: few rows, in which any two factors meet with each two of their
 * values. Greedy, and the same each time.
 */
public final class Pairs {
  private final int[] levels;
  private final int[] first;
  private final int values;
  private final BitSet left;

  private Pairs(int[] levels) {
    this.levels = levels.clone();
    first = new int[levels.length];
    int sum = 0;
    for (int i = 0; i < levels.length; i++) {
      first[i] = sum;
      sum += levels[i];
    }
    values = sum;
    left = new BitSet(sum * sum);
    for (int one = 0; one < levels.length; one++) {
      for (int other = one + 1; other < levels.length; other++) {
        for (int value = 0; value < levels[one]; value++) {
          for (int otherValue = 0; otherValue < levels[other]; otherValue++) {
            left.set(place(one, value, other, otherValue));
          }
        }
      }
    }
  }

  /**
   * Makes one.
   *
   * @param levels how many values each factor has
   * @return rows of a value for each factor
   */
  public static List<int[]> of(int... levels) {
    var pairs = new Pairs(levels);
    var rows = new ArrayList<int[]>();
    while (!pairs.left.isEmpty()) {
      var row = pairs.row();
      pairs.cover(row);
      rows.add(row);
    }
    return rows;
  }

  private int place(int one, int value, int other, int otherValue) {
    return one < other
        ? (first[one] + value) * values + first[other] + otherValue
        : (first[other] + otherValue) * values + first[one] + value;
  }

  /** Begins with a pair that is left, and adds to each further factor what covers most. */
  private int[] row() {
    var row = new int[levels.length];
    java.util.Arrays.fill(row, -1);
    int seed = left.nextSetBit(0);
    set(row, seed / values);
    set(row, seed % values);
    for (int factor = 0; factor < row.length; factor++) {
      if (row[factor] < 0) {
        row[factor] = best(row, factor);
      }
    }
    return row;
  }

  private void set(int[] row, int value) {
    int factor = levels.length - 1;
    while (first[factor] > value) {
      factor--;
    }
    row[factor] = value - first[factor];
  }

  private int best(int[] row, int factor) {
    int best = 0;
    int most = -1;
    for (int value = 0; value < levels[factor]; value++) {
      int covered = 0;
      for (int other = 0; other < row.length; other++) {
        if (row[other] >= 0 && left.get(place(factor, value, other, row[other]))) {
          covered++;
        }
      }
      // Factors that come later: what is left with them counts a little, too.
      int later = 0;
      for (int other = 0; other < row.length; other++) {
        if (row[other] < 0 && other != factor) {
          for (int otherValue = 0; otherValue < levels[other]; otherValue++) {
            later += left.get(place(factor, value, other, otherValue)) ? 1 : 0;
          }
        }
      }
      int worth = covered * values * values + later;
      if (worth > most) {
        most = worth;
        best = value;
      }
    }
    return best;
  }

  private void cover(int[] row) {
    for (int one = 0; one < row.length; one++) {
      for (int other = one + 1; other < row.length; other++) {
        left.clear(place(one, row[one], other, row[other]));
      }
    }
  }
}
