package dev.shunt.api.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Notification;
import dev.shunt.api.spi.RawFrame;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The frame that plain notifications have. */
class RawFrameTest {
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private static MemorySegment frame(byte[] bytes) {
    return MemorySegment.ofArray(bytes);
  }

  @Test
  void theBytesAreThoseOfTheWire() {
    var hex = HexFormat.of().formatHex(RawFrame.of(new Notification("ab", "\u00e9!")));
    assertEquals("02000000" + "6162" + "03000000" + "c3a921", hex);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "\u00e9\u20ac\ud83d\ude00", "\ud83d", "\ude00x", "a\0b"})
  void whatIsWrittenIsReadBack(String text) {
    var notification = new Notification(text, text + text);
    var bytes = RawFrame.of(notification);
    assertEquals(bytes.length, RawFrame.length(notification));
    var back = RawFrame.read(frame(bytes));
    assertArrayEquals(
        text.getBytes(java.nio.charset.StandardCharsets.UTF_8),
        back.name().getBytes(java.nio.charset.StandardCharsets.UTF_8));
    assertEquals(back.name() + back.name(), back.message());
  }

  @Test
  void theLargestFitsAndOneByteMoreDoesNot() {
    var most = new Notification("name", "x".repeat(RawFrame.MAX - 8 - 4));
    assertEquals(RawFrame.MAX, RawFrame.of(most).length);
    assertEquals(most, RawFrame.read(frame(RawFrame.of(most))));
    var more = new Notification("name", "x".repeat(RawFrame.MAX - 8 - 3));
    assertEquals(RawFrame.MAX + 1, RawFrame.length(more));
    assertThrows(IllegalArgumentException.class, () -> RawFrame.of(more));
    assertTrue(RawFrame.check(frame(new byte[RawFrame.MAX + 1])).isPresent());
  }

  @Test
  void whatFollowsTheMessageIsLetPass() {
    var bytes = RawFrame.of(new Notification("n", "m"));
    assertEquals(
        new Notification("n", "m"), RawFrame.read(frame(Arrays.copyOf(bytes, bytes.length + 9))));
  }

  @Test
  void everyLengthThatDoesNotFitIsToldBeforeAnythingIsTaken() {
    var bytes = RawFrame.of(new Notification("name", "message"));
    for (int length = 0; length < bytes.length; length++) {
      var cut = frame(Arrays.copyOf(bytes, length));
      assertTrue(RawFrame.check(cut).isPresent(), "cut to " + length);
      assertThrows(IllegalArgumentException.class, () -> RawFrame.read(cut));
    }
    for (int wrong : new int[] {8, 5, Integer.MAX_VALUE, Integer.MIN_VALUE, -1, -8}) {
      var name = frame(bytes.clone());
      name.set(INT, 0, name.get(INT, 0) == wrong ? 0 : wrong);
      assertTrue(wrong == 5 || RawFrame.check(name).isPresent(), "a name of " + wrong);
      var message = frame(bytes.clone());
      message.set(INT, 8, wrong == 5 ? 8 : wrong);
      assertTrue(RawFrame.check(message).isPresent(), "a message of " + wrong);
    }
  }

  @Test
  void nonsenseIsReadOrRefusedAndNothingElse() {
    long seed = Long.getLong("shunt.frames.seed", System.nanoTime());
    var random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      var bytes = new byte[random.nextInt(40)];
      random.nextBytes(bytes);
      for (int at : new int[] {1, 2, 3, 5, 6, 7}) {
        if (at < bytes.length && random.nextInt(4) > 0) {
          bytes[at] = 0;
        }
      }
      var it = frame(bytes);
      if (RawFrame.check(it).isEmpty()) {
        var read = RawFrame.read(it);
        assertTrue(read.name().length() + read.message().length() <= bytes.length, "seed " + seed);
      }
    }
  }
}
