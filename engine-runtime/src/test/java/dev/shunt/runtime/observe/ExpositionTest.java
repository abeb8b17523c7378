package dev.shunt.runtime.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.shunt.api.Operation;
import org.junit.jupiter.api.Test;

class ExpositionTest {
  private final Exposition out = new Exposition();

  private String samples() {
    return out.text().replaceAll("(?m)^#.*\n", "");
  }

  @Test
  void aFamilyHasHelpTypeAndSamples() {
    out.family(Metric.RAILS);
    out.sample(2, "tcp", "active");
    assertEquals(
        """
        # HELP shunt_rails Rails of this node
        # TYPE shunt_rails gauge
        shunt_rails{transport="tcp",state="active"} 2
        """,
        out.text());
  }

  @Test
  void whatANameHoldsStaysInItsLabel() {
    out.family(Metric.NODE_INFO);
    out.sample(1, "a\"} 5\nshunt_x{y=\"\\", "7");
    assertEquals(
        "shunt_node_info{node=\"a\\\"} 5\\nshunt_x{y=\\\"\\\\\",generation=\"7\"} 1\n", samples());
  }

  @Test
  void aLabelTooManyIsADefect() {
    out.family(Metric.READY);
    assertThrows(IllegalArgumentException.class, () -> out.sample(1, "x"));
  }

  @Test
  void fractionsHaveNoExponent() {
    out.family(Metric.START_TIME);
    out.sample(1.764450000123e9);
    assertEquals("shunt_node_start_time_seconds 1764450000.123\n", samples());
    assertEquals("0.00005", Exposition.decimal(50_000 / 1e9));
    assertEquals("0", Exposition.decimal(0));
    assertEquals("30", Exposition.decimal(30));
  }

  @Test
  void eachTimeIsInTheFirstBucketThatHoldsIt() {
    var meter = new RequestMeter();
    var times = new long[] {0, 50_000, 50_001, 30_000_000_000L, 30_000_000_001L};
    for (var nanos : times) {
      meter.ended(Operation.READ, Ending.COMPLETED, 10, nanos);
    }
    meter.ended(Operation.WRITE, Ending.FAILED, 10, 1);
    var counts = new long[Buckets.COUNT];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = meter.bucket(Operation.READ, i);
    }
    assertEquals(2, counts[0]);
    assertEquals(1, counts[1]);
    assertEquals(1, counts[Buckets.COUNT - 2]);
    assertEquals(1, counts[Buckets.COUNT - 1]);
    assertEquals(50, meter.bytes(Operation.READ));
    assertEquals(0, meter.bytes(Operation.WRITE), "a failed one moved none that count");
    assertEquals(1, meter.count(Operation.WRITE, Ending.FAILED));

    out.family(Metric.DURATION);
    out.histogram(counts, meter.nanos(Operation.READ), "tcp", "read");
    var lines = samples().lines().toList();
    var labels = "{transport=\"tcp\",operation=\"read\"";
    assertEquals(
        "shunt_transfer_duration_seconds_bucket" + labels + ",le=\"0.00005\"} 2", lines.getFirst());
    assertEquals(
        "shunt_transfer_duration_seconds_bucket" + labels + ",le=\"+Inf\"} 5",
        lines.get(Buckets.COUNT - 1));
    assertEquals(
        "shunt_transfer_duration_seconds_sum" + labels + "} 60.000100002",
        lines.get(Buckets.COUNT));
    assertEquals("shunt_transfer_duration_seconds_count" + labels + "} 5", lines.getLast());
  }
}
