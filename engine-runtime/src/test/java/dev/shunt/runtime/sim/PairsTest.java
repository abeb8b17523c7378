package dev.shunt.runtime.sim;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class PairsTest {
  private static void coversAll(List<int[]> rows, int... levels) {
    for (int one = 0; one < levels.length; one++) {
      for (int other = one + 1; other < levels.length; other++) {
        var met = new HashSet<List<Integer>>();
        for (var row : rows) {
          met.add(List.of(row[one], row[other]));
        }
        assertEquals(levels[one] * levels[other], met.size(), one + " and " + other);
      }
    }
  }

  @Test
  void anyTwoFactorsMeetWithEachTwoOfTheirValues() {
    coversAll(Pairs.of(2, 2), 2, 2);
    coversAll(Pairs.of(3, 1, 2, 4), 3, 1, 2, 4);
    var many = new int[24];
    java.util.Arrays.fill(many, 2);
    many[5] = 3;
    many[17] = 3;
    coversAll(Pairs.of(many), many);
  }

  @Test
  void thereAreFewRows() {
    assertEquals(4, Pairs.of(2, 2).size());
    var many = new int[20];
    java.util.Arrays.fill(many, 2);
    int rows = Pairs.of(many).size();
    assertTrue(rows <= 14, "there are " + rows);
  }

  @Test
  void itIsTheSameEachTime() {
    var once = Pairs.of(3, 2, 2, 3, 2);
    var again = Pairs.of(3, 2, 2, 3, 2);
    assertArrayEquals(once.toArray(), again.toArray());
  }

  /** What the seeds run on: both sides of each two capabilities and policies. */
  @Test
  void theRowsOfTheSeedsCoverAllPairsOfBothSides() {
    coversAll(Sides.rows(), Sides.levels());
    assertEquals(Sides.rows().size(), Sides.all().size());
  }
}
