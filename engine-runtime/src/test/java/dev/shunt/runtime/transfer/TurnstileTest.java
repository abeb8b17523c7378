package dev.shunt.runtime.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TurnstileTest {
  private static final int TURNS = 100_000;

  private final Turnstile turnstile = new Turnstile();
  private int inside;
  private int turns;
  private int callers;
  private boolean together;

  private void turn() {
    together |= ++inside != 1;
    turns++;
    inside--;
  }

  @Test
  void noTwoThreadsAreAtItTogetherAndTheLaneGetsItsTurns() throws InterruptedException {
    var lane =
        Thread.ofPlatform()
            .start(
                () -> {
                  for (int i = 0; i < TURNS; i++) {
                    turnstile.enter();
                    turn();
                    turnstile.leave();
                  }
                });
    var threads = new ArrayList<Thread>();
    for (int n = 0; n < 2; n++) {
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (lane.isAlive()) {
                      if (turnstile.tryEnter()) {
                        turn();
                        callers++;
                        turnstile.leave();
                      }
                    }
                  }));
    }
    lane.join(TimeUnit.SECONDS.toMillis(60));
    assertFalse(lane.isAlive(), "the lane starves, or sleeps over its turn");
    for (var thread : threads) {
      thread.join();
    }
    assertFalse(together, "two threads were at it together");
    assertEquals(TURNS + callers, turns);
  }

  @Test
  void aLaneThatFindsACallerAtItSleepsUntilTheCallerLeaves() throws InterruptedException {
    assertTrue(turnstile.tryEnter());
    assertFalse(turnstile.tryEnter(), "a second one never waits");
    var lane = Thread.ofPlatform().start(turnstile::enter);
    var until = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (lane.getState() != Thread.State.WAITING && System.nanoTime() - until < 0) {
      Thread.onSpinWait();
    }
    assertEquals(Thread.State.WAITING, lane.getState(), "it burns a processor");
    turnstile.leave();
    lane.join(TimeUnit.SECONDS.toMillis(30));
    assertFalse(lane.isAlive(), "nobody woke it");
  }
}
