package dev.shunt.cli;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code shunt status}. */
@Command(
    name = "status",
    header = "Shows how nodes on this machine are.",
    description = {
      "Finds the nodes that this user runs here: those of 'shunt serve', and of programs that set"
          + " shunt.admin.enable. Exit code 4 says that there is none, or that it does not answer.",
      "",
      "JSON: for each node a line with an object, which has 'name', 'generation', 'state', 'started',"
          + " 'control', 'stuck', 'transports', 'peers', 'memory', 'queues', 'plugins' and"
          + " 'counters'; what stands in them tells the documentation of dev.shunt.runtime.admin."
    },
    footer = {
      "%nExamples:",
      "  shunt status --watch",
      "  shunt status --node 10.0.0.2:15000 --output json",
      "  shunt status --admin 127.0.0.1:9100"
    })
final class StatusCommand extends NodeCommand {
  private static final int MOST_BYTES = 256 << 20;
  private static final int PEERS_WATCHED = 16;
  private static final String HOME = "\u001b[H";
  private static final String TO_LINE_END = "\u001b[K";
  private static final String TO_SCREEN_END = "\u001b[J";

  @Option(
      names = "--watch",
      arity = "0..1",
      fallbackValue = "2s",
      paramLabel = "INTERVAL",
      description =
          "Look again and again, every 2s unless told otherwise, and show rates; in place on a"
              + " terminal.")
  private Optional<Duration> watch = Optional.empty();

  private record Look(Tree status, long at) {}

  @Override
  public Integer call() throws InterruptedException {
    var nodes = nodes();
    if (watch.isEmpty()) {
      show(nodes, new HashMap<>(), Integer.MAX_VALUE).forEach(out()::println);
      out().flush();
      return ExitCode.OK.number();
    }
    var inPlace = !json() && Terminal.watchesOutput();
    var before = new HashMap<String, Look>();
    if (inPlace) {
      out().print("\u001b[2J");
    }
    while (!out().checkError()) {
      var lines = show(nodes, before, PEERS_WATCHED);
      if (inPlace) {
        out().print(HOME);
        lines.forEach(line -> out().println(line + TO_LINE_END));
        out().print(TO_SCREEN_END);
      } else {
        lines.forEach(out()::println);
        out().println(json() ? "" : "---");
      }
      out().flush();
      Thread.sleep(watch.get());
    }
    return ExitCode.OK.number();
  }

  private List<String> show(List<AdminClient> nodes, Map<String, Look> before, int mostPeers) {
    var lines = new ArrayList<String>();
    for (var node : nodes) {
      var text = node.get("/status", MOST_BYTES);
      if (json()) {
        lines.add(new String(text, StandardCharsets.UTF_8));
        continue;
      }
      var look = new Look(Tree.read("the status of " + node.name(), text), System.nanoTime());
      var last = Optional.ofNullable(before.put(node.address(), look));
      var nanos = last.map(l -> look.at() - l.at()).orElse(0L);
      if (!lines.isEmpty()) {
        lines.add("");
      }
      lines.addAll(
          new StatusView(look.status(), last.map(Look::status), nanos, Instant.now(), mostPeers)
              .lines(node.pid()));
    }
    return lines;
  }
}
