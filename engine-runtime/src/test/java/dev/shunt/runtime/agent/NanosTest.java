package dev.shunt.runtime.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class NanosTest {
  @Test
  void durationsAreToldAsPeopleReadThem() {
    assertEquals("3 s", Nanos.text(Duration.ofSeconds(3)));
    assertEquals("1.5 s", Nanos.text(Duration.ofMillis(1500)));
    assertEquals("250 ms", Nanos.text(Duration.ofMillis(250)));
    assertEquals("0.02 ms", Nanos.text(Duration.ofNanos(20_000)));
    assertEquals("0 ms", Nanos.text(Duration.ZERO));
    assertEquals("10 s", Nanos.text(Duration.ofSeconds(10)));
    assertEquals("2 min", Nanos.text(Duration.ofMinutes(2)));
    assertEquals("61 min 5 s", Nanos.text(Duration.ofSeconds(3665)));
  }

  @Test
  void nobodyWaitsMuchLongerThanItsDeadline() {
    assertEquals(Duration.ofMillis(3100), Nanos.withGrace(Duration.ofSeconds(3)));
    assertEquals(Duration.ofMillis(110), Nanos.withGrace(Duration.ofMillis(100)));
    assertEquals(Duration.ZERO, Nanos.withGrace(Duration.ZERO));
    assertEquals(Duration.ZERO, Nanos.withGrace(Duration.ofSeconds(-1)));
  }
}
