package dev.shunt.policy.failover.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Fault.Effect;
import dev.shunt.api.spi.RailHealth.Action;
import dev.shunt.api.spi.RailHealth.State;
import dev.shunt.api.spi.RailLoss;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RailRecordsPropertyTest {
  /** Times are even: what ends at the very last point of the clock is put off by 1 ns. */
  private static final int SEEDS = 3000;

  private static final int STEPS = 200;
  private static final int RAILS = 3;
  private static final RailLimits LIMITS = new RailLimits(30, 300, 4);

  @Test
  void noRailIsActiveAfterAFallWithoutItsDelayAndACheckThatPassed() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      new History(seed, 2 * new Random(~seed).nextLong()).play();
    }
  }

  @Test
  void theClockMayStartAnywhereAndWrap() {
    for (long seed = 1; seed <= SEEDS / 10; seed++) {
      var told = new History(seed, 0).play();
      for (long start : new long[] {-100, Long.MAX_VALUE - 501, Long.MIN_VALUE}) {
        same(told, new History(seed, start).play(), "seed " + seed + " from " + start);
      }
    }
  }

  private static void same(List<String> one, List<String> other, String seed) {
    assertEquals(one.size(), other.size(), seed);
    for (int i = 0; i < one.size(); i++) {
      assertEquals(one.get(i), other.get(i), seed);
    }
  }

  /** Random events, and a plain account of what they allow. */
  private static final class History {
    private final RailRecords rails = new RailRecords(LIMITS);
    private final String seed;
    private final Random random;
    private final long start;
    private final List<String> told = new ArrayList<>();
    private final boolean[] active = new boolean[RAILS];
    private final boolean[] broken = new boolean[RAILS];
    private final boolean[] drained = new boolean[RAILS];
    private final long[] check = new long[RAILS];
    private final long[] activeSince = new long[RAILS];
    private final long[] lastDelay = new long[RAILS];
    private final long[] recoverAt = new long[RAILS];
    private final boolean[] waits = new boolean[RAILS];
    private boolean byHand;
    private boolean passed;
    private long now;

    History(long seed, long start) {
      this.seed = "seed " + seed;
      this.random = new Random(seed);
      this.start = start;
      this.now = start;
      Arrays.fill(active, true);
      Arrays.fill(activeSince, start);
    }

    List<String> play() {
      for (int i = 0; i < STEPS; i++) {
        now += 2L * random.nextInt(random.nextInt(4) == 0 ? 200 : 10);
        int rail = random.nextInt(RAILS);
        passed = false;
        byHand = false;
        var actions = event(rail);
        told.add((now - start) + " " + rail + " " + actions);
        var seen = new boolean[RAILS];
        for (var action : actions) {
          holds(!seen[action.rail()], "two actions for a rail at once");
          seen[action.rail()] = true;
          act(action);
        }
        for (int each = 0; each < RAILS; each++) {
          recorded(each);
        }
      }
      return told;
    }

    private List<Action> event(int rail) {
      return switch (random.nextInt(12)) {
        case 0 -> lost(rail, RailLoss.LINK);
        case 1 -> lost(rail, RailLoss.ERRORS);
        case 2 -> random.nextInt(3) == 0 ? lost(rail, RailLoss.FATAL) : List.of();
        case 3, 4 -> rails.returned(rail, now);
        case 5 -> rails.failed(rail, fault(), now);
        case 6 -> {
          rails.succeeded(rail, now);
          yield List.of();
        }
        case 7 -> {
          if (random.nextInt(3) > 0) {
            yield List.of();
          }
          check[rail] = 0;
          drained[rail] = true;
          yield rails.drain(rail, now);
        }
        case 8 -> {
          byHand = true;
          drained[rail] = false;
          yield rails.restore(rail, now);
        }
        case 9, 10 -> ended(rail);
        default -> {
          var actions = rails.tick(now);
          long next = rails.nextDeadline();
          holds(next == Long.MAX_VALUE || next - now > 0, "something is due still");
          yield actions;
        }
      };
    }

    private List<Action> lost(int rail, RailLoss loss) {
      broken[rail] |= loss == RailLoss.FATAL;
      if (loss != RailLoss.ERRORS || check[rail] != 0) {
        check[rail] = 0;
      }
      return rails.inactive(rail, loss, "lost", now);
    }

    private List<Action> ended(int rail) {
      boolean mine = check[rail] != 0 && random.nextInt(4) > 0;
      passed = mine && random.nextBoolean();
      long number = mine ? check[rail] : random.nextInt(5) - 1;
      if (!mine && number == check[rail]) {
        return List.of();
      }
      var problem = passed || !mine ? "" : "no good";
      if (mine) {
        check[rail] = 0;
      }
      return rails.checked(rail, number, problem, now);
    }

    private void act(Action action) {
      int rail = action.rail();
      switch (action) {
        case Action.Deactivate _ -> {
          holds(active[rail], "taken out twice");
          active[rail] = false;
          if (now - activeSince[rail] >= LIMITS.maxRecoveryDelay()) {
            lastDelay[rail] = 0;
          }
        }
        case Action.Check(var _, var number, var _) -> {
          holds(!active[rail], "a check of an active rail");
          holds(!drained[rail], "a check of a drained rail");
          holds(byHand || !broken[rail], "a broken device is checked by itself");
          holds(
              byHand || (waits[rail] && recoverAt[rail] - now <= 0),
              "a check before the delay was over");
          check[rail] = number;
        }
        case Action.Activate _ -> {
          holds(!active[rail] && passed, "used without a check that passed");
          active[rail] = true;
          broken[rail] = false;
          activeSince[rail] = now;
        }
      }
    }

    private void recorded(int rail) {
      var record = rails.record(rail, now);
      assertEquals(active[rail], record.state() == State.ACTIVE, () -> seed + " at " + now);
      if (record.checking()) {
        holds(record.state() == State.RECOVERING, "checked while it is " + record.state());
      }
      boolean waiting = record.state() == State.RECOVERING && !record.checking();
      told.add(record.state() + (waiting ? " " + (record.recoverAt() - start) : ""));
      if (waiting && !(waits[rail] && recoverAt[rail] == record.recoverAt())) {
        long delay = record.recoverAt() - now;
        holds(
            delay >= LIMITS.recoveryDelay()
                && delay <= LIMITS.maxRecoveryDelay()
                && delay >= lastDelay[rail],
            "a delay of " + delay + " after one of " + lastDelay[rail]);
        lastDelay[rail] = delay;
      }
      waits[rail] = waiting;
      recoverAt[rail] = record.recoverAt();
    }

    private void holds(boolean condition, String what) {
      assertTrue(condition, () -> seed + " at " + (now - start) + ": " + what);
    }

    private Fault fault() {
      var blames = Blame.values();
      return new Fault(
          blames[random.nextInt(blames.length)], FailureCode.DEVICE, Effect.NONE, "text");
    }
  }
}
