package dev.shunt.transport.nof.testing;

import java.util.TreeMap;

/** One association with a host. */
final class SoftController {
  final int number;
  final long keepAlive;
  final TreeMap<Integer, SoftConnection> queues = new TreeMap<>();
  long lastKeepAlive;
  boolean enabled;
  int polls;

  SoftController(int number, long keepAlive, long now) {
    this.number = number;
    this.keepAlive = keepAlive;
    lastKeepAlive = now;
  }
}
