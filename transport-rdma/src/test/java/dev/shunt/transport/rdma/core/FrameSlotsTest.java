package dev.shunt.transport.rdma.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.spi.NotifyFrame;
import dev.shunt.transport.rdma.testing.TestFrame;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FrameSlotsTest {
  private static NotifyFrame frame() {
    return new TestFrame("", 0);
  }

  @Test
  void whatIsGivenUpComesInTheOrderOfSendingAndKeepsItsSlot() {
    var slots = new FrameSlots(4);
    slots.add(3);
    assertEquals(1, slots.growth());
    var frames = new NotifyFrame[] {frame(), frame(), frame()};
    var at = new int[3];
    for (int i = 0; i < 3; i++) {
      at[i] = slots.take(frames[i]);
    }
    assertEquals(0, slots.room());
    assertSame(frames[1], slots.release(at[1]), "out of order");
    assertSame(frames[0], slots.giveUpOldest());
    assertSame(frames[2], slots.giveUpOldest());
    assertNull(slots.giveUpOldest());
    assertEquals(0, slots.pending());
    assertEquals(2, slots.taken(), "the device still has them");
    assertTrue(slots.holds(at[0]));
    assertNull(slots.release(at[0]));
    assertFalse(slots.holds(at[0]));
    assertFalse(slots.holds(-1));
    assertFalse(slots.holds(3));
  }

  @Test
  void slotsThatComeLaterAreUsedLikeTheFirst() {
    for (long seed = 0; seed < 50; seed++) {
      var random = new Random(seed);
      var slots = new FrameSlots(16);
      slots.add(2);
      var under = new ArrayDeque<NotifyFrame>();
      var places = new HashMap<NotifyFrame, Integer>();
      for (int i = 0; i < 500; i++) {
        if (slots.growth() > 0 && random.nextInt(20) == 0) {
          slots.add(Math.min(slots.size(), slots.growth()));
        }
        if (slots.room() > 0 && random.nextBoolean()) {
          var frame = frame();
          under.add(frame);
          places.put(frame, slots.take(frame));
        } else if (!under.isEmpty()) {
          var oldest = under.poll();
          assertSame(oldest, slots.release(places.get(oldest)), "seed " + seed);
        }
        assertEquals(under.size(), slots.pending(), "seed " + seed);
        assertEquals(slots.size(), slots.room() + slots.taken(), "seed " + seed);
      }
    }
  }
}
