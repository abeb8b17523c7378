package dev.shunt.policy.failover.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Decision;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Fault.Effect;
import dev.shunt.api.spi.Limits.Fencing;
import dev.shunt.api.spi.SliceFailure;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DecisionsPropertyTest {
  private static final int SEEDS = 20_000;

  @Test
  void whateverFailsTheAnswerCanBeCarriedOutAndTheSliceEnds() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      var random = new Random(seed);
      var limits =
          new RetryLimits(1 + random.nextInt(20), 1 + random.nextInt(50), 50 + random.nextInt(500));
      slice(random, limits, "seed " + seed);
    }
  }

  private static void slice(Random random, RetryLimits limits, String seed) {
    boolean unfenced = random.nextBoolean();
    var decisions = new Decisions(limits, unfenced);
    var fencing = pick(random, Fencing.values());
    boolean write = random.nextBoolean();
    long now = random.nextLong();
    long deadline = random.nextInt(4) == 0 ? Long.MAX_VALUE : now + random.nextInt(2000);
    boolean unfencedEffect = false;
    for (int attempts = 1; ; attempts++) {
      assertTrue(attempts <= limits.maxAttempts(), () -> seed + ": too many attempts");
      var fault =
          new Fault(
              pick(random, Blame.values()),
              pick(random, FailureCode.values()),
              pick(random, Effect.values()),
              "text");
      boolean bound = fencing == Fencing.NONE || (fencing == Fencing.GRACE && !unfenced);
      unfencedEffect |= write && bound && fault.effect() == Effect.POSSIBLE;
      var failure =
          new SliceFailure(
              write,
              attempts,
              fault,
              random.nextInt(3),
              random.nextInt(3),
              random.nextInt(2),
              fencing,
              now,
              deadline);
      var decision = decisions.decide(failure);
      assertEquals(decision, decisions.decide(failure), () -> seed + ": not its argument alone");
      if (fault.blame() == Blame.REQUEST || unfencedEffect) {
        assertTrue(decision instanceof Decision.GiveUp, () -> seed + ": redone: " + failure);
      }
      switch (decision) {
        case Decision.GiveUp end -> {
          return;
        }
        case Decision.HandOff() ->
            assertTrue(failure.localAlternatives() > 0, () -> seed + ": " + failure);
        case Decision.Redispatch() ->
            assertTrue(failure.remoteAlternatives() > 0, () -> seed + ": " + failure);
        case Decision.NextTransport() ->
            assertTrue(failure.otherTransports() > 0, () -> seed + ": " + failure);
        case Decision.Retry(var delay) -> {
          assertTrue(delay >= 0 && delay <= limits.maxDelay(), () -> seed + ": " + delay);
          assertTrue(
              deadline == Long.MAX_VALUE || delay < deadline - failure.now(),
              () -> seed + ": past the deadline");
          now += delay;
        }
      }
      now += random.nextInt(20);
    }
  }

  private static <T> T pick(Random random, T[] values) {
    return values[random.nextInt(values.length)];
  }
}
