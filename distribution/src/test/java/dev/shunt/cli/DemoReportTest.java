package dev.shunt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class DemoReportTest {
  private static final long SECOND = 1_000_000_000L;
  private static final DemoReport.Checksums GOOD = new DemoReport.Checksums("1", "1", "1");

  private static DemoFault.Part part(long one, long two) {
    var byRail = new TreeMap<>(Map.of("127.0.0.1", one, "127.0.0.2", two));
    return new DemoFault.Part(one + two, SECOND, byRail);
  }

  private static DemoReport report(
      DemoReport.Checksums checksums, Optional<DemoFault.Told> fault, Optional<String> noFault) {
    var node = new DemoReport.Node("127.0.0.1:1", 1, "this process");
    return new DemoReport(
        1 << 20, 1 << 10, SECOND, SECOND, checksums, 1, List.of(node), List.of(), fault, noFault);
  }

  @Test
  void bytesThatDifferedOnceAreNotVerifiedByLaterOnes() {
    var bad = new DemoReport.Checksums("1", "2", "1");
    assertFalse(bad.and(GOOD).equal());
    assertFalse(GOOD.and(bad).equal());
    assertTrue(GOOD.and(new DemoReport.Checksums("3", "3", "3")).equal());
  }

  @Test
  void theFaultIsToldInRatesAndPartsOfRails() {
    var told =
        new DemoFault.Told(
            true,
            part(50 << 20, 50 << 20),
            part(99 << 20, 1 << 20),
            SECOND / 20,
            7,
            Optional.of(SECOND / 2),
            part(60 << 20, 40 << 20));
    var report = report(GOOD, Optional.of(told), Optional.empty());
    var text = String.join("\n", report.toLines());
    assertTrue(text.contains("  before    100 MiB/s      127.0.0.1 50 %, 127.0.0.2 50 %"), text);
    assertTrue(
        text.contains("with blocks on their way; 7 slices sent again, longest gap 50"), text);
    assertTrue(text.contains("  without   100 MiB/s      127.0.0.1 99 %, 127.0.0.2 1 %"), text);
    assertTrue(text.contains("the rail carried something 500 ms later"), text);
    assertTrue(text.contains("  after     100 MiB/s      127.0.0.1 60 %, 127.0.0.2 40 %"), text);
    report.toLines().forEach(line -> assertTrue(line.length() <= 100, line));
    var fault = (Map<?, ?>) report.toMap().get("fault");
    assertEquals(500.0, fault.get("returned_after_ms"));
    assertEquals(7L, fault.get("slices_redone"));
  }

  @Test
  void whereThereIsNoneItsReasonIsTold() {
    var report = report(GOOD, Optional.empty(), Optional.of("no cable"));
    assertTrue(report.toLines().contains("fault       none shown: no cable"), report.toString());
    assertEquals(Map.of("none", "no cable"), report.toMap().get("fault"));
  }
}
