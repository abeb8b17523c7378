package dev.shunt.transport.tcp.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.sim.Dice;
import dev.shunt.api.spi.Fault;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/** With {@code tcp.crc32c} no payload that was damaged on its way counts as arrived. */
class ChecksumTest {
  private static final int SIZE = 64 << 10;

  @Test
  void aDamagedWriteFailsAloneHoweverItIsSent() {
    for (int length : new int[] {1, 100, 5000}) {
      for (int bad = 0; bad < length; bad += Math.max(1, length / 5)) {
        var duet = Duet.checked(32 << 10, SIZE, 0, null);
        var before = duet.post(duet.write(0, 0, length));
        var damaged = duet.post(duet.write(0, 6000, length));
        var after = duet.post(duet.write(0, 12_000, length));
        duet.requester.send();
        duet.pipe.left.out.damage(2L * Frame.HEADER + length + bad);
        duet.settle();
        assertNull(before.fault);
        assertNull(after.fault);
        assertEquals(1, after.ends);
        assertEquals(FailureCode.CHECKSUM, damaged.fault.code());
        assertEquals(Fault.Blame.REMOTE, damaged.fault.blame());
        assertEquals(Fault.Effect.POSSIBLE, damaged.fault.effect(), "it was applied as it came");
        assertTrue(damaged.fault.text().contains("time 1"), damaged.fault.text());
        assertTrue(duet.requester.fault().isEmpty());
        assertEquals(0, duet.region.leases);
      }
    }
  }

  @Test
  void aDamagedReadFailsAloneHoweverItIsSent() {
    for (int length : new int[] {1, 100, 5000}) {
      for (int bad = 0; bad < length; bad += Math.max(1, length / 5)) {
        var duet = Duet.checked(32 << 10, SIZE, 0, null);
        var damaged = duet.post(duet.read(0, 0, length));
        var after = duet.post(duet.read(8000, 8000, length));
        duet.requester.send();
        duet.responder.receive(duet.now);
        duet.pipe.right.out.damage(Frame.HEADER + bad);
        duet.settle();
        assertEquals(1, damaged.ends);
        assertEquals(FailureCode.CHECKSUM, damaged.fault.code());
        assertEquals(Fault.Effect.NONE, damaged.fault.effect());
        assertTrue(damaged.fault.text().contains("should be"), damaged.fault.text());
        assertNull(after.fault);
        assertEquals(1, after.ends);
      }
    }
  }

  @Test
  void whatIsWholeArrivesWholeInPiecesOfAllSizes() {
    for (long seed = 1; seed <= 200; seed++) {
      var dice = new Dice(seed);
      var duet = Duet.checked((int) dice.between(1, 8 << 10), SIZE, dice.below(4000), dice);
      for (long at = 0; at < SIZE; at += 8) {
        duet.local.set(ValueLayout.JAVA_LONG, at, dice.next());
      }
      var pieces = new ArrayList<Piece>();
      for (long at = 0; at < SIZE / 2 && duet.requester.room() > 0; ) {
        long length = Math.min(SIZE / 2 - at, dice.between(1, 3000));
        pieces.add(duet.post(duet.write(at, at, length)));
        at += length;
      }
      duet.settle();
      for (var piece : pieces) {
        assertEquals(1, piece.ends, "seed " + seed);
        assertNull(piece.fault, "seed " + seed);
      }
    }
  }

  @Test
  void withoutTheAgreementADamagedWriteGoesUnnoticed() {
    var duet = new Duet(32 << 10, SIZE, 16, null);
    var damaged = duet.post(duet.write(0, 0, 5000));
    duet.requester.send();
    duet.pipe.left.out.damage(Frame.HEADER + 4000);
    duet.settle();
    assertNull(damaged.fault, "the tests around this one prove nothing");
  }

  @Test
  void aPayloadWithoutItsChecksumBreaksTheStream() {
    var duet = Duet.checked(4096, SIZE, 0, null);
    var raw = Duet.buffer(256);
    raw.put(0, Frame.WRITE, 0, 1, duet.region.memory.address(), 8, OneRegion.KEY);
    duet.pipe.left.write(raw.memory(), 0, Frame.HEADER + 8);
    duet.responder.receive(duet.now);
    assertEquals(Bye.BAD_HEADER, duet.responder.end());

    duet = Duet.checked(4096, SIZE, 0, null);
    duet.post(duet.read(0, 0, 8));
    duet.requester.send();
    raw.put(0, Frame.DATA, 0, 1, 0, 8, 0);
    duet.pipe.right.write(raw.memory(), 0, Frame.HEADER + 8);
    duet.requester.receive();
    assertEquals(FailureCode.PROTOCOL, duet.requester.fault().orElseThrow().code());
  }

  @Test
  void aChecksumThatWasNotAgreedOnBreaksTheStream() {
    var duet = new Duet(4096, SIZE, 16, null);
    var raw = Duet.buffer(256);
    raw.put(0, Frame.WRITE, 0, 1, duet.region.memory.address(), 8, OneRegion.KEY);
    raw.putChecksum(0, 77);
    duet.pipe.left.write(raw.memory(), 0, Frame.HEADER + 8);
    duet.responder.receive(duet.now);
    assertEquals(Bye.BAD_HEADER, duet.responder.end());

    duet = new Duet(4096, SIZE, 16, null);
    var write = duet.post(duet.write(0, 0, 8));
    duet.requester.send();
    raw.put(0, Frame.ACK, Frame.DAMAGED, 1, 1, 0, 0);
    duet.pipe.right.write(raw.memory(), 0, Frame.HEADER);
    duet.requester.receive();
    assertEquals(FailureCode.PROTOCOL, duet.requester.fault().orElseThrow().code());
    assertEquals(0, write.ends);
  }

  @Test
  void viewsReachAllOfALargeMemory() {
    var memory = Arena.ofAuto().allocate((1L << 30) + 8192);
    var views = new Views();
    var sum = new Checksum(views);
    long at = (1L << 30) - 4096;
    memory.asSlice(at, 8192).fill((byte) 7);
    var small = Arena.ofAuto().allocate(8192).fill((byte) 7);
    assertEquals(sum.of(small, 0, 8192), sum.of(memory, at, 8192));
  }
}
