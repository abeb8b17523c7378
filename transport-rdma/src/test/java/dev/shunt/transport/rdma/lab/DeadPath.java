package dev.shunt.transport.rdma.lab;

import dev.shunt.api.Access;
import dev.shunt.api.spi.Fault;
import dev.shunt.transport.rdma.testing.TestMemory;
import java.lang.foreign.Arena;
import java.util.HashMap;
import java.util.Map;

/**
 * How long it takes until a write on a path that lost everything is reported, beside the budget
 * that its QP has for it: the timeout, once more than it is retried. The lane waits for it as a
 * node's does, with sleeps. {@code distribution/lab/beside.c} does the same. Arguments: two
 * devices, and how often. Prints both in milliseconds, a line each time.
 */
public final class DeadPath {
  private static final int SIZE = 64 << 10;
  private static final int TIMEOUT = 14;
  private static final int RETRIES = 6;
  private static final long BUDGET = (RETRIES + 1) * (4096L << TIMEOUT);

  private DeadPath() {}

  /** Runs it. */
  public static void main(String[] arguments) {
    var pair = new LabPair(settings(arguments[0]), settings(arguments[1]));
    try (var arena = Arena.ofShared()) {
      var from = pair.a.register(arena.allocate(SIZE, 4096), Access.LOCAL);
      var to = pair.b.register(arena.allocate(SIZE, 4096), Access.REMOTE_READ_WRITE);
      for (int i = 0; i < Integer.parseInt(arguments[2]); i++) {
        System.out.printf("%.1f %.1f%n", lose(pair, from, to) / 1e6, BUDGET / 1e6);
      }
      pair.close();
    }
    System.exit(0);
  }

  private static Map<String, Object> settings(String device) {
    var settings = new HashMap<>(LabMain.settings(device));
    settings.put("endpoint.send-timeout", TIMEOUT);
    settings.put("endpoint.send-retry-count", RETRIES);
    return settings;
  }

  private static long lose(LabPair pair, TestMemory from, TestMemory to) {
    var link = pair.connect();
    var good = pair.a.post(link, true, from, to, 0, SIZE);
    pair.until("a write", () -> pair.a.reports.containsKey(good));
    Cable.pull();
    long begin = System.nanoTime();
    var lost = pair.a.post(link, true, from, to, 0, SIZE);
    pair.untilParked("the report", () -> pair.a.reports.containsKey(lost));
    long took = System.nanoTime() - begin;
    Cable.plug();
    var fault = pair.a.reports.get(lost);
    if (pair.a.reports.get(good) != null || fault == null || fault.blame() != Fault.Blame.REMOTE) {
      throw new AssertionError("the lost write was reported " + fault);
    }
    pair.until("the end of the channel", () -> pair.a.downs.containsKey(link));
    pair.fence(link);
    return took;
  }
}
