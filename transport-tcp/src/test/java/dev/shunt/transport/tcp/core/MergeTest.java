package dev.shunt.transport.tcp.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LinkId;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/** Adjacent requests that were not sent yet go as one, and each is told its own end. */
class MergeTest {
  private static final int SIZE = 64 << 10;

  @Test
  void adjacentWritesAreOneFrameAndOneAnswer() {
    for (int length : new int[] {10, 1000}) {
      var duet = Duet.checked(64 << 10, SIZE, 16_000, null);
      duet.local.fill((byte) 5);
      var pieces = new ArrayList<Piece>();
      for (int i = 0; i < 8; i++) {
        pieces.add(duet.post(duet.write(i * length, i * length, length)));
      }
      duet.settle();
      pieces.forEach(it -> assertEquals(1, it.ends));
      assertEquals(8, duet.reports.completed);
      assertEquals(Frame.HEADER + 8L * length, duet.pipe.left.out.written());
      assertEquals(Frame.HEADER, duet.pipe.right.out.written());
      assertEquals(5, duet.region.memory.get(ValueLayout.JAVA_BYTE, 8L * length - 1));
      assertEquals(0, duet.requester.bytes());
    }
  }

  @Test
  void adjacentReadsAreOneFrameAndOneAnswer() {
    var duet = Duet.checked(64 << 10, SIZE, 16_000, null);
    duet.region.memory.fill((byte) 6);
    var pieces = new ArrayList<Piece>();
    for (int i = 0; i < 8; i++) {
      pieces.add(duet.post(duet.read(i * 1000, i * 1000, 1000)));
    }
    duet.settle();
    pieces.forEach(it -> assertEquals(1, it.ends));
    assertEquals(Frame.HEADER, duet.pipe.left.out.written());
    assertEquals(Frame.HEADER + 8000, duet.pipe.right.out.written());
    assertEquals(6, duet.local.get(ValueLayout.JAVA_BYTE, 7999));
  }

  @Test
  void nothingIsMergedThatDoesNotBelongTogether() {
    long[][] seconds = {
      // local, remote, length, key, write
      {101, 100, 10, OneRegion.KEY, 1},
      {100, 101, 10, OneRegion.KEY, 1},
      {100, 100, 10, 8, 1},
      {100, 100, 10, OneRegion.KEY, 0},
      {100, 100, 401, OneRegion.KEY, 1},
    };
    for (var it : seconds) {
      var duet = Duet.checked(64 << 10, SIZE, 500, null);
      duet.post(duet.write(0, 0, 100));
      duet.post(duet.piece(it[4] == 1, it[0], it[1], it[2], it[3]));
      duet.requester.send();
      long payloads = 100 + (it[4] == 1 ? it[2] : 0);
      assertEquals(2 * Frame.HEADER + payloads, duet.pipe.left.out.written());
    }
  }

  @Test
  void aFenceStaysBetweenItsNeighbours() {
    var duet = Duet.checked(64 << 10, SIZE, 500, null);
    duet.fencesTakeLong = true;
    var before = duet.post(duet.write(0, 0, 100));
    duet.requester.fence(new LinkId(5, 8));
    var after = duet.post(duet.write(100, 100, 100));
    duet.settle();
    assertEquals(1, before.ends);
    assertEquals(0, after.ends);
    duet.responder.fenced(duet.now);
    duet.settle();
    assertEquals(1, after.ends);
  }

  @Test
  void ofThoseThatAreRefusedTogetherEachGetsItsOwnAnswer() {
    for (boolean write : new boolean[] {true, false}) {
      long edge = write ? SIZE / 2 : SIZE;
      var duet = Duet.checked(64 << 10, SIZE, 10_000, null);
      var fits = duet.post(duet.piece(write, 0, edge - 200, 100, OneRegion.KEY));
      var last = duet.post(duet.piece(write, 100, edge - 100, 100, OneRegion.KEY));
      var beyond = duet.post(duet.piece(write, 200, edge, 100, OneRegion.KEY));
      var other = duet.post(duet.piece(write, 5000, 0, 100, OneRegion.KEY));
      duet.settle();
      for (var good : new Piece[] {fits, last, other}) {
        assertEquals(1, good.ends);
        assertNull(good.fault);
      }
      assertEquals(1, beyond.ends);
      var code = write ? FailureCode.REMOTE_ACCESS : FailureCode.REMOTE_RANGE;
      assertEquals(code, beyond.fault.code());
      assertEquals(0, duet.requester.bytes());
      assertEquals(64 - 8, duet.requester.room());
    }
  }

  @Test
  void aDamagedFrameFailsAllItsSlices() {
    var duet = Duet.checked(64 << 10, SIZE, 10_000, null);
    var one = duet.post(duet.write(0, 0, 1000));
    var two = duet.post(duet.write(1000, 1000, 1000));
    duet.requester.send();
    duet.pipe.left.out.damage(1500);
    duet.settle();
    assertEquals(FailureCode.CHECKSUM, one.fault.code());
    assertEquals(FailureCode.CHECKSUM, two.fault.code());
  }

  @Test
  void slicesOfAFrameThatWentOutMayAllHaveAnEffect() {
    var duet = Duet.checked(200, SIZE, 10_000, null);
    var pieces = new ArrayList<Piece>();
    for (int i = 0; i < 4; i++) {
      pieces.add(duet.post(duet.write(i * 100, i * 100, 100)));
    }
    var unsent = duet.post(duet.write(9000, 9000, 100));
    duet.requester.send();
    duet.requester.end(
        new Fault(Fault.Blame.NEUTRAL, FailureCode.CLOSED, Fault.Effect.POSSIBLE, "test"));
    duet.requester.abandon();
    for (var piece : pieces) {
      assertNotNull(piece.fault);
      assertEquals(Fault.Effect.POSSIBLE, piece.fault.effect());
    }
    assertEquals(Fault.Effect.NONE, unsent.fault.effect());
  }

  @Test
  void itCanBeTurnedOff() {
    var duet = Duet.checked(64 << 10, SIZE, 0, null);
    duet.post(duet.write(0, 0, 100));
    duet.post(duet.write(100, 100, 100));
    duet.requester.send();
    assertEquals(2 * Frame.HEADER + 200, duet.pipe.left.out.written());
  }
}
