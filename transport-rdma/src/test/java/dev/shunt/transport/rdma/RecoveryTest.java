package dev.shunt.transport.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Access;
import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Fault.Effect;
import dev.shunt.api.spi.RailLoss;
import dev.shunt.api.spi.RetireReason;
import dev.shunt.transport.rdma.testing.SoftNic;
import dev.shunt.transport.rdma.verbs.AsyncEvents;
import dev.shunt.transport.rdma.verbs.Gid;
import dev.shunt.transport.rdma.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How rails that were lost come back, and what does not let them. */
class RecoveryTest {
  private static final long MILLI = Pair.MILLI;
  private static final long SECOND = Pair.SECOND;

  private static Optional<Fault> check(Pair pair, int rail, boolean anew) {
    return check(pair, rail, anew, 10 * SECOND);
  }

  private static Optional<Fault> check(Pair pair, int rail, boolean anew, long within) {
    var found = new ArrayList<Optional<Fault>>();
    pair.a.check(rail, anew, within, found);
    pair.await("the end of a check", () -> !found.isEmpty());
    assertEquals(1, found.size());
    return found.getFirst();
  }

  private static void passes(Pair pair, boolean anew) {
    assertEquals(Optional.empty(), check(pair, 0, anew));
  }

  private static String fails(Pair pair, boolean anew) {
    var fault = check(pair, 0, anew).orElseThrow();
    assertEquals(Blame.LOCAL, fault.blame());
    assertEquals(FailureCode.DEVICE, fault.code());
    return fault.text();
  }

  private static long key(Pair pair) {
    return pair.from.keys().getFirst().remoteKey();
  }

  private static String last(Pair pair) {
    return pair.a.railLog.getLast();
  }

  // ---- which loss asks for what

  @Test
  void eachOfTheFiveEventsMakesTheRailInactiveAndSaysHowItEnds() {
    int[] events = {
      AsyncEvents.DEVICE_FATAL,
      AsyncEvents.CQ_ERR,
      AsyncEvents.WQ_FATAL,
      AsyncEvents.PORT_ERR,
      AsyncEvents.LID_CHANGE
    };
    RailLoss[] losses = {
      RailLoss.FATAL, RailLoss.ERRORS, RailLoss.ERRORS, RailLoss.LINK, RailLoss.ERRORS
    };
    for (int i = 0; i < events.length; i++) {
      var pair = new Pair();
      var link = pair.up();
      pair.nicsA[0].event(events[i], 1);
      var fault = pair.down(link);
      assertEquals(Blame.LOCAL, fault.blame());
      assertEquals(List.of(losses[i]), pair.a.losses, AsyncEvents.name(events[i]));
      assertTrue(last(pair).startsWith("inactive mlx5_0"), last(pair));
      assertTrue(last(pair).endsWith(AsyncEvents.name(events[i])), last(pair));
      pair.carry(pair.up(pair.a.connect(pair.b, 1, 1, SECOND)));
    }
  }

  @Test
  void aWorseLossIsToldThoughTheRailIsInactiveAlready() {
    var pair = new Pair();
    pair.nicsA[0].down();
    pair.run(MILLI);
    pair.nicsA[0].overrun();
    pair.run(MILLI);
    pair.nicsA[0].fatal();
    pair.run(MILLI);
    assertEquals(List.of(RailLoss.LINK, RailLoss.ERRORS, RailLoss.FATAL), pair.a.losses);
    pair.nicsA[0].event(AsyncEvents.DEVICE_FATAL, 0);
    pair.nicsA[0].event(AsyncEvents.CQ_ERR, 0);
    pair.run(MILLI);
    assertEquals(3, pair.a.losses.size(), "the same again is no news");
  }

  @Test
  void aDeviceWhoseEventsCannotBeReadIsTriedAfterATimeThoughItsLinkIsGone() {
    var pair = new Pair();
    pair.nicsA[0].down();
    pair.run(MILLI);
    pair.nicsA[0].refuseEvents(VerbsException.EIO);
    pair.run(MILLI);
    assertEquals(List.of(RailLoss.LINK, RailLoss.ERRORS), pair.a.losses);
    assertEquals("returned mlx5_0", last(pair), "nobody would hear that the link is back");
    pair.nicsA[0].refuseEvents(0);
    pair.nicsA[0].restore();
    passes(pair, true);
    pair.carry(pair.up());
    pair.nicsA[0].down();
    pair.run(MILLI);
    assertEquals(RailLoss.LINK, pair.a.losses.getLast(), "it hears again");
  }

  // ---- the check

  @Test
  void aCheckOfARailThatWorksPassesAndLeavesNothingBehind() {
    var pair = new Pair();
    var link = pair.up();
    long before = pair.nicsA[0].resources();
    passes(pair, false);
    assertEquals(before, pair.nicsA[0].resources());
    pair.carry(link);
  }

  @Test
  void aRailWhoseDataPathIsDeadPassesNoCheckThoughItsPortIsActive() {
    var pair = new Pair();
    pair.nicsA[0].down();
    pair.nicsA[0].deaf(true);
    pair.nicsA[0].restore();
    pair.run(MILLI);
    long before = pair.nicsA[0].resources();
    var problem = fails(pair, false);
    assertTrue(problem.contains("no acknowledgement within all retries"), problem);
    assertEquals(before, pair.nicsA[0].resources());
    pair.nicsA[0].deaf(false);
    passes(pair, false);
    pair.carry(pair.up());
  }

  @Test
  void aCheckReadsTheAddressAnew() {
    var pair = new Pair();
    pair.nicsA[0].down();
    pair.run(MILLI);
    pair.nicsA[0].quietly(new Gid(0x2001_0db8_0000_0000L, 7));
    pair.nicsA[0].restore();
    pair.run(MILLI);
    pair.nicsA[0].quietly(new Gid(0x2001_0db8_0000_0000L, 8));
    passes(pair, false);
    assertEquals("changed mlx5_0 20:01:0d:b8:00:00:00:00:00:00:00:00:00:00:00:08", last(pair));
    pair.carry(pair.up());
  }

  @Test
  void aPortThatIsDownFailsTheCheckAndIsWaitedFor() {
    var pair = new Pair();
    pair.nicsA[0].quietlyDown();
    var problem = fails(pair, false);
    assertTrue(problem.contains("its port is not active"), problem);
    assertEquals(List.of(RailLoss.LINK), pair.a.losses, "its event will tell when it is back");
    pair.nicsA[0].restore();
    pair.run(MILLI);
    assertEquals("returned mlx5_0", last(pair));
    passes(pair, false);
  }

  @Test
  void aLinkWhoseReturnNoEventTellsOfIsSeenAllTheSame() {
    var pair = new Pair();
    pair.nicsA[0].down();
    pair.run(5 * SECOND);
    assertEquals(1, pair.a.railLog.size());
    pair.nicsA[0].quietlyUp();
    pair.run(2 * SECOND);
    assertEquals("returned mlx5_0", last(pair));
    assertEquals(2, pair.a.railLog.size(), "told once");
    passes(pair, false);
    pair.carry(pair.up());
  }

  @Test
  void aPortWithoutAnAddressIsWaitedForUntilItHasOne() {
    var pair = new Pair();
    var link = pair.up();
    pair.nicsA[0].bare(true);
    assertEquals(Blame.LOCAL, pair.down(link).blame());
    assertEquals(List.of(RailLoss.LINK), pair.a.losses);
    assertTrue(last(pair).contains("no usable GID"), last(pair));
    pair.nicsA[0].event(AsyncEvents.PORT_ACTIVE, 1);
    pair.run(MILLI);
    assertEquals(1, pair.a.railLog.size());
    pair.nicsA[0].bare(false);
    pair.run(MILLI);
    assertEquals("returned mlx5_0", last(pair));
    passes(pair, false);
    pair.carry(pair.up());
  }

  @Test
  void aCheckEndsByItsDeadline() {
    var pair = new Pair();
    pair.fabric.path(pair.nicsA[0], pair.nicsA[0]).hold();
    long begin = pair.world.now();
    var found = new ArrayList<Optional<Fault>>();
    pair.a.check(0, false, 500 * MILLI, found);
    pair.await("its end", () -> !found.isEmpty());
    assertTrue(pair.world.now() - begin < 510 * MILLI);
    assertTrue(found.getFirst().orElseThrow().text().contains("in time"), found.toString());
    pair.run(SECOND);
    assertEquals(1, found.size());
  }

  @Test
  void checksOfOneRailDoNotMeet() {
    var pair = new Pair();
    var found = new ArrayList<Optional<Fault>>();
    pair.a.check(0, true, 10 * SECOND, found);
    pair.a.check(0, false, 10 * SECOND, found);
    pair.a.check(0, true, 10 * SECOND, found);
    pair.await("three answers", () -> found.size() == 3);
    assertTrue(found.get(0).orElseThrow().text().contains("another check"), "the displaced one");
    assertEquals(List.of(Optional.empty(), Optional.empty()), found.subList(1, 3));
    assertEquals(1, pair.nicsA[0].opened());
    pair.carry(pair.up());
  }

  // ---- the context made anew

  @Test
  void aContextIsReallyMadeAnewAndMemoryRegisteredAgain() {
    var pair = new Pair();
    pair.up();
    long key = key(pair);
    pair.nicsA[0].event(AsyncEvents.LID_CHANGE, 1);
    pair.run(MILLI);
    pair.a.railLog.clear();
    passes(pair, true);
    assertNotEquals(key, key(pair), "another registration has another key");
    assertEquals(List.of("changed mlx5_0 " + pair.nicsA[0].gid()), pair.a.railLog);
    assertEquals(1, pair.nicsA[0].opened(), "the old one is closed");
    assertEquals(1, pair.nicsA[0].resources(), "the memory, once");
    pair.carry(pair.up());
    pair.fetch(pair.up());
  }

  @Test
  void aKeyOfAContextThatIsGoneCostsNoConnection() {
    var pair = new Pair();
    long stale = pair.to.keys().getFirst().remoteKey();
    var found = new ArrayList<Optional<Fault>>();
    pair.b.check(0, true, 10 * SECOND, found);
    pair.await("its end", () -> !found.isEmpty());
    var link = pair.up();
    var slice = pair.a.postWith(link, true, pair.from, pair.to.address(), stale, 100);
    var fault = pair.report(slice);
    assertEquals(Blame.REMOTE, fault.blame(), "its descriptor has the key that is right");
    assertEquals(FailureCode.REMOTE_RANGE, fault.code());
    assertEquals(Effect.NONE, fault.effect());
    pair.carry(link);
  }

  @Test
  void aConnectionToAContextThatIsGoneEndsWithTheFirstKeyOfTheNextOne() {
    var pair = new Pair();
    var link = pair.up();
    var found = new ArrayList<Optional<Fault>>();
    pair.b.check(0, true, 10 * SECOND, found);
    pair.await("its end", () -> !found.isEmpty());
    assertFalse(pair.a.downs.containsKey(link), "nothing was sent that could tell");
    var slice = pair.a.post(link, true, pair.from, pair.to, 0, 100);
    var fault = pair.report(slice);
    assertEquals(Blame.NEUTRAL, fault.blame(), fault::text);
    assertEquals(Effect.NONE, fault.effect());
    assertEquals(Blame.NEUTRAL, pair.down(link).blame());
    pair.carry(pair.up());
  }

  @Test
  void aQueueThatBreaksGivesItsSlicesBackAtOnce() {
    var pair = new Pair();
    var link = pair.up();
    pair.fabric.path(pair.nicsA[0], pair.nicsB[0]).hold();
    var write = pair.a.post(link, true, pair.from, pair.to, 0, 100_000);
    var read = pair.a.post(link, false, pair.from, pair.to, 100_000, 1000);
    pair.run(MILLI / 10);
    pair.nicsA[0].overrun();
    pair.run(20 * MILLI);
    assertEquals(Effect.POSSIBLE, pair.a.reports.get(write).effect(), "it may land yet");
    assertEquals(Blame.LOCAL, pair.a.reports.get(write).blame());
    assertEquals(Effect.NONE, pair.a.reports.get(read).effect());
    assertTrue(pair.a.downs.containsKey(link));
    assertEquals(0, pair.nicsA[0].qps(), "only when its QPs are gone");
    assertEquals(List.of(RailLoss.ERRORS), pair.a.losses);
  }

  @Test
  void aQueueErrorIsOverWithAnotherContext() {
    var pair = new Pair();
    pair.up();
    pair.nicsA[0].overrun();
    pair.run(MILLI);
    passes(pair, true);
    var link = pair.up();
    pair.carry(link);
    pair.nicsA[0].down();
    pair.down(link);
    assertEquals(List.of(RailLoss.ERRORS, RailLoss.LINK), pair.a.losses, "its events are heard");
  }

  @Test
  void aContextThatIsLostIsMadeAnewWhateverWasAskedFor() {
    var pair = new Pair();
    pair.nicsA[0].overrun();
    pair.run(MILLI);
    long key = key(pair);
    passes(pair, false);
    assertNotEquals(key, key(pair));
    pair.carry(pair.up());
  }

  @Test
  void aBrokenDeviceComesBackWithAnotherContext() {
    var pair = new Pair();
    var link = pair.up();
    var slice = pair.a.post(link, true, pair.from, pair.to, 0, 100_000);
    pair.nicsA[0].fatal();
    assertEquals(Blame.LOCAL, pair.report(slice).blame());
    pair.down(link);
    assertEquals(List.of(RailLoss.FATAL), pair.a.losses);
    pair.nicsA[0].refuseOpens(VerbsException.EIO);
    assertTrue(fails(pair, true).contains("input/output"), "not before it works");
    pair.nicsA[0].refuseOpens(0);
    passes(pair, true);
    pair.carry(pair.up());
    pair.nicsA[0].fatal();
    pair.run(MILLI);
    assertEquals(2, pair.a.losses.size(), "it may break again");
  }

  @Test
  void memoryThatComesAndGoesWhileAContextIsLostIsAsAlways() {
    var pair = new Pair();
    pair.nicsA[0].fatal();
    pair.run(MILLI);
    var late = Pair.memory(pair.a, Access.LOCAL, 5);
    pair.a.transport().unregister(pair.from.keys().getFirst());
    passes(pair, true);
    assertEquals(1, pair.nicsA[0].resources());
    var link = pair.up();
    var slice = pair.a.post(link, true, late, pair.to, 0, 1000);
    assertEquals(null, pair.report(slice));
    assertTrue(late.memory().asSlice(0, 1000).mismatch(pair.to.memory().asSlice(0, 1000)) < 0);
  }

  @Test
  void memoryThatCannotBeRegisteredAgainKeepsTheRailOut() {
    var pair = new Pair();
    pair.nicsA[0].overrun();
    pair.run(MILLI);
    pair.nicsA[0].refuseRegistrations(VerbsException.ENOMEM);
    var problem = fails(pair, true);
    assertTrue(problem.contains("out of memory"), problem);
    assertEquals(Blame.LOCAL, pair.refused(pair.a.connect(pair.b, 0, 0, SECOND)).blame());
    assertEquals(0, pair.nicsA[0].opened(), "nothing is left of a try that failed");
    pair.nicsA[0].refuseRegistrations(0);
    passes(pair, true);
    pair.carry(pair.up());
  }

  @Test
  void aContextThatTakesTooLongIsThrownAway() {
    var pair = new Pair();
    pair.a.attempts.delay = 5 * SECOND;
    var found = check(pair, 0, true, SECOND);
    assertTrue(found.orElseThrow().text().contains("time"), found.toString());
    pair.run(10 * SECOND);
    assertEquals(0, pair.nicsA[0].opened());
    pair.a.attempts.delay = 0;
    passes(pair, true);
    pair.carry(pair.up());
  }

  @Test
  void aHandshakeThatHasItsQpsInHandKeepsTheOldContextUntilItLetsGo() {
    var pair = new Pair();
    pair.a.attempts.delay = 20 * SECOND;
    var link = pair.a.connect(pair.b, 0, 0, 2 * SECOND);
    pair.run(SECOND / 2);
    pair.a.attempts.delay = 0;
    passes(pair, true);
    assertFalse(pair.a.channels.containsKey(link));
    assertEquals(2, pair.nicsA[0].opened(), "a call still has QPs of the old one in hand");
    pair.run(30 * SECOND);
    pair.carry(pair.up());
    passes(pair, true);
    assertEquals(1, pair.nicsA[0].opened(), "it went with the next one");
  }

  @Test
  void whatNeverDrainedGoesWithItsContextByHand() {
    var pair = new Pair(Map.of("endpoint.quarantine", 0, "endpoint.drain-timeout", "1s"));
    pair.nicsA[0].keepFlushes(true);
    pair.fabric.path(pair.nicsA[0], pair.nicsB[0]).blackhole();
    var link = pair.up();
    var slice = pair.a.post(link, true, pair.from, pair.to, 0, 100);
    pair.a.channels.get(link).retire(RetireReason.STALLED, pair.world.now());
    pair.run(3 * SECOND);
    assertEquals(List.of(RailLoss.FATAL), pair.a.losses, "given up past the quarantine");
    assertFalse(pair.a.reports.containsKey(slice), "nothing is freed by force");
    pair.fabric.path(pair.nicsA[0], pair.nicsB[0]).heal();
    pair.nicsA[0].keepFlushes(false);
    passes(pair, true);
    assertEquals(Effect.POSSIBLE, pair.a.reports.get(slice).effect());
    assertTrue(pair.a.downs.containsKey(link));
    pair.carry(pair.up());
  }

  /** R6. */
  @Test
  void aThousandConnectionsThatNeverDrainAreHeldByABoundPastWhichTheRailIsGivenUp() {
    var pair = new Pair(Map.of("endpoint.drain-timeout", "1s"));
    pair.nicsA[0].keepFlushes(true);
    var path = pair.fabric.path(pair.nicsA[0], pair.nicsB[0]);
    int kept = 0;
    int refused = 0;
    for (int i = 0; i < 1000; i++) {
      path.heal();
      var link = pair.a.connect(pair.b, 0, 0, SECOND);
      pair.run(20 * MILLI);
      if (pair.a.refusals.containsKey(link)) {
        var fault = pair.a.refusals.get(link);
        assertEquals(Blame.LOCAL, fault.blame());
        assertTrue(fault.text().contains("inactive"), fault.text());
        refused++;
        continue;
      }
      path.blackhole();
      pair.a.post(link, true, pair.from, pair.to, 0, 100);
      pair.a.channels.get(link).retire(RetireReason.STALLED, pair.world.now());
      pair.run(2 * SECOND);
      kept++;
      assertEquals(2 * kept, pair.nicsA[0].qps(), "nothing is freed by force");
    }
    assertEquals(17, kept, "16 are kept aside, and one more is one too many");
    assertEquals(983, refused);
    assertEquals(List.of(RailLoss.FATAL), pair.a.losses);
    assertTrue(last(pair).contains("more endpoints do not drain"), last(pair));
    assertEquals(Map.of(), pair.a.reports, "their memory may still be written to");
    pair.carry(pair.up(pair.a.connect(pair.b, 1, 1, SECOND)));
  }

  @Test
  void whatTheDeviceDoesNotLetGoOfIsNotReportedAndHasABound() {
    var pair = new Pair();
    var link = pair.up();
    var lost = pair.a.post(link, true, pair.from, pair.to, 0, 100_000);
    pair.nicsA[0].refuseCloses(1000);
    pair.nicsA[0].overrun();
    pair.run(SECOND);
    assertFalse(pair.a.reports.containsKey(lost), "the device may still use its memory");
    for (int i = 0; i < 4; i++) {
      assertEquals(1 + i, pair.nicsA[0].opened());
      // The QPs of the check are not let go of, either.
      passes(pair, true);
    }
    var problem = fails(pair, true);
    assertTrue(problem.contains("earlier contexts"), problem);
    pair.nicsA[0].refuseCloses(0);
    pair.a.close();
  }

  @Test
  void closingInTheMiddleLeavesNothing() {
    for (int steps = 0; steps < 12; steps++) {
      var pair = new Pair();
      pair.up();
      pair.a.check(0, true, 10 * SECOND, new ArrayList<>());
      pair.run(steps * MILLI / 2);
      pair.a.close();
      pair.b.close();
      for (SoftNic nic : pair.fabric.nics()) {
        assertEquals(0, nic.resources(), nic.name() + " after " + steps);
      }
    }
  }

  @Test
  void aContextThatIsThereWhenTheTransportClosesAndNobodysYetIsClosed() {
    var pair = new Pair();
    pair.a.attempts.delay = SECOND;
    pair.a.check(0, true, 10 * SECOND, new ArrayList<>());
    pair.run(100 * MILLI);
    assertEquals(1, pair.nicsA[0].opened(), "the next one; the call that made it blocks yet");
    pair.a.close();
    assertEquals(0, pair.nicsA[0].opened());
    assertEquals(0, pair.nicsA[0].resources());
  }

  @Test
  void aRailThatFailedInARowIsMadeAnewThoughItsDeviceSaysNothing() {
    var pair = new Pair();
    var link = pair.up();
    var there = pair.a.connect(pair.b, 1, 1, SECOND);
    pair.up(there);
    passes(pair, true);
    assertEquals(Blame.NEUTRAL, pair.down(link).blame());
    assertEquals(List.of(), pair.a.losses, "whoever asked for it knows");
    pair.carry(there);
    pair.carry(pair.up());
  }

  @Test
  void peersOfARailThatIsMadeAnewMakeTheirConnectionsAnew() {
    var pair = new Pair();
    var link = pair.up();
    var found = new ArrayList<Optional<Fault>>();
    pair.b.check(0, true, 10 * SECOND, found);
    pair.await("its end", () -> !found.isEmpty());
    assertEquals(List.of(Optional.empty()), found);
    assertEquals(Blame.REMOTE, pair.down(link).blame());
    pair.carry(pair.up());
  }

  // ---- events that are not known

  /** J10. */
  @Test
  void unknownEventsAreCountedAndConnectsStillEndByTheirDeadline() {
    var pair = new Pair();
    pair.b.replyDelay = 60 * SECOND;
    long begin = pair.world.now();
    var link = pair.a.connect(pair.b, 0, 0, SECOND);
    for (int i = 0; i < 1000; i++) {
      pair.nicsA[0].event(77 + i % 2, 0);
    }
    pair.refused(link);
    assertTrue(pair.world.now() - begin <= SECOND + MILLI);
    assertEquals(Map.of(77, 500L, 78, 500L), pair.a.transport().eventCounts());
    assertEquals(List.of(), pair.a.railLog);
  }
}
