package dev.shunt.policy.failover.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Fault.Effect;
import dev.shunt.api.spi.PathHealth.PathRecord;
import dev.shunt.api.spi.PathId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PathRecordsTest {
  private static final Thresholds THRESHOLDS = new Thresholds(3, 10, 30, 300);
  private static final PathId PATH = new PathId("peer", 7, 0, 0);
  private static final Fault REFUSED =
      new Fault(Blame.REMOTE, FailureCode.CONNECTION, Effect.NONE, "text");

  private static final Fault CUT =
      new Fault(Blame.REMOTE, FailureCode.HANDSHAKE, Effect.NONE, "text");

  private final PathRecords records = new PathRecords(THRESHOLDS);

  @Test
  void theThresholdWithinTheWindowPauses() {
    assertEquals(0, records.failed(PATH, 1, REFUSED, 0));
    assertEquals(4, records.failed(PATH, 1, REFUSED, 4));
    assertEquals(39, records.failed(PATH, 1, REFUSED, 9));
  }

  @Test
  void faultsFartherApartThanTheWindowDoNotAddUp() {
    for (long now = 0; now < 1000; now += 6) {
      assertEquals(now, records.failed(PATH, 1, REFUSED, now));
    }
  }

  @Test
  void aPauseEndsByItself() {
    long until = pause(0);
    records.succeeded(PATH, until);
    assertEquals(until + 1, records.failed(PATH, 1, REFUSED, until + 1));
  }

  @Test
  void eachPauseIsTwiceAsLongUpToTheCap() {
    long now = 0;
    for (long expected : new long[] {30, 60, 120, 240, 300, 300, 300}) {
      long from = now;
      long until = pause(now);
      assertEquals(expected, until - lastFault, () -> "from " + from);
      now = until;
      records.succeeded(PATH, now);
    }
  }

  @Test
  void aFirstSuccessDoesNotEraseTheMemory() {
    long until = pause(0);
    records.succeeded(PATH, until + 1);
    records.succeeded(PATH, until + 2);
    assertEquals(60, pause(until + 3) - lastFault);
  }

  @Test
  void aPathThatHadNoFaultForTheLongestPauseStartsAfresh() {
    long until = pause(0);
    records.succeeded(PATH, until);
    assertEquals(30, pause(until + 300) - lastFault);
  }

  @Test
  void whatARailThatItsRemoteTookOutItselfDidIsForgottenWhenItIsBack() {
    var other = new PathId("peer", 7, 0, 1);
    var stranger = new PathId("another", 7, 0, 0);
    var far = new PathId("peer", 7, 1, 0);
    for (var path : List.of(PATH, other, stranger, far)) {
      assertEquals(30, records.failed(path, 5, CUT, 0));
    }
    records.returned("peer", 0, 10);
    assertEquals(0, records.record(PATH, 10).orElseThrow().pauses());
    assertEquals(30, records.record(PATH, 10).orElseThrow().nextPause());
    assertEquals(11, records.failed(PATH, 5, REFUSED, 11), "it is not on trial, nor does it rest");
    assertEquals(42, records.failed(PATH, 5, CUT, 12));
    assertEquals(11, records.failed(far, 5, REFUSED, 11));
    assertEquals(30, records.failed(other, 5, CUT, 12), "another rail of it rests on");
    assertEquals(30, records.failed(stranger, 5, CUT, 12));
  }

  @Test
  void onTrialAfterAPauseOneFaultIsEnough() {
    long until = pause(0);
    assertEquals(until + 60, records.failed(PATH, 1, REFUSED, until));
  }

  @Test
  void lateNewsDuringAPauseDoNotLengthenIt() {
    long until = pause(0);
    assertEquals(until, records.failed(PATH, 1, REFUSED, until - 1));
    records.succeeded(PATH, until - 1);
    assertEquals(until + 60, records.failed(PATH, 1, REFUSED, until), "a late success is no trial");
  }

  @ParameterizedTest
  @EnumSource(names = {"LOCAL", "NEUTRAL", "REQUEST"})
  void onlyTheRemotesFaultsAreCharged(Blame blame) {
    for (long now = 0; now < 9; now++) {
      var fault = new Fault(blame, FailureCode.CONNECTION, Effect.NONE, "text");
      assertEquals(now, records.failed(PATH, 1, fault, now));
    }
    assertEquals(0, records.size());
  }

  @ParameterizedTest
  @EnumSource(names = {"STALE_GENERATION", "REMOTE_RANGE", "REMOTE_ACCESS", "CAPABILITY", "BUSY"})
  void aStaleKeyIsNoFaultOfThePath(FailureCode code) {
    for (long now = 0; now < 9; now++) {
      var fault = new Fault(Blame.REMOTE, code, Effect.NONE, "text");
      assertEquals(now, records.failed(PATH, 1, fault, now));
    }
  }

  @Test
  void pathsPeersAndGenerationsAreCountedApart() {
    pause(0);
    for (var other :
        new PathId[] {
          new PathId("peer", 8, 0, 0),
          new PathId("peer", 7, 1, 0),
          new PathId("peer", 7, 0, 1),
          new PathId("other", 7, 0, 0)
        }) {
      assertEquals(3, records.failed(other, 1, REFUSED, 3), other::toString);
    }
  }

  @Test
  void aForgottenPeerStartsAfreshAndOthersDoNot() {
    var other = new PathId("other", 7, 0, 0);
    pause(0);
    for (int i = 0; i < 3; i++) {
      records.failed(other, 1, REFUSED, 0);
    }
    records.forget("peer");
    assertEquals(5, records.failed(PATH, 1, REFUSED, 5));
    assertEquals(30, records.failed(other, 1, REFUSED, 5));
  }

  @Test
  void theTableIsBoundedAndKeepsWhatIsInUse() {
    long until = pause(0);
    for (int i = 0; i < 2 * PathRecords.CAPACITY; i++) {
      records.failed(new PathId("peer" + i, 0, 0, 0), 1, REFUSED, 5);
      assertEquals(until, records.failed(PATH, 1, REFUSED, 5));
    }
    assertEquals(PathRecords.CAPACITY, records.size());
  }

  @Test
  void aHandshakeThatWasNotFinishedPausesAtOnceAndLongerEachTime() {
    long now = 0;
    for (long pause : new long[] {30, 60, 120, 240, 300, 300}) {
      assertEquals(now + pause, records.failed(PATH, 1, CUT, now));
      now += pause;
      records.succeeded(PATH, now);
    }
  }

  @Test
  void aSilentPeerIsNoFaultOfThePath() {
    var silent = new Fault(Blame.NEUTRAL, FailureCode.UNREACHABLE, Effect.NONE, "text");
    for (long now = 0; now < 9; now++) {
      assertEquals(now, records.failed(PATH, 1, silent, now));
    }
  }

  @Test
  void anOlderLinkThanTheNewestThatCameUpHasNoSay() {
    records.connected(PATH, 5, 0);
    records.connected(PATH, 4, 0);
    for (long now = 0; now < 9; now++) {
      assertEquals(now, records.failed(PATH, 4, CUT, now));
    }
    assertEquals(39, records.failed(PATH, 5, CUT, 9));
    assertEquals(39, records.failed(PATH, 4, CUT, 10));
    assertEquals(39 + 60, records.failed(PATH, 6, CUT, 39), "a newer one need not have come up");
  }

  @Test
  void aLinkThatComesUpEndsNoPauseAndErasesNoMemory() {
    long until = records.failed(PATH, 1, CUT, 0);
    records.connected(PATH, 2, 1);
    assertEquals(until, records.record(PATH, 1).orElseThrow().pausedUntil());
    records.succeeded(PATH, until);
    assertEquals(until + 60, records.failed(PATH, 2, CUT, until));
  }

  @Test
  void whatIsRememberedIsTold() {
    assertTrue(records.record(PATH, 0).isEmpty());
    records.failed(PATH, 1, REFUSED, 0);
    assertEquals(new PathRecord(1, 0, 0, 30), records.record(PATH, 9).orElseThrow());
    assertEquals(new PathRecord(0, 0, 0, 30), records.record(PATH, 10).orElseThrow());
    assertEquals(50, records.failed(PATH, 1, CUT, 20));
    assertEquals(new PathRecord(0, 1, 50, 60), records.record(PATH, 349).orElseThrow());
    assertEquals(new PathRecord(0, 0, 50, 30), records.record(PATH, 350).orElseThrow());
  }

  @Test
  void inAnyHistoryPausesAreBoundedGrowAndCostNoOtherPath() {
    for (long seed = 1; seed <= 2000; seed++) {
      history(new Random(seed), "seed " + seed);
    }
  }

  private static void history(Random random, String seed) {
    var records = new PathRecords(THRESHOLDS);
    Map<PathId, Long> until = new HashMap<>();
    Map<PathId, Long> length = new HashMap<>();
    Map<PathId, Long> last = new HashMap<>();
    long now = random.nextLong();
    for (int i = 0; i < 200; i++) {
      now += random.nextInt(random.nextBoolean() ? 5 : 100);
      long at = now;
      var path = new PathId("p" + random.nextInt(2), 0, random.nextInt(2), 0);
      if (random.nextInt(3) == 0) {
        records.succeeded(path, now);
        continue;
      }
      if (random.nextInt(4) == 0) {
        records.connected(path, 1, now);
        long old = records.failed(path, 0, CUT, now);
        assertEquals(
            Math.max(until.getOrDefault(path, now) - now, 0), old - now, seed + ": an old link");
      }
      long before = until.getOrDefault(path, now);
      long after = records.failed(path, 1, random.nextInt(8) == 0 ? CUT : REFUSED, now);
      if (before - now > 0) {
        assertEquals(before, after, () -> seed + ": a pause moved at " + at);
      } else if (after != now) {
        long pause = after - now;
        assertTrue(pause >= 30 && pause <= 300, () -> seed + ": a pause of " + pause);
        boolean quiet = now - Math.max(last.getOrDefault(path, now), before) >= 300;
        assertTrue(
            quiet || pause >= length.getOrDefault(path, 0L), () -> seed + ": a pause shrank");
        length.put(path, quiet ? 0 : pause);
        until.put(path, after);
      }
      if (before - now <= 0) {
        last.put(path, now);
        if (after == now && now - before >= 300) {
          length.put(path, 0L);
        }
      }
    }
  }

  private long lastFault;

  /** Fails until the path is paused, and answers until when it is. */
  private long pause(long now) {
    long until;
    long at = now;
    while ((until = records.failed(PATH, 1, REFUSED, at)) == at) {
      at++;
    }
    lastFault = at;
    return until;
  }
}
