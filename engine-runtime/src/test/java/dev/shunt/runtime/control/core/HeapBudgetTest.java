package dev.shunt.runtime.control.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class HeapBudgetTest {
  private static final long SECOND = 1_000_000_000L;

  private final HeapBudget budget = new HeapBudget(1000);

  private final class One implements HeapBudget.Holder {
    private final Object place;
    private final long since;
    private long half;

    One(long since) {
      this(new Object(), since);
    }

    One(Object place, long since) {
      this.place = place;
      this.since = since;
    }

    boolean take(long bytes, long now) {
      if (!budget.claim(this, bytes, now)) {
        return false;
      }
      half += bytes;
      return true;
    }

    @Override
    public Object place() {
      return place;
    }

    @Override
    public long half() {
      return half;
    }

    @Override
    public long all() {
      return half;
    }

    @Override
    public long since() {
      return since;
    }

    @Override
    public void giveWay() {
      budget.free(half);
      budget.whole(this);
      half = 0;
    }
  }

  @Test
  void theLargestGivesWayToTheSmall() {
    var large = new One(0);
    var middle = new One(0);
    assertTrue(large.take(600, 0));
    assertTrue(middle.take(400, 0));
    assertTrue(new One(0).take(100, 0));
    assertEquals(0, large.half);
    assertEquals(400, middle.half);
    assertFalse(new One(0).take(600, 0), "it would be the largest itself");
    assertEquals(500, budget.held());
  }

  @Test
  void whatStandsStillGivesWayToTheLargeToo() {
    var longest = new One(0);
    var still = new One(1);
    assertTrue(longest.take(500, 0));
    assertTrue(still.take(500, 0));
    assertFalse(new One(0).take(900, SECOND / 2));
    var large = new One(SECOND);
    assertTrue(large.take(501, SECOND + 1));
    assertEquals(0, longest.half);
    assertEquals(0, still.half, "the longest was not enough");
    assertEquals(501, budget.held());
  }

  @Test
  void aPlaceOfManySmallHalvesGivesWayToOneThatHasLess() {
    for (int i = 0; i < 10; i++) {
      assertTrue(new One("many", 0).take(100, 0));
    }
    var single = new One("single", 0);
    assertTrue(single.take(150, 0));
    assertFalse(new One("many", 0).take(160, 0), "its own are the largest");
    assertEquals(150, single.half);
    assertEquals(950, budget.held());
  }

  @Test
  void ofThoseThatStandStillOneOfTheLargestPlaceGivesWay() {
    var alone = new One("alone", 0);
    assertTrue(alone.take(100, 0));
    for (int i = 0; i < 9; i++) {
      assertTrue(new One("many", 1).take(100, 1));
    }
    assertTrue(new One("other", 2 * SECOND).take(100, 2 * SECOND));
    assertEquals(100, alone.half, "though it stood still longer");
  }

  @Test
  void whatIsWholeDoesNotGiveWay() {
    var whole = new One(0);
    assertTrue(whole.take(900, 0));
    budget.whole(whole);
    assertFalse(new One(0).take(101, 9 * SECOND));
    assertTrue(new One(0).take(100, 9 * SECOND));
  }
}
