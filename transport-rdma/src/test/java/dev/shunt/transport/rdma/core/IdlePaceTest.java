package dev.shunt.transport.rdma.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class IdlePaceTest {
  private static final long SPIN = 20;
  private static final long LEAST = 50;
  private static final long MOST = 1000;

  private final IdlePace pace = new IdlePace(SPIN, LEAST, MOST);

  @Test
  void aWaitBeginsWithALookAndThenSleeps() {
    pace.idle(1_000_000);
    assertEquals(SPIN, pace.spin());
    pace.spun(false);
    assertEquals(0, pace.spin(), "once in a wait");
    assertEquals(LEAST, pace.sleep(1_000_000 + SPIN));
  }

  @Test
  void whatComesLateIsFoundAtMostAnEighthLater() {
    pace.idle(0);
    long now = 0;
    int looks = 0;
    while (now < 100_000) {
      pace.idle(now);
      long sleep = pace.sleep(now);
      assertTrue(sleep <= Math.max(LEAST, now / 8) && sleep <= MOST, now + ": " + sleep);
      now += sleep;
      looks++;
    }
    assertTrue(looks < 150, "looks in 100 longest sleeps: " + looks);
    pace.moved();
    pace.idle(now);
    assertEquals(LEAST, pace.sleep(now), "the next wait is a new one");
  }

  @Test
  void aLookThatIsInVainAgainAndAgainIsLeftOutAndTriedAtTimes() {
    int looks = 0;
    for (int wait = 0; wait < 1000; wait++) {
      pace.moved();
      pace.idle(wait);
      if (pace.spin() > 0) {
        looks++;
        pace.spun(false);
      }
    }
    assertTrue(looks > 20 && looks < 60, "looks in 1000 waits: " + looks);
  }

  @Test
  void aLookThatFindsSomethingMakesLookingWorthwhile() {
    for (int wait = 0; wait < 100; wait++) {
      pace.moved();
      pace.idle(wait);
      long spin = pace.spin();
      if (spin > 0) {
        pace.spun(wait > 50);
      }
    }
    int looks = 0;
    for (int wait = 0; wait < 10; wait++) {
      pace.moved();
      pace.idle(wait);
      looks += pace.spin() > 0 ? 1 : 0;
      pace.spun(true);
    }
    assertEquals(10, looks);
  }
}
