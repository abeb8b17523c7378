package dev.shunt.runtime.admin.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PulseTest {
  private static final long SECOND = 1_000_000_000L;

  private final Pulse pulse = new Pulse(2, 10 * SECOND, SECOND, 0);
  private long now;

  private boolean beat(long first, long second) {
    now += SECOND;
    pulse.beat(now);
    return pulse.look(0, first, now) | pulse.look(1, second, now);
  }

  @Test
  void whoHasNoTurnForLongEnoughStandsStill() {
    beat(1, 1);
    for (int i = 0; i < 10; i++) {
      assertFalse(beat(1, i + 2), "not yet");
    }
    assertTrue(beat(1, 99), "now");
    assertTrue(pulse.stuck(0));
    assertFalse(pulse.stuck(1));
    assertEquals(11 * SECOND, pulse.silence(0, now));
    assertFalse(beat(1, 100), "that is no news");
    assertTrue(beat(2, 101), "it moves again");
    assertFalse(pulse.stuck(0));
  }

  @Test
  void aFreezeOfTheWholeProcessIsBlamedOnNobody() {
    beat(1, 1);
    now += 3_600 * SECOND;
    assertFalse(beat(1, 1), "nobody could have had a turn");
    for (int i = 0; i < 9; i++) {
      assertFalse(beat(1, i + 2));
    }
    assertTrue(beat(1, 50), "but who stands still after it does");
    assertTrue(pulse.stuck(0));
  }
}
