package dev.shunt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class RecentRateTest {
  private static final long TENTH = 100_000_000L;
  private static final long MIB = 1 << 20;

  @Test
  void batchesThatEndRarelyAreARateAllTheSame() {
    var rate = new RecentRate(0, 10 * TENTH);
    for (int glance = 1; glance <= 100; glance++) {
      var shown = rate.with(glance / 5 * MIB, glance * TENTH);
      if (glance >= 10) {
        assertEquals("2 MiB/s", shown, "glance " + glance);
      }
    }
  }

  @Test
  void whatStandsStillForAWindowIsNothing() {
    var rate = new RecentRate(0, 10 * TENTH);
    assertEquals("10 MiB/s", rate.with(MIB, TENTH));
    for (int glance = 2; glance <= 11; glance++) {
      rate.with(MIB, glance * TENTH);
    }
    assertEquals("0 B/s", rate.with(MIB, 12 * TENTH));
  }
}
