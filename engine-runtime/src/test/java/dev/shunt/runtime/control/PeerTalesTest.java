package dev.shunt.runtime.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.runtime.control.Acquaintances.Acquaintance;
import dev.shunt.runtime.observe.Change;
import dev.shunt.runtime.observe.Crowd;
import dev.shunt.runtime.observe.Journal;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What people read of peers. */
class PeerTalesTest {
  private static final long SECOND = 1_000_000_000L;
  private static final String ONE = "10.0.0.2:7000";

  private final List<String> warned = new ArrayList<>();
  private final List<String> informed = new ArrayList<>();
  private final List<Runnable> later = new ArrayList<>();
  private final PeerTales tales =
      new PeerTales(warned::add, informed::add, (time, task) -> later.add(task));
  private final FakeHealth health = new FakeHealth(5 * SECOND);
  private final Journal journal = new Journal(() -> 0);
  private final Acquaintances known = new Acquaintances();
  private final PeerWatch watch = new PeerWatch(health, journal, known, tales, address -> {});

  @Test
  void aThousandPeersAtOnceAreAFewLines() {
    for (int i = 0; i < 1000; i++) {
      watch.silent("10.0.0.2:" + (7000 + i), "Connection refused", 0, 1000, false);
    }
    assertEquals(Crowd.LINES, warned.size());
    assertEquals("10.0.0.2:7000 is unreachable: Connection refused", warned.getFirst());
    assertEquals(1, later.size());
    later.getFirst().run();
    assertEquals(Crowd.LINES + 1, warned.size());
    assertEquals(
        "990 more peers are unreachable within a second: 10.0.0.2:7010, 10.0.0.2:7011,"
            + " 10.0.0.2:7012, 10.0.0.2:7013, 10.0.0.2:7014 and 985 more; the first of them:"
            + " Connection refused",
        warned.getLast());
    assertEquals(1000, journal.count(Change.PEER_UNREACHABLE), "each is counted");
    for (int i = 0; i < 1000; i++) {
      watch.answered("10.0.0.2:" + (7000 + i), 2 * SECOND);
    }
    tales.flush();
    assertEquals(Crowd.LINES + 1, informed.size());
    assertTrue(informed.getLast().startsWith("990 more peers are reachable again"));
  }

  @Test
  void whoComesAndGoesIsToldByACount() {
    for (int i = 0; i < 30; i++) {
      watch.silent(ONE, "it did not answer", i * SECOND, i * SECOND, false);
      watch.answered(ONE, i * SECOND);
    }
    assertEquals(Relapses.TOLD, warned.size(), warned.toString());
    assertEquals(Relapses.TOLD, informed.size(), informed.toString());
    later.removeFirst().run();
    assertEquals(
        ONE
            + " is reachable: it was lost 27 more times within a minute, the last time because"
            + " it did not answer",
        warned.getLast());
    for (int i = 70; i < 90; i++) {
      watch.silent(ONE, "it did not connect", i * SECOND, i * SECOND, false);
      watch.answered(ONE, i * SECOND);
    }
    watch.silent(ONE, "it is gone", 90 * SECOND, 90 * SECOND, false);
    assertEquals(Relapses.TOLD + 1, warned.size(), "a line a minute");
    later.removeFirst().run();
    assertTrue(
        warned.getLast().startsWith(ONE + " is unreachable: it was lost 21 more times"),
        warned.toString());
    watch.answered(ONE, 150 * SECOND);
    assertEquals(Relapses.TOLD + 1, informed.size(), "who was told to be gone is told to be back");
    watch.silent(ONE, "it did not answer", 250 * SECOND, 250 * SECOND, false);
    assertEquals(ONE + " is unreachable: it did not answer", warned.getLast(), "after a rest");
    assertEquals(52, journal.count(Change.PEER_UNREACHABLE), "each is counted");
  }

  @Test
  void whatWasNotToldOfOneThatComesAndGoesIsToldAtTheEnd() {
    for (int i = 0; i < 5; i++) {
      watch.silent(ONE, "it did not answer", i * SECOND, i * SECOND, false);
      watch.answered(ONE, i * SECOND);
    }
    watch.close();
    assertTrue(warned.getLast().contains("2 more times"), warned.toString());
  }

  @Test
  void forgivingIsNotAnswering() {
    health.forgiving = true;
    watch.silent(ONE, "it did not answer", 0, 0, false);
    watch.stoodStill(SECOND, SECOND);
    assertTrue(watch.mark(ONE).isEmpty());
    assertEquals(List.of(), informed);
    watch.silent(ONE, "it did not answer", SECOND, 2 * SECOND, false);
    assertEquals(1, warned.size(), "no second warning");
    watch.answered(ONE, 3 * SECOND);
    assertEquals(List.of(ONE + " is reachable again, after 3.000 s"), informed);
    watch.silent(ONE, "it did not answer", 4 * SECOND, 4 * SECOND, false);
    watch.stoodStill(SECOND, 5 * SECOND);
    watch.silent(ONE, "it did not answer", 99 * SECOND, 99 * SECOND, false);
    assertEquals(3, warned.size(), "after so long it is news again");
  }

  @Test
  void whoWasOnlyToBeToldOfSomethingMayGo() {
    watch.silent(ONE, "Connection refused", 0, 0, true);
    assertTrue(watch.mark(ONE).isPresent(), "nobody pays for it");
    watch.silent(ONE, "Connection refused", 1, 1, true);
    watch.answered(ONE, 2);
    watch.silent(ONE, "Connection refused", 3, 3, true);
    assertEquals(List.of(), warned);
    assertEquals(List.of(), informed);
    assertEquals(0, journal.count(Change.PEER_UNREACHABLE));
    watch.silent(ONE, "Connection refused", 4, 4, false);
    assertEquals(1, warned.size(), "somebody wants it");
    assertEquals(1, journal.count(Change.PEER_UNREACHABLE));
  }

  @Test
  void whoWasMetIsToldOfWhateverItWasCalledFor() {
    known.met(new Acquaintance("b", 77, List.of(ONE)));
    watch.silent(ONE, "Connection refused", 0, 0, true);
    assertEquals(List.of(ONE + " of b is unreachable: Connection refused"), warned);
  }

  @Test
  void whoHasAnotherAddressIsCalledThere() {
    known.met(new Acquaintance(ONE, 77, List.of(ONE, "10.0.1.2:7000")));
    watch.silent(ONE, "no answer", 0, 0, false);
    assertEquals(
        List.of(ONE + " is unreachable: no answer; it is called at 10.0.1.2:7000"), warned);
    assertEquals(0, journal.count(Change.PEER_UNREACHABLE), "the peer is not");
  }
}
