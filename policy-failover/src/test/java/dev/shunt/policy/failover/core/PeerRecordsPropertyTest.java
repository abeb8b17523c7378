package dev.shunt.policy.failover.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PeerRecordsPropertyTest {
  /** Times are even: what ends at the very last point of the clock is put off by 1 ns. */
  private static final int SEEDS = 2000;

  private static final int STEPS = 300;
  private static final PeerLimits LIMITS = new PeerLimits(6, 60, 4, 200);

  @Test
  void nobodyIsRefusedForLongerThanTheLongestCooldownNorWithoutAProbe() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      new History(seed, 2 * new Random(~seed).nextLong()).play();
    }
  }

  @Test
  void theClockMayStartAnywhereAndWrap() {
    for (long seed = 1; seed <= SEEDS / 10; seed++) {
      var told = new History(seed, 0).play();
      for (long start : new long[] {-500, Long.MAX_VALUE - 701, Long.MIN_VALUE}) {
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

  private static final class History {
    private final PeerRecords peers = new PeerRecords(LIMITS);
    private final String seed;
    private final Random random;
    private final long start;
    private final List<String> told = new ArrayList<>();

    /** Since when calls are refused, with none in between that was let through or was silent. */
    private final Map<String, Long> refusedSince = new HashMap<>();

    private final Map<String, Long> lastProbe = new HashMap<>();
    private long now;

    History(long seed, long start) {
      this.seed = "seed " + seed;
      this.random = new Random(seed);
      this.start = start;
      this.now = start;
    }

    List<String> play() {
      for (int i = 0; i < STEPS; i++) {
        now += 2L * random.nextInt(random.nextInt(20) == 0 ? 75 : 2);
        var address = "peer" + random.nextInt(4);
        switch (random.nextInt(10)) {
          case 0, 1, 2 -> admitted(address);
          case 3, 4 -> silent(address);
          case 5 -> peers.unanswered(address, "no", now);
          case 6 -> answered(address);
          case 7 -> still(random.nextInt(20));
          default -> probed(1 + random.nextInt(3));
        }
        told.add(shown());
        holds(peers.size() <= 8, "more than there are");
      }
      return told;
    }

    private void admitted(String address) {
      var refused = peers.admit(address, now);
      if (refused.isEmpty()) {
        refusedSince.remove(address);
        return;
      }
      var rest = refused.get().until() - now;
      holds(rest > 0 && rest <= LIMITS.maxCooldown(), "refused for " + rest);
      long since = refusedSince.computeIfAbsent(address, _ -> now);
      holds(now - since <= LIMITS.maxCooldown(), "refused since " + (since - start));
    }

    /** Nothing else may begin another cooldown. */
    private void silent(String address) {
      peers.silent(address, random.nextInt(3), "no", now - random.nextInt(30), now);
      refusedSince.remove(address);
    }

    private void answered(String address) {
      peers.answered(address, now);
      holds(peers.admit(address, now).isEmpty(), "refused after an answer");
      refusedSince.remove(address);
      lastProbe.remove(address);
    }

    private void still(long nanos) {
      peers.stoodStill(nanos, now);
      for (var mark : peers.unreachable(now)) {
        holds(now - mark.since() > nanos, "marked in a standstill");
      }
    }

    private void probed(int most) {
      var due = peers.probes(most, now);
      holds(due.size() <= most, "too many");
      for (var address : due) {
        var last = lastProbe.put(address, now);
        holds(last == null || now - last >= LIMITS.probeInterval(), "probed too soon");
      }
      holds(
          due.size() == most || peers.nextProbe() == Long.MAX_VALUE || peers.nextProbe() - now > 0,
          "a probe is due still");
      told.add(due.toString());
    }

    private String shown() {
      var text = new StringBuilder().append(now - start);
      for (var mark : peers.unreachable(now)) {
        text.append(' ')
            .append(mark.address())
            .append(' ')
            .append(mark.generation())
            .append(' ')
            .append(mark.failures())
            .append(' ')
            .append(mark.since() - start);
        holds(mark.nextProbe() - now <= LIMITS.probeInterval(), "no probe is planned");
      }
      return text.toString();
    }

    private void holds(boolean condition, String what) {
      assertTrue(condition, () -> seed + " at " + (now - start) + ": " + what);
    }
  }
}
