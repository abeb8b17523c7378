package dev.shunt.transport.tcp.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.shunt.api.sim.Dice;
import dev.shunt.api.spi.LinkId;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/**
 * Streams of good frames, damaged at random, for each end, held against what the specification
 * makes of them: nothing illegal is accepted, no byte lands elsewhere, and nothing is allocated
 * because a peer says so. A failure names its seed; {@code -Dmutation.seed=N} plays one.
 */
class MutationTest {
  private static final int SEEDS = Integer.getInteger("mutation.seeds", 70_000);
  private static final long ONLY = Long.getLong("mutation.seed", -1);
  private static final int SIZE = 4096;

  /**
   * Heap bytes that one damaged stream may cost: some texts, and the first time what makes them.
   */
  private static final long MOST_HEAP = 1 << 20;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final MemorySegment model = Arena.ofAuto().allocate(SIZE, 8);
  private final MemorySegment slab = Arena.ofAuto().allocate(16 * SIZE, 8);
  private final FrameBuffer stream = Duet.buffer(64 << 10);
  private final MemorySegment sink = Duet.buffer(4 * SIZE).memory();
  private long frames;
  private StreamLimits limits;

  @Test
  void aResponderTakesWhateverComes() {
    for (long seed = first(); seed < end(); seed++) {
      var dice = new Dice(seed);
      var duet = duet(dice);
      duet.region.memory.fill((byte) 0x5a);
      long length = requests(duet, dice);
      var oracle = new RequestOracle(duet.region, limits, model);
      oracle.read(stream.memory(), length);
      long before = threads.getCurrentThreadAllocatedBytes();
      feed(duet, length, dice);
      long heap = threads.getCurrentThreadAllocatedBytes() - before;
      assertEquals(oracle.end, duet.responder.end(), "seed " + seed);
      assertEquals(-1, oracle.memory.mismatch(duet.region.memory), "seed " + seed);
      assertTrue(heap < MOST_HEAP, "seed " + seed + ": " + heap + " heap bytes");
      duet.responder.close();
      assertEquals(0, duet.region.leases, "seed " + seed);
    }
    enough();
  }

  private void feed(Duet duet, long length, Dice dice) {
    for (long at = 0; !duet.responder.ended(); ) {
      long most = Math.min(length - at, dice.between(1, 999));
      at += most > 0 ? duet.pipe.left.write(stream.memory(), at, most) : 0;
      duet.responder.receive(duet.now);
      long answers = duet.pipe.left.read(sink, 0, sink.byteSize());
      if (!duet.responder.ended()) {
        duet.responder.send(duet.now);
      }
      if (at == length && answers <= 0 && duet.pipe.right.in.size() == 0) {
        return;
      }
    }
  }

  @Test
  void aRequesterTakesWhateverComes() {
    for (long seed = first(); seed < end(); seed++) {
      var dice = new Dice(seed);
      var duet = duet(dice);
      var pieces = new ArrayList<Piece>();
      int requests = (int) dice.between(1, 8);
      for (int i = 0; i < requests; i++) {
        boolean write = dice.permille(500);
        pieces.add(duet.post(duet.piece(write, 0, 0, dice.between(1, 600), OneRegion.KEY)));
      }
      do {
        duet.requester.send();
        duet.pipe.right.read(sink, 0, sink.byteSize());
      } while (duet.pipe.left.wantsWrite);
      long length = answers(pieces, dice);
      var oracle = new AnswerOracle(pieces, limits.checksums());
      oracle.read(stream.memory(), length);
      long before = threads.getCurrentThreadAllocatedBytes();
      for (long at = 0; at < length && duet.requester.fault().isEmpty(); ) {
        at +=
            duet.pipe.right.write(stream.memory(), at, Math.min(length - at, dice.between(1, 999)));
        while (duet.pipe.left.in.size() > 0 && duet.requester.fault().isEmpty()) {
          duet.requester.receive();
        }
      }
      long heap = threads.getCurrentThreadAllocatedBytes() - before;
      assertTrue(heap < MOST_HEAP, "seed " + seed + ": " + heap + " heap bytes");
      assertEquals(oracle.broken, duet.requester.fault().isPresent(), "seed " + seed);
      judge(pieces, oracle, seed);
      duet.requester.end(Refusals.fault(pieces.getFirst(), 1));
      duet.requester.abandon();
      pieces.forEach(it -> assertEquals(1, it.ends));
    }
    enough();
  }

  private static void judge(ArrayList<Piece> pieces, AnswerOracle oracle, long seed) {
    for (int i = 0; i < pieces.size(); i++) {
      assertEquals(i < oracle.answered ? 1 : 0, pieces.get(i).ends, "seed " + seed + " of " + i);
      if (i < oracle.answered) {
        assertEquals(oracle.good(i), pieces.get(i).fault == null, "seed " + seed + " of " + i);
      }
    }
  }

  private static long first() {
    return Math.max(0, ONLY);
  }

  private static long end() {
    return ONLY < 0 ? SEEDS : ONLY + 1;
  }

  private void enough() {
    assertTrue(ONLY >= 0 || frames >= 3L * SEEDS, frames + " frames");
  }

  private Duet duet(Dice dice) {
    var reused = SegmentAllocator.slicingAllocator(slab);
    int version = dice.permille(300) ? 1 : 2;
    limits = new StreamLimits(version, 16, SIZE, 256, 0, SIZE, dice.permille(500));
    return new Duet(reused, SIZE, SIZE, limits, 700, dice);
  }

  private long requests(Duet duet, Dice dice) {
    long at = 0;
    int count = (int) dice.between(1, 8);
    for (int i = 1; i <= count; i++) {
      int type = dice.permille(100) ? Frame.PING : (int) dice.between(1, 3);
      long length = dice.between(0, 600);
      long first = duet.region.memory.address() + dice.below(SIZE);
      if (type == Frame.FENCE) {
        var stale = new LinkId(Duet.LINK.generation(), dice.between(1, 20));
        put(at, type, i, stale.generation(), stale.attempt(), dice);
        at += Frame.HEADER;
      } else {
        put(at, type, i, first, length, dice);
        at += Frame.HEADER + (type == Frame.WRITE ? length : 0);
      }
    }
    frames += count;
    return damaged(at, dice);
  }

  private void put(long at, int type, long id, long first, long second, Dice dice) {
    int strange = dice.permille(50) ? (int) dice.below(256) : type;
    long away = dice.permille(50) ? dice.next() : second;
    long key = dice.permille(30) ? dice.below(9) : OneRegion.KEY;
    stream.put(at, strange, 0, dice.permille(30) ? dice.next() : id, first, away, key);
    if (limits.checksums() == (type == Frame.WRITE)
        && dice.permille(limits.checksums() ? 970 : 10)) {
      // Writes have none: whether it fits makes no difference to what is accepted.
      stream.putChecksum(at, (int) dice.next());
    }
  }

  private long answers(ArrayList<Piece> pieces, Dice dice) {
    long at = 0;
    for (int i = 0; i < pieces.size(); i++) {
      var piece = pieces.get(i);
      int status = dice.permille(800) ? 0 : (int) dice.below(6);
      int type = piece.write() ? Frame.ACK : Frame.DATA;
      long length = piece.write() || status != 0 ? 0 : piece.length();
      long count = dice.permille(30) ? dice.between(-1, 4) : 1;
      stream.put(at, type, status, i + 1, piece.write() ? count : 0, length, 0);
      if (type == Frame.DATA && status == 0 && limits.checksums() == dice.permille(970)) {
        int sum = stream.crc(at + Frame.HEADER, (int) length);
        stream.putChecksum(at, dice.permille(950) ? sum : sum + 1);
      }
      at += Frame.HEADER + length;
    }
    frames += pieces.size();
    return damaged(at, dice);
  }

  private long damaged(long length, Dice dice) {
    long flips = dice.permille(400) ? 0 : dice.between(1, 4);
    for (long i = 0; i < flips; i++) {
      long at = dice.below(length);
      byte old = stream.memory().get(ValueLayout.JAVA_BYTE, at);
      stream.memory().set(ValueLayout.JAVA_BYTE, at, (byte) (old ^ 1 << dice.below(8)));
    }
    assertTrue(length <= stream.capacity());
    return dice.permille(200) ? dice.below(length) : length;
  }
}
