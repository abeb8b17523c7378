package dev.shunt.cli;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Shows a node's {@code /status} to people, at a hundred columns. */
final class StatusView {
  /** Where the text stands that a label is for. */
  static final int INDENT = 12;

  private static final DateTimeFormatter TODAY = DateTimeFormatter.ofPattern("HH:mm:ss");
  private static final DateTimeFormatter EARLIER = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm");

  private final Tree status;
  private final Optional<Tree> before;
  private final long nanos;
  private final Instant now;
  private final int mostPeers;
  private final List<String> lines = new ArrayList<>();

  /**
   * A view.
   *
   * @param before the look before this one, for rates
   * @param nanos how long ago that was
   * @param mostPeers how many to list
   */
  StatusView(Tree status, Optional<Tree> before, long nanos, Instant now, int mostPeers) {
    this.status = status;
    this.before = before;
    this.nanos = nanos;
    this.now = now;
    this.mostPeers = mostPeers;
  }

  /** Line by line. */
  List<String> lines(long pid) {
    node(pid);
    for (var transport : status.objects("transports")) {
      transport(transport);
    }
    peers();
    memory();
    plugins();
    return lines;
  }

  private void add(String label, String text) {
    lines.addAll(Lines.wrap(label(label), INDENT, text));
  }

  /** A label as wide as all of them. */
  static String label(String text) {
    return String.format(Locale.ROOT, "%-" + INDENT + "s", text);
  }

  private void node(long pid) {
    var started = time(status.text("started"));
    add(
        "node",
        status.text("name")
            + " is "
            + status.text("state")
            + ", up "
            + started.map(s -> span(Duration.between(s, now))).orElse("?")
            + (pid == 0 ? "" : ", pid " + pid));
    add(
        "",
        "generation "
            + status.text("generation")
            + ", control plane at "
            + String.join(", ", status.texts("control")));
    var stuck = status.texts("stuck");
    if (!stuck.isEmpty()) {
      add("STUCK", String.join(", ", stuck) + " makes no progress");
    }
  }

  // ---- transports

  private void transport(Tree transport) {
    add(
        "transport",
        transport.text("id")
            + ", "
            + Units.count(transport.number("lanes"), "lane")
            + "; out "
            + Units.bytes(transport.number("outbound_bytes"))
            + " in "
            + Units.count(transport.number("outbound_requests"), "request")
            + " ("
            + transport.number("failed_requests")
            + " failed); in "
            + Units.bytes(transport.number("inbound_bytes"))
            + " in "
            + Units.count(transport.number("inbound_requests"), "request"));
    before.ifPresent(look -> add("  now", rates(transport, look)));
    for (var rail : transport.objects("rails")) {
      add(
          "  rail",
          rail.text("name")
              + " "
              + rail.text("state")
              + rail.optional("since").flatMap(StatusView::time).map(s -> since(s)).orElse("")
              + cause(rail));
    }
  }

  private String rates(Tree transport, Tree look) {
    var old =
        look.objects("transports").stream()
            .filter(t -> t.text("id").equals(transport.text("id")))
            .findFirst()
            .orElse(transport);
    return "out "
        + rate(transport, old, "outbound_bytes")
        + ", "
        + perSecond(transport, old, "outbound_requests")
        + "; in "
        + rate(transport, old, "inbound_bytes")
        + ", "
        + perSecond(transport, old, "inbound_requests");
  }

  private String rate(Tree transport, Tree old, String key) {
    return Units.rate(transport.number(key) - old.number(key), nanos);
  }

  private String perSecond(Tree transport, Tree old, String key) {
    var count = transport.number(key) - old.number(key);
    return nanos <= 0 ? "-" : Units.number(count * 1e9 / nanos) + " requests/s";
  }

  // ---- peers

  private void peers() {
    var peers = status.objects("peers");
    if (peers.isEmpty()) {
      add("peers", "none was met");
    }
    // Those with work to do first; the rest in the order in which they were met.
    peers.stream()
        .sorted(Comparator.comparingLong((Tree p) -> -p.number("queued_requests")))
        .limit(mostPeers)
        .forEach(this::peer);
    if (peers.size() > mostPeers) {
      add("", "... and " + Units.count(peers.size() - mostPeers, "peer") + " more");
    }
  }

  private void peer(Tree peer) {
    var transport = peer.text("transport");
    var since = peer.optional("since").flatMap(StatusView::time);
    add(
        "peer",
        peer.text("name")
            + (transport.isEmpty() ? ", reached by no transport" : " by " + transport)
            + since.map(s -> ", met" + since(s).replace(" since", "")).orElse("")
            + "; "
            + Units.count(peer.number("queued_requests"), "request")
            + " queued, "
            + Units.bytes(peer.number("in_flight_bytes"))
            + " in flight");
    var capabilities =
        peer.object("capabilities").keys().entrySet().stream()
            .map(c -> c.getKey() + " " + c.getValue())
            .collect(Collectors.joining(", "));
    if (!peer.text("generation").equals("0")) {
      add(
          "",
          "generation "
              + peer.text("generation")
              + (capabilities.isEmpty() ? "" : "; agreed on " + capabilities));
    }
    peer.objects("paths").forEach(this::path);
  }

  private void path(Tree path) {
    var until = path.optional("until").flatMap(StatusView::time);
    add(
        "  path",
        path.text("local_rail")
            + " > "
            + path.text("remote_rail")
            + " "
            + path.text("state")
            + until
                .map(u -> " until " + clock(u) + ", for " + span(Duration.between(now, u)))
                .orElse("")
            + cause(path));
  }

  // ---- the rest

  private void memory() {
    var memory = status.object("memory");
    add(
        "memory",
        Units.count(memory.number("buffers"), "buffer")
            + " of "
            + Units.bytes(memory.number("registered_bytes"))
            + "; "
            + Units.bytes(memory.number("draining_bytes"))
            + " draining, "
            + Units.bytes(memory.number("quarantined_bytes"))
            + " in quarantine");
    var queues = status.object("queues");
    add(
        "queues",
        Units.count(queues.number("notifications"), "notification")
            + " and "
            + Units.count(queues.number("calls"), "call")
            + " waiting; control connections: "
            + queues.number("inbound_connections")
            + " in, "
            + queues.number("outbound_connections")
            + " out");
  }

  private void plugins() {
    var plugins = status.objects("plugins");
    add(
        "plug-ins",
        plugins.stream()
            .filter(p -> p.text("state").equals("ACTIVE"))
            .map(p -> p.text("kind") + " " + p.text("id"))
            .collect(Collectors.joining(", ")));
    plugins.stream()
        .filter(p -> !p.text("state").equals("ACTIVE"))
        .forEach(
            p -> add("", p.text("kind") + " " + p.text("id") + " " + p.text("state") + cause(p)));
  }

  private static String cause(Tree of) {
    var cause = of.text("cause");
    return cause.isEmpty() ? "" : ": " + cause;
  }

  // ---- times

  private static Optional<Instant> time(String text) {
    try {
      return Optional.of(Instant.parse(text));
    } catch (DateTimeParseException _) {
      return Optional.empty();
    }
  }

  private String since(Instant time) {
    return " since " + clock(time) + " (" + span(Duration.between(time, now)) + ")";
  }

  private String clock(Instant time) {
    var near = Duration.between(time, now).abs().compareTo(Duration.ofHours(20)) < 0;
    return (near ? TODAY : EARLIER).format(time.atZone(ZoneId.systemDefault()));
  }

  /** Such as {@code 3 h 12 min}. */
  static String span(Duration duration) {
    var left = duration.isNegative() ? Duration.ZERO : duration.truncatedTo(ChronoUnit.SECONDS);
    if (left.toDays() > 0) {
      return left.toDays() + " d " + left.toHoursPart() + " h";
    }
    if (left.toHours() > 0) {
      return left.toHours() + " h " + left.toMinutesPart() + " min";
    }
    return left.toMinutes() > 0
        ? left.toMinutes() + " min " + left.toSecondsPart() + " s"
        : left.toSeconds() + " s";
  }
}
