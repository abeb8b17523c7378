package dev.shunt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Bytes that can be told from others. */
class PayloadTest {
  @Test
  void theChecksumIsCrc32c() {
    try (var arena = Arena.ofConfined()) {
      var memory = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes("123456789"));
      assertEquals("e3069283", Payload.checksum(memory));
    }
  }

  @Test
  void aSeedGivesTheSameBytesAndAnotherSeedOthers() {
    try (var arena = Arena.ofConfined()) {
      var memory = arena.allocate(4099);
      Payload.fill(memory, 1);
      var first = Payload.checksum(memory);
      Payload.fill(memory, 2);
      assertNotEquals(first, Payload.checksum(memory));
      Payload.fill(memory, 1);
      assertEquals(first, Payload.checksum(memory));
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
