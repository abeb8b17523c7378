package dev.shunt.runtime.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.spi.PathId;
import dev.shunt.runtime.transport.EchoBench.Fate;
import dev.shunt.runtime.transport.core.EchoTries;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which paths a check reads over, and how many at once. */
class RailChecksTest {
  private static final int AT_ONCE = 8;
  private static final long PATIENCE = 30 * EchoBench.SECOND;

  private EchoBench bench = new EchoBench(2, PATIENCE);

  private void partners(Fate fate, int count) {
    for (int i = 0; i < count; i++) {
      bench.partner(fate, 1);
    }
  }

  @Test
  void aCheckReadsFromEightAtOnceAndFromNoMore() {
    bench = new EchoBench(1, PATIENCE);
    partners(Fate.SILENT, 40);
    bench.begin(0);
    assertEquals(AT_ONCE, bench.read(0).size());
    bench.end(0);
    assertEquals(40, bench.read(0).size());
    assertEquals(AT_ONCE, bench.most);
  }

  @Test
  void oneThatAnswersIsReadInTimeBehindSixtyThreeThatAreSilent() {
    partners(Fate.SILENT, EchoTries.MOST - 1);
    partners(Fate.ANSWERS, 1);
    var record = bench.check(0);
    assertEquals(List.of("n63"), bench.read(0).subList(63, 64));
    assertTrue(record.verifiedAt() > 0, "it is in use: " + record);
    assertTrue(bench.platform.now < PATIENCE, "after " + bench.platform.now + " ns");
  }

  @Test
  void theNextCheckOfARailBeginsWithOthers() {
    partners(Fate.STRANGER, 2 * EchoTries.MOST);
    // Those of the other rail between them must not take its turn.
    for (int rail : List.of(0, 1, 0, 1)) {
      bench.check(rail);
    }
    for (int rail = 0; rail < 2; rail++) {
      var read = bench.read(rail);
      assertEquals(2 * EchoTries.MOST, read.size());
      assertEquals(2 * EchoTries.MOST, new HashSet<>(read).size(), "each of them once");
    }
  }

  @Test
  void aWayAroundIsReadOnlyOnceTheStraightOnesHaveEnded() {
    bench.partner(Fate.SILENT, 2);
    bench.partner(Fate.STRANGER, 2);
    bench.begin(0);
    assertEquals(List.of("n0", "n1"), bench.read(0));
    bench.end(0);
    assertEquals(List.of("n0", "n1", "n0", "n1"), bench.read(0));
  }

  @Test
  void whoRefusesIsAskedWhetherItIsStillTheSameProcess() {
    bench.partner(Fate.REFUSES, 1);
    bench.check(1);
    assertEquals(List.of(new PathId("n0", 1, 1, 0)), bench.suspected);
  }
}
