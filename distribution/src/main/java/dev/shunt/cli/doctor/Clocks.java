package dev.shunt.cli.doctor;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/** The wall clock, which the generation of a node begins with, and the one that timers use. */
final class Clocks {
  private static final Instant EARLIEST = Instant.parse("2025-01-01T00:00:00Z");
  private static final long WATCH_MILLIS = 200;
  private static final long JUMP_MILLIS = 50;

  private final Kernel kernel;
  private final LongSupplier wallMillis;
  private final LongSupplier nanos;

  Clocks(Kernel kernel, LongSupplier wallMillis, LongSupplier nanos) {
    this.kernel = kernel;
    this.wallMillis = wallMillis;
    this.nanos = nanos;
  }

  List<Finding> findings() throws InterruptedException {
    return List.of(wall(), source());
  }

  private Finding wall() throws InterruptedException {
    long millis = wallMillis.getAsLong();
    long before = nanos.getAsLong();
    Thread.sleep(WATCH_MILLIS);
    long passed = (nanos.getAsLong() - before) / 1_000_000;
    long off = wallMillis.getAsLong() - millis - passed;
    var now = Instant.ofEpochMilli(millis);
    if (now.isBefore(EARLIEST)) {
      return Finding.fail(
          "clock",
          "the wall clock says " + now + ", which is past",
          "set it, by NTP: peers take a node that starts with an older clock for an older one");
    }
    if (Math.abs(off) > JUMP_MILLIS) {
      return Finding.warn(
          "clock",
          "the wall clock went " + off + " ms off while " + passed + " ms passed",
          "let NTP slew it; timers of Shunt don't notice, logs and generations do");
    }
    return synchronised()
        .map(by -> Finding.ok("clock", "steady, kept by " + by))
        .orElse(Finding.ok("clock", "steady; who keeps it is not known"));
  }

  private Optional<String> synchronised() {
    if (kernel.exists("run/systemd/timesync/synchronized")) {
      return Optional.of("systemd-timesyncd");
    }
    return kernel.exists("run/chrony/chronyd.pid") ? Optional.of("chrony") : Optional.empty();
  }

  private Finding source() {
    var source =
        kernel.text("sys/devices/system/clocksource/clocksource0/current_clocksource").orElse("");
    return switch (source) {
      case "" -> Finding.ok("clock source", "not known");
      case "hpet", "acpi_pm", "jiffies" ->
          Finding.warn(
              "clock source",
              source + ": each look at the clock is a slow call",
              "where the machine has a steady tsc: echo tsc >"
                  + " /sys/devices/system/clocksource/clocksource0/current_clocksource");
      default -> Finding.ok("clock source", source);
    };
  }
}
