package dev.shunt.cli;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Shows a node's {@code /status} to people, at a hundred columns. */
final class StatusView {
  /** Where the text stands that a label is for. */
  static final int INDENT = 12;

  private final Tree status;
  private final Optional<Tree> before;
  private final long nanos;
  private final Instant now;
  private final Times times;
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
    this.times = new Times(now);
    this.mostPeers = mostPeers;
  }

  /** Line by line. */
  List<String> lines(long pid) {
    node(pid);
    trouble();
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
    var started = Times.read(status.text("started"));
    add(
        "node",
        status.text("name")
            + " is "
            + status.text("state")
            + ", up "
            + started.map(s -> Times.span(Duration.between(s, now))).orElse("?")
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

  /** At the top, what an operator looks for: what is not as it should be, and what that led to. */
  private void trouble() {
    var now = Trouble.now(status);
    if (!now.isEmpty()) {
      add("TROUBLE", String.join(", ", now));
    }
    var so = Trouble.soFar(status.object("counters"));
    if (!so.isEmpty()) {
      add("failures", String.join(", ", so) + ", since its start");
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
    var rails = new RailLines(times, transport.text("id"));
    transport.objects("rails").forEach(rail -> add("  rail", rails.line(rail)));
    transport
        .objects("details")
        .forEach(it -> add("  " + it.text("kind"), it.text("name") + ": " + told(it)));
  }

  /** In words first, then in numbers; what is none of is no news. */
  private static String told(Tree detail) {
    var words =
        detail.object("facts").keys().entrySet().stream()
            .map(fact -> fact.getKey() + " " + fact.getValue());
    var numbers =
        detail.object("counts").keys().entrySet().stream()
            .filter(count -> count.getValue() instanceof Number number && number.longValue() != 0)
            .map(count -> count.getKey() + " " + count.getValue());
    return Stream.concat(words, numbers).collect(Collectors.joining(", "));
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
    // Those in trouble first, then those with work to do; the rest in the order of their meeting.
    peers.stream()
        .sorted(
            Comparator.comparing((Tree p) -> !Trouble.of(p))
                .thenComparing(p -> -p.number("queued_requests")))
        .limit(mostPeers)
        .forEach(this::peer);
    if (peers.size() > mostPeers) {
      add("", "... and " + Units.count(peers.size() - mostPeers, "peer") + " more");
    }
  }

  private void peer(Tree peer) {
    var transport = peer.text("transport");
    var since = peer.optional("since").flatMap(Times::read);
    add(
        "peer",
        peer.text("name")
            + (transport.isEmpty() ? ", reached by no transport" : " by " + transport)
            + since.map(s -> ", met" + times.since(s).replace(" since", "")).orElse("")
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
    if (!peer.object("unreachable").keys().isEmpty()) {
      unreachable(peer.object("unreachable"));
    }
    peer.objects("paths").forEach(this::path);
  }

  private void unreachable(Tree mark) {
    var next =
        mark.optional("next_probe")
            .flatMap(Times::read)
            .map(at -> "; asked again " + times.until(at))
            .orElse("");
    add(
        "",
        "UNREACHABLE"
            + mark.optional("since").flatMap(Times::read).map(times::since).orElse("")
            + cause(mark)
            + next);
  }

  /** What happened last is told as such, where it is over. */
  private void path(Tree path) {
    var until = path.optional("until").flatMap(Times::read);
    var text =
        new StringBuilder(path.text("local_rail"))
            .append(" > ")
            .append(path.text("remote_rail"))
            .append(' ')
            .append(path.text("state"));
    until.ifPresent(
        at ->
            text.append(" until ")
                .append(times.clock(at))
                .append(", for ")
                .append(Times.span(Duration.between(now, at))));
    if (path.number("carried_bytes") > 0) {
      text.append(", carried ").append(Units.bytes(path.number("carried_bytes")));
    }
    if (path.number("errors") > 0) {
      text.append(", ")
          .append(Units.count(path.number("errors"), "error"))
          .append(" towards a pause");
    }
    if (!path.text("cause").isEmpty()) {
      text.append(until.isPresent() ? ": " : "; failed last: ").append(path.text("cause"));
    }
    if (path.number("next_pause_ms") > 0 && (until.isPresent() || path.number("errors") > 0)) {
      text.append("; the next pause is ").append(Times.ofMillis(path.number("next_pause_ms")));
    }
    add("  path", text.toString());
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
            + " in quarantine"
            + remote(memory));
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

  /** How much of it is a peer's only. */
  private static String remote(Tree memory) {
    var bytes = memory.number("quarantined_remote_bytes");
    return bytes == 0 ? "" : ", " + Units.bytes(bytes) + " of that at peers only";
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
}
