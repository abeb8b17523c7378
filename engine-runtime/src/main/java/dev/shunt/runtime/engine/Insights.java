package dev.shunt.runtime.engine;

import dev.shunt.api.spi.Insight;
import dev.shunt.runtime.transport.TransportHost;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** What transports show of their inside: all are asked before any is waited for. */
final class Insights {
  /** For all together: a slow thread that stands still must not hold up who asks why. */
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(1);

  private static final int MOST = 256;

  private final Map<TransportHost, List<Insight>> told = new LinkedHashMap<>();

  private Insights() {}

  static Insights of(List<TransportHost> hosts) {
    var asked = new LinkedHashMap<TransportHost, CompletableFuture<List<Insight>>>();
    hosts.forEach(host -> asked.put(host, host.looks().insights()));
    var until = System.nanoTime() + PATIENCE;
    var insights = new Insights();
    asked.forEach(
        (host, answer) -> {
          var left = Math.max(0, until - System.nanoTime());
          var list = answer.completeOnTimeout(List.of(), left, TimeUnit.NANOSECONDS).join();
          insights.told.put(host, list.stream().limit(MOST).toList());
        });
    return insights;
  }

  /** Of one of them; empty where it did not tell in time. */
  List<Insight> of(TransportHost host) {
    return told.getOrDefault(host, List.of());
  }
}
