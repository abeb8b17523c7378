package dev.shunt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.TypeConversionException;

/** Numbers with their units, both ways. */
class UnitsTest {
  @Test
  void showsThreeDigitsThatCount() {
    assertEquals("64 MiB", Units.bytes(64 << 20));
    assertEquals("1.46 GiB/s", Units.rate(1.46 * (1L << 30), 1_000_000_000L));
    assertEquals("0 B", Units.bytes(0));
    assertEquals("830 us", Units.nanos(830_000));
    assertEquals("12.5 s", Units.nanos(12.5e9));
    assertEquals("100 ns", Units.nanos(100));
    assertEquals("12,000 requests", Units.count(12_000, "request"));
    assertEquals("1 request", Units.count(1, "request"));
  }

  @Test
  void readsWhatConfigurationReads() {
    assertEquals(64 << 10, ByteSize.parse("64KiB").bytes());
    assertEquals(1_000_000, ByteSize.parse("1MB").bytes());
    assertEquals(Duration.ofMillis(500), Units.duration("500ms"));
  }

  @Test
  void refusesNumbersWithoutUnitAndSaysWhatWouldBeRight() {
    for (var text : List.of("12", "", "MiB", "-1MiB", "0B", "1 light year", "99999999999999EiB")) {
      var thrown = assertThrows(TypeConversionException.class, () -> ByteSize.parse(text), text);
      assertTrue(thrown.getMessage().contains("64KiB"), thrown.getMessage());
    }
    for (var text : List.of("12", "", "s", "-1s", "0s", "1MiB")) {
      var thrown = assertThrows(TypeConversionException.class, () -> Units.duration(text), text);
      assertTrue(thrown.getMessage().contains("500ms"), thrown.getMessage());
    }
  }
}
