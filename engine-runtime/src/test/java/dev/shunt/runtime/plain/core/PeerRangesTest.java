package dev.shunt.runtime.plain.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shunt.api.Access;
import dev.shunt.runtime.descriptor.DescribedBuffer;
import dev.shunt.runtime.descriptor.Descriptor;
import dev.shunt.runtime.plain.core.PeerRanges.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PeerRangesTest {
  private static DescribedBuffer buffer(long address, long length, Access access) {
    return new DescribedBuffer(address, length, access, "cpu:0", List.of(7), List.of(), Map.of());
  }

  private static PeerRanges ranges(List<DescribedBuffer> buffers) {
    return PeerRanges.of(new Descriptor("p", "", "p:1", buffers, List.of(), "", Optional.empty()));
  }

  @Test
  void aRangeLiesWithinOneBuffer() {
    var two =
        ranges(
            List.of(
                buffer(1000, 100, Access.REMOTE_READ_WRITE),
                buffer(1100, 100, Access.REMOTE_READ_WRITE)));
    assertEquals(Answer.INSIDE, two.look(1000, 100, true));
    assertEquals(Answer.INSIDE, two.look(1199, 1, false));
    assertEquals(Answer.OUTSIDE, two.look(1050, 100, true), "across two buffers");
    assertEquals(Answer.OUTSIDE, two.look(999, 2, true));
    assertEquals(Answer.OUTSIDE, two.look(1199, 2, true));
    assertEquals(Answer.OUTSIDE, two.look(1000, -1, true));
    assertEquals(Answer.OUTSIDE, two.look(1000, Long.MAX_VALUE, true));
    assertEquals(Answer.OUTSIDE, two.look(-1, 1, true));
    assertEquals(Answer.OUTSIDE, ranges(List.of()).look(0, 1, true));
  }

  @Test
  void whatIsNotAllowedIsToldApartAndAnotherBufferMayAllowIt() {
    var one = List.of(buffer(1000, 100, Access.REMOTE_READ));
    assertEquals(Answer.FORBIDDEN, ranges(one).look(1000, 10, true));
    assertEquals(Answer.INSIDE, ranges(one).look(1000, 10, false));
    var both = List.of(one.getFirst(), buffer(900, 300, Access.REMOTE_WRITE));
    assertEquals(Answer.INSIDE, ranges(both).look(1000, 10, true));
  }

  @Test
  void whereverBuffersOverlapItAnswersAsOneWouldByLookingAtEach() {
    var random = new SplittableRandom(3);
    for (int round = 0; round < 300; round++) {
      var buffers = new ArrayList<DescribedBuffer>();
      int count = random.nextInt(12);
      for (int i = 0; i < count; i++) {
        var access = Access.values()[1 + random.nextInt(3)];
        buffers.add(buffer(random.nextInt(60), 1 + random.nextInt(40), access));
      }
      var ranges = ranges(buffers);
      for (int i = 0; i < 100; i++) {
        long at = random.nextInt(100);
        long length = 1 + random.nextInt(30);
        boolean write = random.nextBoolean();
        var expected = Answer.OUTSIDE;
        for (var one : buffers) {
          if (one.contains(at, length) && expected != Answer.INSIDE) {
            boolean may = write ? one.access().writable() : one.access().readable();
            expected = may ? Answer.INSIDE : Answer.FORBIDDEN;
          }
        }
        assertEquals(expected, ranges.look(at, length, write), "seed 3, round " + round);
      }
    }
  }
}
