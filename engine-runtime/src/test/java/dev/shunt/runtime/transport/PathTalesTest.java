package dev.shunt.runtime.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.PathHealth;
import dev.shunt.api.spi.PathId;
import dev.shunt.runtime.observe.Change;
import dev.shunt.runtime.observe.Crowd;
import dev.shunt.runtime.observe.Journal;
import dev.shunt.runtime.observe.PathName;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PathTalesTest {
  private static final PathId PATH = new PathId("peer", 1, 0, 1);
  private static final Fault FAULT =
      new Fault(Fault.Blame.REMOTE, FailureCode.CONNECTION, Fault.Effect.NONE, "it was reset");

  private final HandMoved platform = new HandMoved();
  private final Journal journal = new Journal(() -> 0);
  private final Steward steward = new Steward(platform, journal);
  private final Steward.PathBook book =
      steward.new PathBook("t", Optional.of(new RestsUntilHundred()));

  private void turn() {
    while (steward.work(platform.now) > 0) {
      // Until nothing is left to do.
    }
  }

  @Test
  void aPathThatFailsWhileItRestsIsToldOnce() {
    for (int i = 0; i < 5; i++) {
      book.failed(PATH, 1, FAULT);
      turn();
    }
    assertEquals(1, journal.count(Change.PATH_PAUSED));
    assertEquals(Map.of(PATH, 100L), book.routes().pausedUntil());
    platform.now = 100;
    turn();
    assertEquals(1, journal.count(Change.PATH_RESUMED));
    assertTrue(book.routes().pausedUntil().isEmpty());
  }

  @Test
  void ofARemoteThatIsForgottenNothingIsToldAnyMore() {
    book.failed(PATH, 1, FAULT);
    turn();
    book.forget("peer");
    turn();
    platform.now = 100;
    turn();
    assertEquals(1, journal.count(Change.PATH_PAUSED));
    assertEquals(0, journal.count(Change.PATH_RESUMED));
    platform.now = 0;
    book.failed(PATH, 1, FAULT);
    turn();
    assertEquals(2, journal.count(Change.PATH_PAUSED), "it is another one by now");
  }

  private static PathName name(int peer) {
    return new PathName("t", "peer" + peer, "a", "b");
  }

  @Test
  void ofACrowdThereAreAFewLinesAndANumber() {
    var warned = new ArrayList<String>();
    var informed = new ArrayList<String>();
    var later = new ArrayList<Runnable>();
    var tales =
        new PathTales("t", journal, warned::add, informed::add, (time, task) -> later.add(task));
    for (int i = 0; i < 200; i++) {
      tales.paused(new PathId("peer" + i, 1, 0, 1), name(i), 3_000_000_000L, "it was reset", i);
      tales.standing("peer" + i, false, "no other way", i);
    }
    assertEquals(2 * Crowd.LINES, warned.size());
    assertEquals("t: path a -> b of peer0 rests for 3000 ms: it was reset", warned.get(0));
    assertEquals("peer0 by t is of no use now; no other way", warned.get(1));
    later.forEach(Runnable::run);
    assertEquals(2 * Crowd.LINES + 2, warned.size());
    assertTrue(
        warned.get(2 * Crowd.LINES).startsWith("190 more t paths rest within a second: a -> b of"),
        warned.toString());
    assertTrue(warned.getLast().startsWith("190 more peers are not reached by t within a second"));
    assertEquals(200, journal.count(Change.PATH_PAUSED), "each is an event");
    for (int i = 0; i < 200; i++) {
      tales.resumed(new PathId("peer" + i, 1, 0, 1), name(i), i);
      tales.standing("peer" + i, true, "", i);
    }
    tales.flush();
    assertEquals(2 * Crowd.LINES + 2, informed.size());
    assertEquals("t: path a -> b of peer0 may be used again", informed.get(0));
    assertEquals("peer0 by t works again", informed.get(1));
  }

  private static final class RestsUntilHundred implements PathHealth {
    @Override
    public void connected(PathId path, long link, long now) {}

    @Override
    public long failed(PathId path, long link, Fault fault, long now) {
      return 100;
    }

    @Override
    public void succeeded(PathId path, long now) {}

    @Override
    public void forget(String remote) {}
  }
}
