package dev.shunt.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What came of a demo.
 *
 * @param bytes written, and read back
 * @param block bytes of a request
 * @param writeNanos from submission until done
 * @param readNanos likewise
 * @param checksums of what was sent, of what the peer holds, and of what came back
 * @param pingNanos of a notification there and back
 * @param nodes ours first
 * @param rails paths that are up
 */
record DemoReport(
    long bytes,
    long block,
    long writeNanos,
    long readNanos,
    Checksums checksums,
    long pingNanos,
    List<Node> nodes,
    List<String> rails) {
  /** The CRC32C of the same bytes in three places. */
  record Checksums(String sent, String peer, String back) {
    boolean equal() {
      return sent.equals(peer) && sent.equals(back);
    }
  }

  /** One of the two. */
  record Node(String name, long pid, String what) {}

  /** Whether all bytes arrived, and came back. */
  boolean verified() {
    return checksums.equal();
  }

  /** For programs. */
  Map<String, Object> toMap() {
    var map = new LinkedHashMap<String, Object>();
    map.put("verified", verified());
    map.put("bytes", bytes);
    map.put("block", block);
    map.put("seconds", pair(writeNanos / 1e9, readNanos / 1e9));
    map.put("gib_per_second", pair(gib(writeNanos), gib(readNanos)));
    var crc = new LinkedHashMap<String, Object>();
    crc.put("sent", checksums.sent());
    crc.put("peer", checksums.peer());
    crc.put("back", checksums.back());
    map.put("checksum", crc);
    map.put("notification_ms", round(pingNanos / 1e6));
    var described = new ArrayList<Map<String, Object>>();
    for (var node : nodes) {
      var one = new LinkedHashMap<String, Object>();
      one.put("name", node.name());
      one.put("pid", node.pid());
      described.add(one);
    }
    map.put("nodes", described);
    map.put("rails", rails);
    return map;
  }

  /** For people. */
  List<String> toLines() {
    var lines = new ArrayList<String>();
    for (var node : nodes) {
      lines.add(line("node", "%-22s pid %d, %s", node.name(), node.pid(), node.what()));
    }
    lines.add(line("rails", "%s", rails.isEmpty() ? "none is up any more" : rails.getFirst()));
    rails.stream().skip(1).forEach(rail -> lines.add(line("", "%s", rail)));
    var each = Units.bytes(bytes) + " in blocks of " + Units.bytes(block);
    lines.add(line("write", "%-32s %9s   %s", each, Units.nanos(writeNanos), rate(writeNanos)));
    lines.add(line("read back", "%-32s %9s   %s", each, Units.nanos(readNanos), rate(readNanos)));
    lines.add(line("notify", "there and back in %s", Units.nanos(pingNanos)));
    lines.add(
        checksums.equal()
            ? line("checksum", "%s here, at the peer and read back", checksums.sent())
            : line(
                "checksum",
                "%s sent, but %s at the peer and %s read back",
                checksums.sent(),
                checksums.peer(),
                checksums.back()));
    lines.add(line("verified", verified() ? "yes" : "NO"));
    return lines;
  }

  private static String line(String what, String format, Object... values) {
    return String.format(Locale.ROOT, "%-10s  ", what)
        + String.format(Locale.ROOT, format, values).stripTrailing();
  }

  private static Map<String, Object> pair(double write, double read) {
    var map = new LinkedHashMap<String, Object>();
    map.put("write", round(write));
    map.put("read", round(read));
    return map;
  }

  private String rate(long nanos) {
    return Units.rate(bytes, nanos);
  }

  private double gib(long nanos) {
    return bytes / (double) (1 << 30) / (nanos / 1e9);
  }

  private static double round(double value) {
    return Math.round(value * 10_000) / 10_000.0;
  }
}
