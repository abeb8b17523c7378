package dev.shunt.transport.tcp.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.sim.Dice;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LinkId;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

class StreamTest {
  private static final int SIZE = 64 << 10;

  @Test
  void writesAndReadsOfAllSizesArriveWhole() {
    for (long seed = 1; seed <= 300; seed++) {
      var dice = new Dice(seed);
      int pipe = (int) dice.between(1, 8 << 10);
      var duet = new Duet(pipe, SIZE, (int) dice.between(1, 64), dice);
      long half = SIZE / 2;
      for (long at = 0; at < half; at += 8) {
        duet.local.set(ValueLayout.JAVA_LONG, at, dice.next());
      }
      var pieces = new ArrayList<Piece>();
      for (long at = 0; at < half; ) {
        long length = Math.min(half - at, dice.between(1, dice.permille(300) ? 4000 : 300));
        pieces.add(duet.write(at, at, length));
        at += length;
      }
      post(duet, pieces, dice);
      assertEquals(-1, duet.local.asSlice(0, half).mismatch(duet.region.memory.asSlice(0, half)));

      for (long at = half; at < SIZE; at += 8) {
        duet.region.memory.set(ValueLayout.JAVA_LONG, at, dice.next());
      }
      pieces.clear();
      for (long at = half; at < SIZE; ) {
        long length = Math.min(SIZE - at, dice.between(1, dice.permille(300) ? 4000 : 300));
        pieces.add(duet.read(at, at, length));
        at += length;
      }
      post(duet, pieces, dice);
      assertEquals(-1, duet.local.mismatch(duet.region.memory), "seed " + seed);
      assertEquals(0, duet.region.leases, "seed " + seed);
    }
  }

  private static void post(Duet duet, ArrayList<Piece> pieces, Dice dice) {
    int next = 0;
    long limit = 50_000_000;
    while (next < pieces.size() || pieces.getLast().ends == 0) {
      assertTrue(limit-- > 0, "no end");
      if (next < pieces.size() && duet.requester.room() > 0 && dice.permille(500)) {
        duet.post(pieces.get(next++));
      } else if (dice.permille(500) || !duet.step()) {
        duet.requester.send();
      }
    }
    duet.settle();
    for (var piece : pieces) {
      assertEquals(1, piece.ends);
      assertNull(piece.fault);
    }
  }

  @Test
  void aWriteIsAcknowledgedOnlyWhenEachByteIsInPlace() {
    var duet = new Duet(64, SIZE, 16, null);
    var piece = duet.post(duet.write(0, 0, 4000));
    duet.local.fill((byte) 1);
    duet.requester.send();
    while (piece.ends == 0) {
      assertEquals(0, duet.pipe.right.out.written(), "an answer before the last byte");
      boolean last = duet.region.memory.get(ValueLayout.JAVA_BYTE, 3999) == 1;
      assertTrue(duet.step());
      if (last) {
        break;
      }
    }
    duet.settle();
    assertEquals(1, piece.ends);
  }

  @Test
  void aRefusedRequestFailsAloneAndTheStreamStaysInStep() {
    var duet = new Duet(512, SIZE, 32, null);
    duet.local.fill((byte) 3);
    var before = duet.post(duet.write(0, 0, 1000));
    var range = duet.post(duet.write(0, SIZE - 10, 1000));
    var access = duet.post(duet.write(0, SIZE / 2, 1000));
    var key = duet.post(duet.piece(true, 0, 0, 1000, 8));
    var readRange = duet.post(duet.read(0, SIZE, 1));
    var readKey = duet.post(duet.piece(false, 0, 0, 1000, 0));
    var after = duet.post(duet.write(0, 2000, 1000));
    var readAfter = duet.post(duet.read(5000, SIZE / 2, 1000));
    duet.settle();
    assertNull(before.fault);
    assertNull(after.fault);
    assertNull(readAfter.fault);
    assertEquals(FailureCode.REMOTE_RANGE, range.fault.code());
    assertEquals(FailureCode.REMOTE_ACCESS, access.fault.code());
    assertEquals(FailureCode.REMOTE_RANGE, key.fault.code());
    assertEquals(FailureCode.REMOTE_RANGE, readRange.fault.code());
    assertEquals(FailureCode.REMOTE_RANGE, readKey.fault.code());
    for (var piece : new Piece[] {range, access, key, readRange, readKey}) {
      assertEquals(Fault.Blame.REQUEST, piece.fault.blame());
      assertEquals(Fault.Effect.NONE, piece.fault.effect());
      assertEquals(1, piece.ends);
    }
    assertEquals(3, duet.region.memory.get(ValueLayout.JAVA_BYTE, 2999));
    assertEquals(0, duet.region.memory.get(ValueLayout.JAVA_BYTE, SIZE / 2));
    assertEquals(0, duet.region.memory.get(ValueLayout.JAVA_BYTE, SIZE - 1));
    assertEquals(0, duet.region.leases);
  }

  @Test
  void aRequestWithoutAKeyIsRefused() {
    var duet = new Duet(512, SIZE, 32, null);
    var write = duet.post(duet.piece(true, 0, 0, 1000, 0));
    var read = duet.post(duet.piece(false, 0, 0, 1000, 0));
    duet.settle();
    assertEquals(FailureCode.REMOTE_RANGE, write.fault.code());
    assertEquals(FailureCode.REMOTE_RANGE, read.fault.code());
    assertEquals(0, duet.region.leases);
  }

  @Test
  void smallWritesShareOneSystemCallAndOneAcknowledgement() {
    var duet = new Duet(64 << 10, SIZE, 64, null);
    for (int i = 0; i < 10; i++) {
      duet.post(duet.write(i * 8, i * 8, 8));
    }
    duet.settle();
    assertEquals(10, duet.reports.completed);
    assertEquals(1, duet.pipe.left.writes);
    assertEquals(Frame.HEADER, duet.pipe.right.out.written());
  }

  @Test
  void whatFollowsAFenceWaitsForIt() {
    var duet = new Duet(4096, SIZE, 16, null);
    duet.fencesTakeLong = true;
    duet.local.fill((byte) 9);
    var before = duet.post(duet.write(0, 0, 100));
    assertTrue(duet.requester.fence(new LinkId(5, 8)));
    var after = duet.post(duet.write(200, 200, 100));
    duet.settle();
    assertEquals(1, before.ends);
    assertEquals(new LinkId(5, 8), duet.fences.getFirst());
    assertEquals(0, after.ends);
    assertEquals(0, duet.region.memory.get(ValueLayout.JAVA_BYTE, 200));
    duet.responder.fenced(duet.now);
    duet.settle();
    assertEquals(1, after.ends);
    assertEquals(9, duet.region.memory.get(ValueLayout.JAVA_BYTE, 299));
  }

  @Test
  void aFenceHasRoomWhereSlicesHaveNone() {
    var duet = new Duet(4096, SIZE, Requester.depthFor(4), null);
    assertEquals(4, duet.requester.room());
    while (duet.requester.room() > 0) {
      duet.post(duet.write(0, 0, 10));
    }
    for (int i = 0; i < 8; i++) {
      assertTrue(duet.requester.fence(new LinkId(5, 100 + i)));
    }
    assertFalse(duet.requester.fence(new LinkId(5, 200)));
    duet.settle();
    assertEquals(8, duet.fences.size());
    assertEquals(4, duet.requester.room());
  }

  @Test
  void onlyWritesWhoseHeaderWentOutMayHaveAnEffect() {
    var duet = new Duet(200, SIZE, 16, null);
    var sent = duet.post(duet.write(0, 0, 1000));
    var read = duet.post(duet.read(0, SIZE / 2, 10));
    var unsent = duet.post(duet.write(0, 1000, 10));
    duet.requester.send();
    duet.requester.end(
        new Fault(Fault.Blame.NEUTRAL, FailureCode.CLOSED, Fault.Effect.POSSIBLE, "test"));
    assertEquals(0, duet.requester.room());
    duet.requester.abandon();
    assertEquals(Fault.Effect.POSSIBLE, sent.fault.effect());
    assertEquals(Fault.Effect.NONE, read.fault.effect());
    assertEquals(Fault.Effect.NONE, unsent.fault.effect());
    assertEquals(3, duet.reports.failed);
  }

  @Test
  void aWriteWhoseHeaderIsStillInTheStagingBufferHasNoEffect() {
    var duet = new Duet(100, SIZE, 16, null);
    var sent = duet.post(duet.write(0, 0, 10));
    var cutShort = duet.post(duet.write(0, 0, 10));
    var staged = duet.post(duet.write(0, 0, 10));
    duet.requester.send();
    duet.requester.end(
        new Fault(Fault.Blame.NEUTRAL, FailureCode.CLOSED, Fault.Effect.POSSIBLE, "test"));
    duet.requester.abandon();
    assertEquals(Fault.Effect.POSSIBLE, sent.fault.effect());
    assertEquals(Fault.Effect.NONE, cutShort.fault.effect());
    assertEquals(Fault.Effect.NONE, staged.fault.effect());
  }

  @Test
  void aResponderWhoseAnswersAreStuckReadsNoFurtherRequest() {
    for (int length : new int[] {200, 3000}) {
      var duet = new Duet(2000, SIZE, Requester.depthFor(64), null);
      while (duet.requester.room() > 0) {
        duet.post(duet.read(0, 0, length));
      }
      int steps = 0;
      boolean moved = true;
      while (moved) {
        assertTrue(steps++ < 1000, "it spins");
        duet.requester.send();
        moved = duet.pipe.right.readable() || duet.pipe.right.writable();
        duet.responder.receive(duet.now);
        duet.responder.send(duet.now);
      }
      assertTrue(duet.pipe.right.in.size() > 0, "all requests were read");
      duet.settle();
      assertEquals(64, duet.reports.completed);
    }
  }

  @Test
  void aStreamThatWaitsForAFenceIsNotRead() {
    var duet = new Duet(2000, SIZE, 64, null);
    duet.fencesTakeLong = true;
    duet.requester.fence(new LinkId(5, 8));
    duet.post(duet.write(0, 0, 8000));
    duet.settle();
    assertEquals(2000, duet.pipe.right.in.size(), "unread bytes");
    assertEquals(duet.now + Duet.PATIENCE, duet.responder.deadline());
    duet.responder.fenced(duet.now);
    duet.settle();
    assertEquals(1, duet.reports.completed);
  }

  @Test
  void aRequestThatStandsStillHasADeadlineAndAnIdleStreamALaterOne() {
    var duet = new Duet(200, SIZE, 16, null);
    assertEquals(duet.now + Duet.QUIET, duet.responder.deadline());
    assertEquals(Bye.SILENT, duet.responder.overdue());
    duet.post(duet.write(0, 0, 1000));
    duet.requester.send();
    duet.responder.receive(duet.now);
    assertEquals(1, duet.region.leases);
    assertEquals(duet.now + Duet.PATIENCE, duet.responder.deadline());
    assertEquals(Bye.NO_PROGRESS, duet.responder.overdue());
    duet.now += 10;
    duet.requester.send();
    duet.responder.receive(duet.now);
    assertEquals(duet.now + Duet.PATIENCE, duet.responder.deadline());
    duet.responder.end(Bye.NO_PROGRESS);
    assertEquals(0, duet.region.leases);
    assertTrue(duet.responder.ended());
    assertEquals(Long.MAX_VALUE, duet.responder.deadline());
  }

  @Test
  void anAnswerThatNobodyTakesHasADeadline() {
    var duet = new Duet(200, SIZE, 16, null);
    duet.post(duet.read(0, 0, 5000));
    duet.requester.send();
    duet.responder.receive(duet.now);
    assertEquals(1, duet.region.leases);
    assertEquals(duet.now + Duet.PATIENCE, duet.responder.deadline());
    assertFalse(duet.pipe.right.readable(), "reads on while its answer is stuck");
  }

  @Test
  void aClosedResponderAppliesNothingMore() {
    var duet = new Duet(200, SIZE, 16, null);
    duet.local.fill((byte) 4);
    duet.post(duet.write(0, 0, 1000));
    duet.requester.send();
    duet.responder.receive(duet.now);
    duet.requester.send();
    duet.responder.close();
    duet.responder.fenced(duet.now);
    duet.responder.send(duet.now);
    duet.responder.receive(duet.now);
    assertEquals(0, duet.region.memory.get(ValueLayout.JAVA_BYTE, 999));
    assertEquals(0, duet.region.leases);
  }

  @Test
  void aStreamFullOfWritesAndReadsDoesNotStandStill() {
    for (long seed = 1; seed <= 100; seed++) {
      var dice = new Dice(seed);
      var duet = new Duet(100, SIZE, Requester.depthFor(32), dice);
      for (int i = 0; duet.requester.room() > 0; i++) {
        duet.post(i % 2 == 0 ? duet.write(0, 0, 3000) : duet.read(0, SIZE / 2, 3000));
      }
      duet.settle();
      assertEquals(32, duet.reports.completed, "seed " + seed);
    }
  }

  @Test
  void anAnswerThatFindsRoomAtTheLastMomentDoesNotEndTheServing() {
    for (int length : new int[] {100, 1500}) {
      var duet = new Duet(1024, SIZE, 64, null);
      var pieces = new ArrayList<Piece>();
      for (int i = 0; i < 16; i++) {
        pieces.add(duet.post(duet.read(i * length, i * length, length)));
      }
      duet.pipe.right.whenFull = duet.requester::receive;
      duet.settle();
      for (var piece : pieces) {
        assertEquals(1, piece.ends, "reads of " + length);
        assertNull(piece.fault);
      }
    }
  }
}
