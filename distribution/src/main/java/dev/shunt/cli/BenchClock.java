package dev.shunt.cli;

import java.time.Duration;
import java.time.Instant;

/** When a benchmark counts, and when it is over. */
final class BenchClock {
  private final long start = System.nanoTime();
  private final Instant started = Instant.now();
  private final long measuredFrom;
  private final long wholeNanos;
  private volatile boolean stopped;

  BenchClock(Duration warmUp, Duration duration) {
    measuredFrom = start + warmUp.toNanos();
    wholeNanos = warmUp.plus(duration).toNanos();
  }

  long start() {
    return start;
  }

  /** The same by the clock on the wall, for what others tell with that. */
  Instant started() {
    return started;
  }

  long measuredFrom() {
    return measuredFrom;
  }

  long wholeNanos() {
    return wholeNanos;
  }

  boolean over(long now) {
    return now - start >= wholeNanos;
  }

  /** Something failed: no batch is to be begun any more. */
  void stop() {
    stopped = true;
  }

  boolean stopped() {
    return stopped;
  }
}
