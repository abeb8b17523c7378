package dev.shunt.transport.tcp.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/** A stream that is never idle lets the others of its lane have their turn, at both ends. */
class FairnessTest {
  private static final int SIZE = 4 << 20;
  private static final long TURN = 128 << 10;
  private static final int STAGING = 64 << 10;
  private static final int BULK = 4;

  private long mostSent;
  private long mostTaken;

  @Test
  void aSmallWriteWaitsForOneTurnOfEachBulkStreamAtEachEnd() {
    var bulk = new ArrayList<Duet>();
    for (int i = 0; i < BULK; i++) {
      bulk.add(duet(TURN));
    }
    var small = duet(TURN);
    for (int warm = 0; warm < 50; warm++) {
      bulk.forEach(this::busy);
    }
    long before = moved(bulk);
    var write = small.post(small.write(0, 0, 4096));
    int rounds = 0;
    while (write.ends == 0) {
      rounds++;
      bulk.forEach(this::busy);
      turns(small);
    }
    assertEquals(1, rounds, "rounds of the lanes that a small write takes");
    assertTrue(moved(bulk) > before, "nothing competes");
    assertTrue(mostSent <= 2 * TURN + STAGING, mostSent + " bytes in one turn of a requester");
    assertTrue(mostTaken <= TURN + STAGING, mostTaken + " bytes in one turn of a responder");
  }

  @Test
  void readsHaveTheirTurnsToo() {
    var duet = duet(TURN);
    while (duet.requester.room() > 0) {
      duet.post(duet.read(0, 0, SIZE / 4));
    }
    for (int round = 0; round < 50; round++) {
      turns(duet);
    }
    assertTrue(mostTaken <= 2 * TURN + STAGING, mostTaken + " bytes in one turn of a responder");
    assertTrue(mostSent <= TURN + STAGING, mostSent + " bytes in one turn of a requester");
  }

  @Test
  void withoutTurnsItWaitsForAllThatIsThere() {
    var bulk = duet(SIZE);
    fill(bulk);
    bulk.requester.send();
    long before = bulk.pipe.right.in.size();
    bulk.responder.receive(bulk.now);
    long taken = before - bulk.pipe.right.in.size();
    assertTrue(taken > 8 * TURN, "the test beside this one proves nothing: " + taken);
  }

  private static Duet duet(long turn) {
    var limits = new StreamLimits(2, 40, SIZE / 4, 16 << 10, 0, turn, false);
    return new Duet(Arena.ofAuto(), 2 * SIZE, SIZE, limits, STAGING, null);
  }

  private static void fill(Duet duet) {
    while (duet.requester.room() > 0) {
      duet.post(duet.write(0, 0, SIZE / 4));
    }
  }

  private void busy(Duet duet) {
    fill(duet);
    turns(duet);
  }

  /** What a turn of each lane does with a stream. */
  private void turns(Duet duet) {
    long before = total(duet);
    duet.requester.send();
    mostSent = Math.max(mostSent, total(duet) - before);
    before = total(duet);
    duet.responder.receive(duet.now);
    mostTaken = Math.max(mostTaken, total(duet) - before);
    before = total(duet);
    duet.responder.send(duet.now);
    mostTaken = Math.max(mostTaken, total(duet) - before);
    before = total(duet);
    duet.requester.receive();
    mostSent = Math.max(mostSent, total(duet) - before);
  }

  /** All bytes that went into the pipe, and out of it. */
  private static long total(Duet duet) {
    var pipe = duet.pipe;
    return 2 * (pipe.left.out.written() + pipe.right.out.written())
        - pipe.right.in.size()
        - pipe.left.in.size();
  }

  private static long moved(ArrayList<Duet> duets) {
    return duets.stream().mapToLong(it -> it.pipe.left.out.written()).sum();
  }
}
