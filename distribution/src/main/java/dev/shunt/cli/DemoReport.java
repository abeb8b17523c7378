package dev.shunt.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

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
 * @param rails paths that were up before anything was broken
 * @param fault what came of the fault; empty if there was none
 * @param noFault why there was none; empty if there was one
 */
record DemoReport(
    long bytes,
    long block,
    long writeNanos,
    long readNanos,
    Checksums checksums,
    long pingNanos,
    List<Node> nodes,
    List<String> rails,
    Optional<DemoFault.Told> fault,
    Optional<String> noFault) {
  /** The CRC32C of the same bytes in three places. */
  record Checksums(String sent, String peer, String back) {
    boolean equal() {
      return sent.equals(peer) && sent.equals(back);
    }

    /** Those of a later time, unless these differ already. */
    Checksums and(Checksums later) {
      return equal() ? later : this;
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
    var broken = new LinkedHashMap<String, Object>();
    noFault.ifPresent(why -> broken.put("none", why));
    fault.ifPresent(told -> describe(told, broken));
    map.put("fault", broken);
    return map;
  }

  private static void describe(DemoFault.Told told, Map<String, Object> map) {
    map.put("rail", DemoFault.CABLED);
    map.put("midway", told.midway());
    var rates = new LinkedHashMap<String, Object>();
    rates.put("before", round(gib(told.before())));
    rates.put("without", round(gib(told.without())));
    rates.put("after", round(gib(told.after())));
    map.put("gib_per_second", rates);
    var carried = new LinkedHashMap<String, Object>();
    carried.put("before", told.before().byRail());
    carried.put("without", told.without().byRail());
    carried.put("after", told.after().byRail());
    map.put("carried_bytes", carried);
    map.put("longest_gap_ms", round(told.gap() / 1e6));
    map.put("slices_redone", told.redone());
    told.returned().ifPresent(nanos -> map.put("returned_after_ms", round(nanos / 1e6)));
  }

  private static double gib(DemoFault.Part part) {
    return part.bytes() / (double) (1 << 30) / (part.nanos() / 1e9);
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
    fault.ifPresentOrElse(
        told -> fault(told, lines),
        () -> lines.add(line("fault", "none shown: %s", noFault.orElse(""))));
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

  private static void fault(DemoFault.Told told, List<String> lines) {
    var rail = DemoFault.CABLED;
    lines.add(
        line("fault", "rail %s of the other node is reached by a cable, which is a relay", rail));
    lines.add(
        line("", "in this process: pulled, it resets what goes through it, and refuses more"));
    lines.add(line("  before", "%s", carried(told.before())));
    lines.add(
        line(
            "  pulled",
            "%s; %s sent again, longest gap %s",
            told.midway() ? "with blocks on their way" : "between two batches",
            Units.count(told.redone(), "slice"),
            Units.nanos(told.gap())));
    lines.add(line("  without", "%s", carried(told.without())));
    lines.add(
        line(
            "  plugged",
            "%s",
            told.returned()
                .map(
                    nanos ->
                        "in again; the rail carried something " + Units.nanos(nanos) + " later")
                .orElse("in again, and the rail did not come back in time")));
    lines.add(line("  after", "%s", carried(told.after())));
  }

  private static String carried(DemoFault.Part part) {
    var shares = new ArrayList<String>();
    part.byRail().keySet().forEach(r -> shares.add(r + " " + DemoFault.share(part, r)));
    return String.format(
        Locale.ROOT, "%-14s %s", Units.rate(part.bytes(), part.nanos()), String.join(", ", shares));
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
