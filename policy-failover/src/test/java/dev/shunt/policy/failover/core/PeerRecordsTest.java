package dev.shunt.policy.failover.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.spi.PeerHealth.Unreachable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PeerRecordsTest {
  private static final long START = Long.MAX_VALUE - 40;
  private static final String PEER = "192.0.2.1:7000";
  private static final String OTHER = "192.0.2.2:7000";

  private final PeerRecords peers = new PeerRecords(new PeerLimits(5, 60, 1, 600));

  @Test
  void aPeerThatAnswersIsNeverRefused() {
    peers.answered(PEER, START);
    assertEquals(Optional.empty(), peers.admit(PEER, START));
    assertEquals(Long.MAX_VALUE, peers.nextProbe());
    assertEquals(List.of(), peers.probes(10, START + 1000));
  }

  @Test
  void afterOneSilentCallTheOthersFailAtOnceAndAreToldWhy() {
    call(PEER, START);
    assertEquals(
        new Unreachable(PEER, 7, START, "no reply", 1, START + 5, START + 1),
        peers.admit(PEER, START + 4).orElseThrow());
    assertEquals(Optional.empty(), peers.admit(OTHER, START + 4));
    assertEquals(1, peers.unreachable(START + 4).size());
  }

  @Test
  void anyReplyClearsTheMark() {
    call(PEER, START);
    peers.answered(PEER, START + 1);
    assertEquals(Optional.empty(), peers.admit(PEER, START + 1));
    assertEquals(List.of(), peers.unreachable(START + 1));
    assertEquals(START + 2 + 5, silentAt(START + 2), "and what went before is forgotten");
  }

  @Test
  void eachCooldownIsTwiceAsLongUpToTheCap() {
    long now = START;
    call(PEER, now);
    for (long cooldown : new long[] {5, 10, 20, 40, 60, 60}) {
      assertEquals(now + cooldown, peers.admit(PEER, now).orElseThrow().until());
      now += cooldown;
      assertEquals(Optional.empty(), peers.admit(PEER, now));
      call(PEER, now);
    }
  }

  @Test
  void afterTheCooldownOneCallDecidesForTheOthers() {
    call(PEER, START);
    assertEquals(Optional.empty(), peers.admit(PEER, START + 5));
    for (long now = START + 5; now - START < 30; now++) {
      assertTrue(peers.admit(PEER, now).isPresent());
    }
    peers.answered(PEER, START + 30);
    assertEquals(Optional.empty(), peers.admit(PEER, START + 30));
    assertEquals(Optional.empty(), peers.admit(PEER, START + 30));
  }

  @Test
  void whereNobodyTellsHowThatCallEndedAnotherOneGoesThrough() {
    call(PEER, START);
    assertEquals(Optional.empty(), peers.admit(PEER, START + 5));
    assertEquals(START + 65, peers.admit(PEER, START + 64).orElseThrow().until());
    assertEquals(Optional.empty(), peers.admit(PEER, START + 65));
    assertTrue(peers.admit(PEER, START + 66).isPresent());
  }

  @Test
  void callsThatWereBegunBeforeTheCooldownEndedChangeNoCooldown() {
    call(PEER, START);
    peers.silent(PEER, 7, "no reply either", START - 1, START + 3);
    assertEquals(START + 5, peers.admit(PEER, START + 3).orElseThrow().until());
    assertEquals(Optional.empty(), peers.admit(PEER, START + 5));
    peers.silent(PEER, 7, "late", START + 4, START + 6);
    assertEquals(3, peers.admit(PEER, START + 6).orElseThrow().failures());
    assertEquals(START + 65, peers.admit(PEER, START + 6).orElseThrow().until());
    peers.silent(PEER, 7, "the one", START + 5, START + 7);
    assertEquals(START + 17, peers.admit(PEER, START + 7).orElseThrow().until());
  }

  @Test
  void aProbeThatIsNotAnsweredMakesNoMarkAndNoCooldownLonger() {
    peers.unanswered(PEER, "no reply", START);
    assertEquals(Optional.empty(), peers.admit(PEER, START));
    call(PEER, START);
    for (long now = START + 1; now - START < 5; now++) {
      peers.unanswered(PEER, "no reply to a probe", now);
    }
    assertEquals("no reply to a probe", peers.admit(PEER, START + 4).orElseThrow().why());
    assertEquals(Optional.empty(), peers.admit(PEER, START + 5));
    peers.unanswered(PEER, "no reply to a probe", START + 6);
    peers.answered(PEER, START + 7);
    assertEquals(Optional.empty(), peers.admit(PEER, START + 7));
  }

  @Test
  void aPeerIsProbedAtEachIntervalAndTheLongestDueFirst() {
    var all = new ArrayList<String>();
    for (int i = 0; i < 100; i++) {
      all.add("peer" + i);
      call("peer" + i, START);
    }
    assertEquals(List.of(), peers.probes(1000, START));
    assertEquals(START + 1, peers.nextProbe());
    var asked = new ArrayList<String>();
    for (int i = 0; i < 4; i++) {
      asked.addAll(peers.probes(25, START + 1));
    }
    assertEquals(all, asked);
    assertEquals(List.of(), peers.probes(25, START + 1));
    assertEquals(START + 2, peers.nextProbe());
    assertEquals(all.subList(0, 25), peers.probes(25, START + 2));
    assertEquals(
        all.subList(25, 100), peers.probes(75, START + 3), "who waited longest comes first");
  }

  @Test
  void aMarkThatNobodyWantsAgesOut() {
    call(PEER, START);
    assertEquals(1, peers.probes(1, START + 599).size());
    assertEquals(List.of(), peers.unreachable(START + 600));
    assertEquals(List.of(), peers.probes(1, START + 600));
    assertEquals(Long.MAX_VALUE, peers.nextProbe());
    assertEquals(START + 605, silentAt(START + 600));
  }

  @Test
  void aMarkThatIsAskedForStays() {
    call(PEER, START);
    assertEquals(Optional.empty(), peers.admit(PEER, START + 500));
    assertTrue(peers.admit(PEER, START + 501).isPresent());
    assertEquals(1, peers.unreachable(START + 1100).size());
    assertEquals(0, peers.unreachable(START + 1101).size());
  }

  @Test
  void aSilenceOfAnOlderGenerationIsNoNewsAndOneOfANewerStartsAfresh() {
    call(PEER, START);
    peers.silent(PEER, 6, "the old one", START, START + 5);
    assertEquals(1, peers.unreachable(START + 5).getFirst().failures());
    peers.silent(PEER, 8, "the new one", START, START + 6);
    var mark = peers.unreachable(START + 6).getFirst();
    assertEquals(
        new Unreachable(PEER, 8, START + 6, "the new one", 1, START + 11, START + 7), mark);
    peers.silent(PEER, 0, "whichever", START, START + 7);
    assertEquals(2, peers.unreachable(START + 7).getFirst().failures());
  }

  @Test
  void whatWasMarkedWhileThisProcessStoodStillIsForgotten() {
    call(OTHER, START);
    call(PEER, START + 10);
    peers.stoodStill(5, START + 12);
    assertEquals(Optional.empty(), peers.admit(PEER, START + 12));
    var left = peers.unreachable(START + 12).stream().map(Unreachable::address).toList();
    assertEquals(List.of(OTHER), left);
  }

  @Test
  void callsThatWaitedWhileThisProcessStoodStillBlameNobody() {
    peers.stoodStill(10, START);
    peers.silent(PEER, 7, "no reply", START - 12, START);
    peers.silent(PEER, 7, "no reply", START, START + 10);
    assertEquals(List.of(), peers.unreachable(START + 10));
    peers.silent(PEER, 7, "no reply", START + 1, START + 10);
    assertEquals(1, peers.unreachable(START + 10).size(), "this one was begun thereafter");
    peers.silent(OTHER, 7, "no reply", START - 1, START + 11);
    assertEquals(2, peers.unreachable(START + 11).size(), "this one had all the time");
  }

  @Test
  void aCooldownThatBeganInAStandstillIsTakenBack() {
    call(PEER, START);
    assertEquals(Optional.empty(), peers.admit(PEER, START + 6));
    call(PEER, START + 6);
    peers.stoodStill(2, START + 7);
    assertEquals(Optional.empty(), peers.admit(PEER, START + 7));
    call(PEER, START + 8);
    assertEquals(START + 18, peers.admit(PEER, START + 8).orElseThrow().until());
  }

  @Test
  void theCallThatWasToDecideAndWasExcusedLetsAnotherOneThrough() {
    call(PEER, START);
    assertEquals(Optional.empty(), peers.admit(PEER, START + 5));
    peers.stoodStill(3, START + 10);
    assertTrue(peers.admit(PEER, START + 10).isPresent());
    peers.silent(PEER, 7, "no reply", START + 5, START + 11);
    assertEquals(Optional.empty(), peers.admit(PEER, START + 11));
  }

  @Test
  void onePeerThatWasHeardOfLatelyIsNotSilent() {
    peers.answered(PEER, START + 16);
    peers.silent(PEER, 7, "no reply", START, START + 30);
    assertEquals(List.of(), peers.unreachable(START + 30));
    peers.answered(PEER, START + 31);
    peers.silent(PEER, 7, "no reply", START + 17, START + 47);
    assertEquals(1, peers.unreachable(START + 47).size(), "that was too long ago");
    peers.answered(OTHER, START);
    peers.silent(OTHER, 7, "refused", START + 1, START + 1);
    assertEquals(2, peers.unreachable(START + 47).size(), "a call that waited for nothing");
  }

  @Test
  void theTablesAreBoundedAndKeepWhoIsAskedFor() {
    call(PEER, START);
    for (int i = 0; i < 2 * PeerRecords.CAPACITY; i++) {
      assertFalse(peers.admit(PEER, START + 1).isEmpty());
      call("silent" + i, START);
      peers.answered("heard" + i, START);
    }
    assertEquals(2 * PeerRecords.CAPACITY, peers.size());
    assertFalse(peers.admit(PEER, START + 1).isEmpty());
  }

  /** A call that waited for no time worth telling. */
  private void call(String address, long now) {
    peers.silent(address, 7, "no reply", now, now);
  }

  private long silentAt(long now) {
    call(PEER, now);
    return peers.admit(PEER, now).orElseThrow().until();
  }
}
