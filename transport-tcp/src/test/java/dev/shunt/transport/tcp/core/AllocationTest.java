package dev.shunt.transport.tcp.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class AllocationTest {
  private static final int ROUNDS = 20_000;
  private static final int SLICES = 32;

  @Test
  void aSliceCostsNoHeapAtEitherEnd() {
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    var duet =
        new Duet(
            Arena.ofAuto(),
            16 << 10,
            64 << 10,
            new StreamLimits(2, 64, 64 << 10, 512, 1000, 1 << 20, true),
            4096,
            null);
    var pieces = new Piece[SLICES];
    for (int i = 0; i < SLICES; i++) {
      long length = i % 4 < 2 ? 100 : 2000;
      pieces[i] = i % 2 == 0 ? duet.write(0, 0, length) : duet.read(0, 0, length);
    }
    rounds(duet, pieces);
    long before = threads.getCurrentThreadAllocatedBytes();
    rounds(duet, pieces);
    long after = threads.getCurrentThreadAllocatedBytes();
    long slices = (long) ROUNDS * SLICES;
    assertEquals(2 * slices, duet.reports.completed);
    // What the measurement itself and the compiler's odd boxing cost is far below a byte each.
    assertTrue(after - before < slices / 100, (after - before) + " bytes for " + slices);
  }

  private static void rounds(Duet duet, Piece[] pieces) {
    for (int round = 0; round < ROUNDS; round++) {
      for (var piece : pieces) {
        duet.post(piece);
      }
      duet.settle();
    }
  }
}
