package dev.shunt.transport.tcp.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.sim.Dice;
import dev.shunt.api.spi.LinkId;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/** Bytes of a good stream, damaged at random, for each end; a failure names its seed. */
class MutationTest {
  private static final int SEEDS = Integer.getInteger("mutation.seeds", 50_000);
  private static final int SIZE = 4096;

  @Test
  void aResponderTakesWhateverComes() {
    for (long seed = 0; seed < SEEDS; seed++) {
      var dice = new Dice(seed);
      var duet = duet(dice);
      duet.region.memory.asSlice(SIZE / 2).copyFrom(untouched);
      long length = requests(duet, dice);
      for (long at = 0; at < length; ) {
        at +=
            duet.pipe.left.write(stream.memory(), at, Math.min(length - at, dice.between(1, 999)));
        duet.responder.receive(duet.now);
        duet.pipe.left.read(sink, 0, sink.byteSize());
        if (duet.responder.ended()) {
          break;
        }
        duet.responder.send(duet.now);
      }
      if (dice.permille(500)) {
        duet.responder.end(Bye.CLOSING);
      } else {
        duet.responder.close();
      }
      assertEquals(0, duet.region.leases, "seed " + seed);
      long touched = untouched.mismatch(duet.region.memory.asSlice(SIZE / 2));
      assertEquals(-1, touched, "seed " + seed);
    }
  }

  @Test
  void aRequesterTakesWhateverComes() {
    for (long seed = 0; seed < SEEDS; seed++) {
      var dice = new Dice(seed);
      var duet = duet(dice);
      var pieces = new ArrayList<Piece>();
      int requests = (int) dice.between(1, 8);
      for (int i = 0; i < requests; i++) {
        boolean write = dice.permille(500);
        pieces.add(duet.post(duet.piece(write, 0, 0, dice.between(1, 600), OneRegion.KEY)));
      }
      duet.requester.send();
      long length = answers(pieces, dice);
      for (long at = 0; at < length && duet.requester.fault().isEmpty(); ) {
        at +=
            duet.pipe.right.write(stream.memory(), at, Math.min(length - at, dice.between(1, 999)));
        duet.requester.receive();
        duet.pipe.right.read(sink, 0, sink.byteSize());
        duet.requester.send();
      }
      duet.requester.end(Refusals.fault(pieces.getFirst(), 1));
      duet.requester.abandon();
      for (var piece : pieces) {
        assertEquals(1, piece.ends, "seed " + seed);
      }
    }
  }

  private final MemorySegment untouched = Arena.ofAuto().allocate(SIZE / 2).fill((byte) 0x5a);
  private final MemorySegment slab = Arena.ofAuto().allocate(8 * SIZE, 8);
  private final FrameBuffer stream = Duet.buffer(64 << 10);
  private final MemorySegment sink = Duet.buffer(SIZE).memory();

  private Duet duet(Dice dice) {
    var reused = SegmentAllocator.slicingAllocator(slab);
    return new Duet(
        reused, SIZE, SIZE, new StreamLimits(2, 16, SIZE, 256, 0, SIZE, false), 700, dice);
  }

  private long requests(Duet duet, Dice dice) {
    long at = 0;
    int frames = (int) dice.between(1, 8);
    for (int i = 1; i <= frames; i++) {
      int type = (int) dice.between(1, 3);
      long length = dice.between(0, 600);
      long first = duet.region.memory.address() + dice.below(SIZE);
      if (type == Frame.FENCE) {
        var stale = new LinkId(Duet.LINK.generation(), dice.between(1, 20));
        at = put(at, type, i, stale.generation(), stale.attempt(), dice);
      } else {
        at = put(at, type, i, first, length, dice) + (type == Frame.WRITE ? length : 0);
      }
    }
    return damaged(at, dice);
  }

  private long answers(ArrayList<Piece> pieces, Dice dice) {
    long at = 0;
    for (int i = 0; i < pieces.size(); i++) {
      var piece = pieces.get(i);
      int status = dice.permille(800) ? 0 : (int) dice.below(5);
      int type = piece.write() ? Frame.ACK : Frame.DATA;
      long length = piece.write() || status != 0 ? 0 : piece.length();
      stream.put(at, type, status, i + 1, piece.write() ? 1 : 0, length, 0);
      at += Frame.HEADER + length;
    }
    return damaged(at, dice);
  }

  private long put(long at, int type, long id, long first, long second, Dice dice) {
    int strange = dice.permille(50) ? (int) dice.below(256) : type;
    long away = dice.permille(50) ? dice.next() : second;
    stream.put(at, strange, 0, dice.permille(30) ? dice.next() : id, first, away, OneRegion.KEY);
    return at + Frame.HEADER;
  }

  private long damaged(long length, Dice dice) {
    long flips = dice.permille(500) ? 0 : dice.between(1, 4);
    for (long i = 0; i < flips; i++) {
      long at = dice.below(length);
      byte old = stream.memory().get(ValueLayout.JAVA_BYTE, at);
      stream.memory().set(ValueLayout.JAVA_BYTE, at, (byte) (old ^ 1 << dice.below(8)));
    }
    assertTrue(length <= stream.capacity());
    return dice.permille(200) ? dice.below(length) : length;
  }
}
