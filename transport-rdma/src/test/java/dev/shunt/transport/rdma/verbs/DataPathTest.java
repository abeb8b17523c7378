package dev.shunt.transport.rdma.verbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.contract.Allocated;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Posting and polling through an operation table whose requests complete as they are posted: what
 * it costs above the same in C, and that it allocates nothing. Both take turns within one process,
 * and the best of many counts, since whatever else runs only adds.
 */
class DataPathTest {
  private static final int ROUNDS = 20_000;
  private static final int REPEATS = 60;

  /** Nanoseconds that one request may take more than in C. */
  private static final double MORE = 60;

  private FakeLibrary fake;
  private FfmQp qp;
  private FfmCq cq;
  private final WorkBatch batch = new WorkBatch(16);

  @BeforeEach
  void open(@TempDir Path directory) {
    fake = FakeLibrary.in(directory);
    var library = fake.library();
    var context = fake.pointer("bare_context", Layouts.CONTEXT_SIZE);
    var postSend = context.get(ADDRESS, Layouts.CONTEXT_POST_SEND);
    var poll = context.get(ADDRESS, Layouts.CONTEXT_POLL_CQ);
    qp = new FfmQp(library, postSend, postSend, fake.pointer("bare_qp", Layouts.QP_SIZE));
    cq = new FfmCq(library, poll, fake.pointer("bare_cq", Layouts.CQ_SIZE));
  }

  private void single(long id) {
    if (qp.post(id, VerbsQp.WRITE, id << 4, 7, 64, id << 5, 9) != 0) {
      throw new AssertionError("refused");
    }
  }

  private void together(long id, int count) {
    for (int i = 0; i < count; i++) {
      batch.add(id + i, VerbsQp.WRITE, (id + i) << 4, 7, 64, (id + i) << 5, 9);
    }
    if (qp.post(batch) != 0) {
      throw new AssertionError("refused");
    }
    batch.clear();
  }

  private void back(long id, int count) {
    for (int seen = 0; seen < count; ) {
      int taken = cq.poll();
      for (int i = 0; i < taken; i++) {
        if (cq.status(i) != 0 || cq.wrId(i) != id + seen++) {
          throw new AssertionError("another one");
        }
      }
    }
  }

  private long rounds(int count) {
    long begin = System.nanoTime();
    for (long round = 0; round < ROUNDS; round++) {
      if (count == 1) {
        single(round);
      } else {
        together(round * count, count);
      }
      back(round * count, count);
    }
    return System.nanoTime() - begin;
  }

  @Test
  void everyFieldArrivesInC() {
    qp.post(0x1122_3344_5566_7788L, VerbsQp.READ, -16, 0x9988_7766, 5, 0x7fff_ffff_ffffL, -3);
    check(0x1122_3344_5566_7788L, VerbsQp.READ, -16, 0x9988_7766, 5, 0x7fff_ffff_ffffL, -3);
    assertEquals(1, cq.poll());
    assertEquals(0x1122_3344_5566_7788L, cq.wrId(0));
    assertEquals(77, cq.qpNumber(0));
    batch.add(1, VerbsQp.WRITE, 2, 3, 4, 5, 6);
    batch.add(-1, VerbsQp.READ, -2, -3, -4, -5, -6);
    assertEquals(0, qp.post(batch));
    check(-1, VerbsQp.READ, -2, -3, -4, -5, -6);
    assertEquals(2, cq.poll());
  }

  private void check(
      long id, int opcode, long address, int lkey, int length, long remote, int rkey) {
    var request = fake.pointer("bare_last", Layouts.SEND_WR_SIZE);
    var range = fake.pointer("bare_range", Layouts.SGE_SIZE);
    assertEquals(id, request.get(JAVA_LONG, Layouts.SEND_WR_WR_ID));
    assertEquals(0, request.get(JAVA_LONG, Layouts.SEND_WR_NEXT));
    assertEquals(1, request.get(JAVA_INT, Layouts.SEND_WR_NUM_SGE));
    assertEquals(opcode, request.get(JAVA_INT, Layouts.SEND_WR_OPCODE));
    assertEquals(Layouts.SEND_SIGNALED, request.get(JAVA_INT, Layouts.SEND_WR_SEND_FLAGS));
    assertEquals(remote, request.get(JAVA_LONG, Layouts.SEND_WR_REMOTE_ADDR));
    assertEquals(rkey, request.get(JAVA_INT, Layouts.SEND_WR_RKEY));
    assertEquals(address, range.get(JAVA_LONG, Layouts.SGE_ADDR));
    assertEquals(length, range.get(JAVA_INT, Layouts.SGE_LENGTH));
    assertEquals(lkey, range.get(JAVA_INT, Layouts.SGE_LKEY));
  }

  @Test
  void postingAndPollingAllocateNothing() {
    for (int count : new int[] {1, 16}) {
      long least = Long.MAX_VALUE;
      for (int repeat = 0; repeat < REPEATS && least > 0; repeat++) {
        long before = Allocated.bytes();
        rounds(count);
        least = Math.min(least, Allocated.bytes() - before);
      }
      assertEquals(0, least, "bytes for " + ROUNDS + " rounds of " + count);
    }
  }

  @Test
  void aRequestTakesLittleMoreThanInC() {
    for (int count : new int[] {1, 16}) {
      double java = Double.MAX_VALUE;
      double c = Double.MAX_VALUE;
      for (int repeat = 0; repeat < REPEATS; repeat++) {
        java = Math.min(java, rounds(count) / (double) ROUNDS / count);
        long taken = fake.bareMeasure(ROUNDS, count);
        assertTrue(taken > 0, "C, too, gets back what it posted: " + taken);
        c = Math.min(c, taken / (double) ROUNDS / count);
      }
      var text =
          String.format(
              Locale.ROOT,
              "post and poll, %d together: Java %.1f ns, C %.1f ns, %.1f ns more",
              count,
              java,
              c,
              java - c);
      System.out.println(text);
      assertTrue(java - c <= MORE, text);
    }
  }
}
