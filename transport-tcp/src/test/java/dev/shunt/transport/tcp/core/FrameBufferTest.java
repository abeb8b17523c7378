package dev.shunt.transport.tcp.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.sim.Dice;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class FrameBufferTest {
  private final FrameBuffer buffer = Duet.buffer(256);

  @Test
  void aHeaderComesBackAsItWasPut() {
    var dice = new Dice(1);
    for (int i = 0; i < 10_000; i++) {
      int at = (int) dice.below(256 - Frame.HEADER + 1);
      int type = (int) dice.below(256);
      int status = (int) dice.below(65536);
      long id = dice.next();
      long first = dice.next();
      long second = dice.next();
      long key = dice.next();
      buffer.put(at, type, status, id, first, second, key);
      assertTrue(buffer.intact(at));
      assertEquals(type, buffer.type(at));
      assertEquals(0, buffer.flags(at));
      assertEquals(status, buffer.status(at));
      assertEquals(id, buffer.id(at));
      assertEquals(first, buffer.first(at));
      assertEquals(second, buffer.second(at));
      assertEquals(key, buffer.key(at));
    }
  }

  @Test
  void eachFlippedBitOfAHeaderIsSeen() {
    for (int bit = 0; bit < Frame.HEADER * 8; bit++) {
      buffer.put(16, Frame.WRITE, 0, 3, 0x7f00_0000_1000L, 4096, 7);
      byte old = buffer.memory().get(ValueLayout.JAVA_BYTE, 16 + bit / 8);
      buffer.memory().set(ValueLayout.JAVA_BYTE, 16 + bit / 8, (byte) (old ^ 1 << bit % 8));
      assertFalse(buffer.intact(16), "bit " + bit);
    }
  }
}
