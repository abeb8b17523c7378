package dev.shunt.runtime.transfer.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SlicerTest {
  @Test
  void aShortRequestIsOneSlice() {
    assertEquals(1, Slicer.next(1, 65_536, 65_536));
    assertEquals(65_536, Slicer.next(65_536, 65_536, 65_536));
  }

  @Test
  void theLastPieceGoesAlongOnlyWhereTheTransportTakesIt() {
    assertEquals(65_537, Slicer.next(65_537, 65_536, 1 << 20));
    assertEquals(65_536, Slicer.next(65_537, 65_536, 65_536));
    assertEquals(81_920, Slicer.next(81_920, 65_536, 1 << 20));
    assertEquals(65_536, Slicer.next(81_921, 65_536, 1 << 20));
  }

  @Test
  void slicesAddUpAndKeepTheirBounds() {
    var random = new SplittableRandom(11);
    for (int i = 0; i < 10_000; i++) {
      var size = random.nextLong(1, 10_000);
      var most = size + random.nextLong(0, 5_000);
      var length = random.nextLong(1, 1 << 20);
      long sum = 0;
      while (sum < length) {
        var next = Slicer.next(length - sum, size, most);
        assertTrue(next >= 1 && next <= most && next <= length - sum);
        sum += next;
      }
      assertEquals(length, sum);
    }
  }
}
