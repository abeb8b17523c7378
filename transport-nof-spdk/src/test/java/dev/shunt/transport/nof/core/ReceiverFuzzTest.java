package dev.shunt.transport.nof.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Whatever a target sends, a queue ends its commands once, and writes only where a read may. */
class ReceiverFuzzTest {
  private static final long SEEDS = 1500;

  @Test
  void noStreamMakesAQueueThrowOrWriteAstray() {
    for (long seed = 0; seed < SEEDS; seed++) {
      try {
        run(seed);
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  private static void run(long seed) {
    var random = new SplittableRandom(seed);
    boolean digests = random.nextBoolean();
    var probe = new QueueProbe(QueueProbe.setup(1, 16, 4096, digests));
    probe.begin(random.nextInt(32), digests ? random.nextInt(4) : 0, 4096);
    var guarded = probe.arena.allocate(3 * 65536).fill((byte) 0x5a);
    var commands = 1 + random.nextInt(10);
    var ids = new int[commands];
    for (int i = 0; i < commands; i++) {
      probe.post("c" + i, random.nextInt(3) == 0, guarded, 65536, 512L << random.nextInt(7));
      var sent = probe.out();
      ids[i] = QueueProbe.id(sent);
    }
    var stream = new ByteArrayOutputStream();
    for (int i = 0; i < 30; i++) {
      stream.writeBytes(some(random, ids));
    }
    var bytes = stream.toByteArray();
    for (int i = random.nextInt(4); i > 0; i--) {
      bytes[random.nextInt(Math.min(bytes.length, 4096))] ^= (byte) (1 << random.nextInt(8));
    }
    probe.feed(bytes, random.nextBoolean() ? 1 + random.nextInt(100) : Integer.MAX_VALUE);
    probe.out();
    probe.queue.tick(Long.MAX_VALUE - 1);
    untouched(guarded, 0, 65536);
    untouched(guarded, 131072, 65536);
    for (int i = 0; i < commands; i++) {
      var name = "c" + i + " ";
      assertEquals(
          1,
          probe.events.stream().filter(e -> e.contains(" " + name)).count(),
          probe.events::toString);
    }
    assertTrue(probe.events.stream().filter(e -> e.startsWith("over")).count() <= 1);
  }

  private static void untouched(MemorySegment memory, long from, long length) {
    for (long i = from; i < from + length; i += 8) {
      assertEquals(0x5a5a5a5a5a5a5a5aL, memory.get(ValueLayout.JAVA_LONG, i), "at " + i);
    }
  }

  private static byte[] some(SplittableRandom random, int[] ids) {
    int id = random.nextInt(20) == 0 ? random.nextInt(65536) : ids[random.nextInt(ids.length)];
    int from = 512 * random.nextInt(4) * random.nextInt(2);
    return switch (random.nextInt(5)) {
      case 0 -> QueueProbe.completion(id, random.nextInt(4) == 0 ? 0x80 : 0, 0).array();
      case 1 -> QueueProbe.r2t(id, random.nextInt(65536), from, 512 << random.nextInt(8)).array();
      case 2 -> {
        int flags = random.nextInt(16);
        yield QueueProbe.c2h(flags & 12, id, from, new byte[512 << random.nextInt(7)]).array();
      }
      case 3 -> {
        int flags = Pdu.LAST | Pdu.SUCCESS;
        yield QueueProbe.c2h(flags, id, 0, new byte[512 << random.nextInt(7)]).array();
      }
      default -> {
        var noise = new byte[random.nextInt(random.nextInt(10) == 0 ? 200 : 1) + 0];
        random.nextBytes(noise);
        yield noise;
      }
    };
  }
}
