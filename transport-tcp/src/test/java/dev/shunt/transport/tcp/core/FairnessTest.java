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

  @Test
  void aSmallWriteWaitsForOneTurnOfEachBulkStreamAtEachEnd() {
    var bulk = new ArrayList<Duet>();
    for (int i = 0; i < BULK; i++) {
      bulk.add(duet(TURN));
      fill(bulk.getLast());
    }
    var small = duet(TURN);
    for (int warm = 0; warm < 10; warm++) {
      bulk.forEach(FairnessTest::busy);
    }
    long before = moved(bulk);
    var write = small.post(small.write(0, 0, 4096));
    int rounds = 0;
    while (write.ends == 0) {
      rounds++;
      bulk.forEach(FairnessTest::busy);
      turns(small);
    }
    assertEquals(1, rounds, "rounds of the lanes that a small write takes");
    long meanwhile = moved(bulk) - before;
    assertTrue(meanwhile > 0, "nothing competes");
    long most = BULK * 2 * (2 * TURN + STAGING);
    assertTrue(meanwhile <= most, meanwhile + " bytes before a small write, and not " + most);
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

  private static void busy(Duet duet) {
    fill(duet);
    turns(duet);
  }

  /** What a turn of each lane does with a stream. */
  private static void turns(Duet duet) {
    duet.requester.send();
    duet.responder.receive(duet.now);
    duet.responder.send(duet.now);
    duet.requester.receive();
  }

  private static long moved(ArrayList<Duet> duets) {
    return duets.stream().mapToLong(it -> it.pipe.left.out.written()).sum();
  }
}
