package dev.shunt.runtime.control.core;

import static dev.shunt.runtime.control.core.Linger.MOST;
import static dev.shunt.runtime.control.core.Linger.QUIET;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class LingerTest {
  /** Where the clock wraps around in between. */
  private static final long NOW = Long.MAX_VALUE - 1000;

  private static final long FAR = NOW + 100 * MOST;

  @Test
  void itLastsUntilNobodyHasAskedForAWhile() {
    var linger = new Linger(NOW, FAR, NOW, 1);
    assertFalse(linger.over(NOW + QUIET - 1, 1));
    assertFalse(linger.over(NOW + QUIET, 2), "the last question was just now");
    assertFalse(linger.over(NOW + 2 * QUIET - 1, 2));
    assertTrue(linger.over(NOW + 2 * QUIET, 2));
  }

  @Test
  void howeverOftenItIsAskedItLastsNoLongerThanThat() {
    var linger = new Linger(NOW, FAR, NOW, 1);
    for (int i = 1; i < 100; i++) {
      assertFalse(linger.over(NOW + i * (MOST / 100), i));
    }
    assertTrue(linger.over(NOW + MOST, 100));
  }

  @Test
  void itNeverOutlastsTheTimeToClose() {
    var linger = new Linger(NOW, NOW + 10, NOW, 1);
    assertFalse(linger.over(NOW + 9, 2));
    assertTrue(linger.over(NOW + 10, 3));
    assertTrue(new Linger(NOW, NOW - 10, NOW, 1).over(NOW, 1), "that has passed already");
  }

  @Test
  void whomNobodyHasMetGoesAtOnce() {
    assertTrue(new Linger(NOW, FAR, NOW, 0).over(NOW, 0));
  }

  @Test
  void itLastsUntilAllCanHaveFoundOut() {
    long notice = NOW + 5 * MOST;
    var linger = new Linger(NOW, FAR, notice, 1);
    assertFalse(linger.over(notice + QUIET - 1, 1), "nobody could have asked so far");
    assertTrue(linger.over(notice + QUIET, 1));
    var asked = new Linger(NOW, FAR, notice, 1);
    assertFalse(asked.over(notice + MOST - 1, 2));
    assertTrue(asked.over(notice + MOST, 3));
    assertTrue(new Linger(NOW, NOW + 10, notice, 1).over(NOW + 10, 2), "its own time is over");
    assertTrue(new Linger(NOW, FAR, notice, 0).over(NOW, 0), "nobody has met it");
  }
}
