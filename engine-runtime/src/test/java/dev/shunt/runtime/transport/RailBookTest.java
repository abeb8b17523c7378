package dev.shunt.runtime.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.RailHealth;
import dev.shunt.api.spi.RailHealth.Action;
import dev.shunt.api.spi.RailHealth.RailRecord;
import dev.shunt.api.spi.RailHealth.State;
import dev.shunt.api.spi.RailLoss;
import dev.shunt.runtime.observe.Change;
import dev.shunt.runtime.observe.Journal;
import dev.shunt.runtime.transport.core.BareRails;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RailBookTest {
  private static final Fault OURS =
      new Fault(Fault.Blame.LOCAL, FailureCode.DEVICE, Fault.Effect.NONE, "the NIC is hot");

  private final HandMoved platform = new HandMoved();
  private final Journal journal = new Journal(() -> 0);
  private final Steward steward = new Steward(platform, journal);
  private final List<String> done = new ArrayList<>();
  private RailBook book;
  private final RailBook.Hands hands =
      new RailBook.Hands() {
        @Override
        public void use(int rail, boolean active) {
          done.add((active ? "use " : "leave ") + rail);
        }

        @Override
        public void check(int rail, long number, boolean anew) {
          done.add("check " + rail + (anew ? " anew" : ""));
          lastCheck = number;
        }

        @Override
        public void publish() {
          done.add("publish " + book.active(0) + book.active(1));
        }
      };
  private long lastCheck;

  private void open(RailHealth health) {
    book = new RailBook("t", health, steward, hands);
    book.open(List.of(new HandMoved.Named("left", 0), new HandMoved.Named("right", 1)));
  }

  private void turn() {
    while (steward.work(platform.now) > 0) {
      // Until nothing is left to do.
    }
  }

  private List<String> did() {
    turn();
    var all = List.copyOf(done);
    done.clear();
    return all;
  }

  @Test
  void withoutAPolicyARailIsOutOfUseJustAsLongAsItsTransportSaysSo() {
    open(new BareRails());
    book.inactive(1, RailLoss.LINK, "gone");
    assertEquals(List.of("leave 1", "publish truefalse"), did());
    book.inactive(1, RailLoss.LINK, "gone again");
    assertEquals(List.of(), did());
    assertEquals("gone", book.records().get(1).reason());
    book.returned(1);
    assertEquals(List.of("use 1", "publish truetrue"), did());
    book.failed(1, OURS);
    assertEquals(List.of(), did());
  }

  @Test
  void withoutAPolicyARailThatErredWaitsForAnOperatorWhateverItsLinkDoes() {
    open(new BareRails());
    var told = new ArrayList<State>();
    book.inactive(1, RailLoss.LINK, "pulled");
    book.inactive(1, RailLoss.ERRORS, "its queue broke");
    assertEquals(List.of("leave 1", "publish truefalse"), did());
    book.returned(1);
    assertEquals(List.of(), did(), "its context has to be made anew");
    assertTrue(book.restore(1, record -> told.add(record.state())));
    assertEquals(List.of("check 1 anew"), did());
    book.checked(1, lastCheck, "");
    assertEquals(List.of("use 1", "publish truetrue"), did());
    book.inactive(1, RailLoss.LINK, "pulled");
    did();
    book.returned(1);
    assertEquals(List.of("use 1", "publish truetrue"), did(), "that is forgotten then");
  }

  @Test
  void lanesHearOfARailBeforePeersDo() {
    open(new BareRails());
    book.inactive(0, RailLoss.LINK, "gone");
    assertEquals(List.of("leave 0", "publish falsetrue"), did());
  }

  @Test
  void anOperatorsDrainOutlastsTheLink() {
    open(new BareRails());
    var told = new ArrayList<State>();
    assertTrue(book.drain(0, record -> told.add(record.state())));
    assertEquals(List.of("leave 0", "publish falsetrue"), did());
    book.inactive(0, RailLoss.LINK, "pulled");
    book.returned(0);
    assertEquals(List.of(), did());
    assertTrue(book.restore(0, record -> told.add(record.state())));
    assertEquals(List.of("check 0"), did());
    assertEquals(List.of(State.DRAINED), told, "a restore is told when the check is over");
    book.checked(0, lastCheck, "");
    assertEquals(List.of("use 0", "publish truetrue"), did());
    assertEquals(List.of(State.DRAINED, State.ACTIVE), told);
  }

  @Test
  void aRestoreWhoseCheckFailsSaysWhy() {
    open(new BareRails());
    var told = new ArrayList<String>();
    book.drain(0, record -> {});
    book.restore(0, record -> told.add(record.state() + " " + record.reason()));
    turn();
    book.checked(0, lastCheck, "no echo");
    assertEquals(List.of("leave 0", "publish falsetrue", "check 0"), did());
    assertEquals(List.of("INACTIVE no echo"), told);
    book.restore(1, record -> told.add(record.state().name()));
    turn();
    assertEquals("ACTIVE", told.getLast(), "one that is in use is told so at once");
  }

  @Test
  void eachChangeIsToldOnce() {
    open(new BareRails());
    for (int i = 0; i < 5; i++) {
      book.inactive(0, RailLoss.LINK, "gone");
    }
    book.returned(0);
    turn();
    assertEquals(1, journal.count(Change.RAIL_INACTIVE));
    assertEquals(1, journal.count(Change.RAIL_ACTIVE));
  }

  @Test
  void eachCheckThatFailsIsCounted() {
    open(new BareRails());
    book.drain(0, record -> {});
    for (int i = 1; i <= 3; i++) {
      book.restore(0, record -> {});
      turn();
      book.checked(0, lastCheck, "no echo");
      turn();
      assertEquals(i, journal.count(Change.RAIL_CHECK_FAILED));
    }
    book.restore(0, record -> {});
    turn();
    book.checked(0, lastCheck, "");
    turn();
    assertEquals(3, journal.count(Change.RAIL_CHECK_FAILED));
    assertEquals(1, journal.count(Change.RAIL_ACTIVE));
  }

  @Test
  void theMachinesTimeIsKept() {
    var machine = new Counting();
    open(machine);
    machine.wanted = 500;
    book.failed(0, OURS);
    assertEquals(List.of(), did());
    assertEquals(500, steward.nextDeadline());
    machine.wanted = 300;
    book.failed(0, OURS);
    turn();
    assertEquals(300, steward.nextDeadline());
    platform.now = 300;
    machine.wanted = Long.MAX_VALUE;
    assertEquals(List.of("check 1 anew"), did());
    assertEquals(Long.MAX_VALUE, steward.nextDeadline());
  }

  @Test
  void failuresInARowAreThoseWithoutASuccessBetweenThem() {
    var machine = new Counting();
    open(machine);
    for (int i = 0; i < 1000; i++) {
      book.failed(0, OURS);
      book.carried(0);
      book.carried(0);
    }
    assertEquals(List.of(), did());
    assertEquals(1000, machine.successes, "one is told for each failure, and no more");
    for (int i = 0; i < 31; i++) {
      book.failed(0, OURS);
    }
    book.carried(1);
    assertEquals(List.of(), did());
    assertFalse(done.contains("leave 0"));
    book.failed(0, OURS);
    assertEquals(List.of("leave 0", "publish truetrue"), did());
  }

  /** Takes a rail out of use at 32 failures in a row, and checks the other one when asked. */
  private static final class Counting implements RailHealth {
    private final int[] failures = new int[2];
    private long wanted = Long.MAX_VALUE;
    private int successes;

    @Override
    public List<Action> inactive(int rail, RailLoss loss, String reason, long now) {
      return List.of();
    }

    @Override
    public List<Action> returned(int rail, long now) {
      return List.of();
    }

    @Override
    public List<Action> failed(int rail, Fault fault, long now) {
      return ++failures[rail] == 32
          ? List.of(new Action.Deactivate(rail, fault.text()))
          : List.of();
    }

    @Override
    public void succeeded(int rail, long now) {
      successes++;
      failures[rail] = 0;
    }

    @Override
    public List<Action> checked(int rail, long number, String problem, long now) {
      return List.of();
    }

    @Override
    public List<Action> drain(int rail, long now) {
      return List.of();
    }

    @Override
    public List<Action> restore(int rail, long now) {
      return List.of();
    }

    @Override
    public List<Action> tick(long now) {
      return List.of(new Action.Check(1, 1, true));
    }

    @Override
    public long nextDeadline() {
      return wanted;
    }

    @Override
    public RailRecord record(int rail, long now) {
      return new RailRecord(
          State.ACTIVE, 0, false, "", failures[rail], 0, false, Long.MIN_VALUE, 0);
    }
  }
}
