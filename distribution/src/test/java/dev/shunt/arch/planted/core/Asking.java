package dev.shunt.arch.planted.core;

import java.time.Instant;
import java.util.UUID;
import java.util.function.LongSupplier;

final class Asking {
  long nanos() {
    return System.nanoTime();
  }

  long millis() {
    return System.currentTimeMillis();
  }

  Instant instant() {
    return Instant.now();
  }

  UUID uuid() {
    return UUID.randomUUID();
  }

  double chance() {
    return Math.random();
  }

  void waits() throws InterruptedException {
    wait(1);
  }

  int hash() {
    return System.identityHashCode(this);
  }

  LongSupplier reference() {
    return System::nanoTime;
  }
}
