package dev.shunt.cli;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * What came of a benchmark.
 *
 * @param work what was done
 * @param peer with whom
 * @param batches that ended in the time that counts
 * @param verified bytes that were read back and compared
 * @param nanos that time
 * @param latencies of a batch, in nanoseconds
 * @param series how it went, warming up included
 * @param machine what the figures depend on besides
 * @param started when it began
 * @param marks what happened meanwhile
 */
record BenchReport(
    Bench.Work work,
    String peer,
    long batches,
    long verified,
    long nanos,
    Histogram latencies,
    List<Series.Point> series,
    Map<String, Object> machine,
    Instant started,
    Marks marks) {
  private static final Map<String, Double> PERCENTILES = percentiles();

  private static Map<String, Double> percentiles() {
    var map = new LinkedHashMap<String, Double>();
    map.put("p50", 50.0);
    map.put("p99", 99.0);
    map.put("p99.9", 99.9);
    return map;
  }

  /** The same with what happened meanwhile. */
  BenchReport with(Marks happened) {
    return new BenchReport(
        work, peer, batches, verified, nanos, latencies, series, machine, started, happened);
  }

  /** How long all of it took, warming up included. */
  Duration whole() {
    return series.isEmpty() ? work.warmUp() : Duration.ofNanos(series.getLast().to());
  }

  private long requests() {
    return batches * work.batch();
  }

  private long bytes() {
    return requests() * work.block();
  }

  /** Bytes a second. */
  double rate() {
    return perSecond(bytes());
  }

  private double perSecond(double count) {
    return nanos <= 0 ? 0 : count * 1e9 / nanos;
  }

  /** For programs. */
  Map<String, Object> toMap() {
    var map = new LinkedHashMap<String, Object>();
    map.put("operation", work.operation().name().toLowerCase(Locale.ROOT));
    map.put("block", work.block());
    map.put("batch", work.batch());
    map.put("threads", work.threads());
    map.put("memory", work.memory());
    map.put("seconds", round(nanos / 1e9));
    map.put("bytes", bytes());
    map.put("requests", requests());
    if (work.verify()) {
      map.put("verified_bytes", verified);
    }
    map.put("gib_per_second", round(rate() / (1 << 30)));
    map.put("requests_per_second", round(perSecond(requests())));
    var latency = new LinkedHashMap<String, Object>();
    PERCENTILES.forEach(
        (name, percent) -> latency.put(name, round(latencies.getValueAtPercentile(percent) / 1e3)));
    latency.put("max", round(latencies.getMaxValue() / 1e3));
    map.put("batch_latency_us", latency);
    map.put("peer", peer);
    map.put("machine", machine);
    return map;
  }

  /** For people. */
  List<String> toLines() {
    var latency = new StringBuilder();
    PERCENTILES.forEach(
        (name, percent) ->
            latency
                .append(name)
                .append(' ')
                .append(Units.nanos(latencies.getValueAtPercentile(percent)))
                .append(", "));
    latency.append("max ").append(Units.nanos(latencies.getMaxValue()));
    var lines = new ArrayList<String>();
    lines.add(
        line(
            work.operation().name().toLowerCase(Locale.ROOT),
            "%s blocks, %s a batch, %s, round %s, to %s",
            Units.bytes(work.block()),
            Units.count(work.batch(), "request"),
            Units.count(work.threads(), "thread"),
            Units.bytes(work.memory()),
            peer));
    lines.add(
        line(
            "moved",
            "%s by %s in %s",
            Units.bytes(bytes()),
            Units.count(requests(), "request"),
            Units.nanos(nanos)));
    lines.add(
        line("rate", "%s, %,.0f requests/s", Units.rate(bytes(), nanos), perSecond(requests())));
    if (work.verify()) {
      lines.add(line("verified", "%s, read back and compared", Units.bytes(verified)));
    }
    lines.add(line("a batch", "%s", latency));
    lines.add(
        line(
            "machine",
            "%s, congestion control %s, java %s",
            Units.count((Integer) machine.get("processors"), "processor"),
            machine.get("congestion_control"),
            machine.get("java")));
    return lines;
  }

  private static String line(String what, String format, Object... values) {
    return String.format(Locale.ROOT, "%-9s ", what) + String.format(Locale.ROOT, format, values);
  }

  private static double round(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}
