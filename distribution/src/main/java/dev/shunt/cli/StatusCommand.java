package dev.shunt.cli;

import dev.shunt.api.ShuntException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code shunt status}. */
@Command(
    name = "status",
    header = "Shows how nodes on this machine are.",
    description = {
      "Finds the nodes that this user runs here: those of 'shunt serve', and of programs that set"
          + " shunt.admin.enable, and asks them at the same time. Exit code 4 says that there is none,"
          + " or that one does not answer; the others are shown.",
      "",
      "JSON: for each node a line with an object, which has 'name', 'generation', 'state', 'started',"
          + " 'control', 'stuck', 'transports', 'peers', 'memory', 'queues', 'plugins' and"
          + " 'counters', or 'name' and 'error' if it does not answer; what stands in them tells the documentation of dev.shunt.runtime.admin."
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

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "3s",
      description = "How long each node may take to answer. Default: ${DEFAULT-VALUE}.")
  private Duration timeout;

  private record Look(Tree status, long at) {}

  /**
   * What one look at all nodes gave.
   *
   * @param code 0 if all answered
   */
  private record Shown(List<String> lines, ExitCode code) {}

  @Override
  public Integer call() throws InterruptedException {
    var nodes = nodes().stream().map(node -> node.within(timeout)).toList();
    if (watch.isEmpty()) {
      var shown = show(nodes, new HashMap<>(), Integer.MAX_VALUE);
      shown.lines().forEach(out()::println);
      out().flush();
      return shown.code().number();
    }
    var inPlace = !json() && Terminal.watchesOutput();
    var before = new HashMap<String, Look>();
    if (inPlace) {
      out().print("\u001b[2J");
    }
    while (!out().checkError()) {
      var lines = show(nodes, before, PEERS_WATCHED).lines();
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

  private Shown show(List<AdminClient> nodes, Map<String, Look> before, int mostPeers)
      throws InterruptedException {
    var answers = Round.ask(nodes, "/status", MOST_BYTES);
    var silent =
        answers.stream()
            .filter(Round.Answer.None.class::isInstance)
            .map(Round.Answer.None.class::cast)
            .toList();
    if (silent.size() == answers.size()) {
      throw none(silent);
    }
    var lines = new ArrayList<String>();
    for (var answer : answers) {
      if (!json() && !lines.isEmpty()) {
        lines.add("");
      }
      lines.addAll(
          switch (answer) {
            case Round.Answer.Text(var node, var text) -> view(node, text, before, mostPeers);
            case Round.Answer.None none -> silence(none);
          });
    }
    return new Shown(
        lines, silent.isEmpty() ? ExitCode.OK : ExitCode.of(silent.getFirst().failure().code()));
  }

  private static ShuntException none(List<Round.Answer.None> silent) {
    var first = silent.getFirst().failure();
    return silent.size() == 1
        ? first
        : new ShuntException(
            first.code(),
            silent.stream().map(n -> n.failure().getMessage()).collect(Collectors.joining("\n")),
            first);
  }

  private List<String> silence(Round.Answer.None none) {
    var failure = none.failure();
    if (!json()) {
      Errors.report(err(), "status", failure.getMessage());
      return Lines.wrap(StatusView.label("node"), StatusView.INDENT, failure.getMessage());
    }
    var map = new LinkedHashMap<String, Object>();
    map.put("name", none.node().name());
    map.put("error", Errors.error(failure.code().name(), failure.getMessage()));
    return List.of(Json.of(map));
  }

  private List<String> view(
      AdminClient node, byte[] text, Map<String, Look> before, int mostPeers) {
    if (json()) {
      // One line, whatever it is that answers there.
      var line = new String(text, StandardCharsets.UTF_8).strip().replaceAll("[\\r\\n\\t]+", " ");
      return List.of(Printable.of(line));
    }
    var look = new Look(Tree.read("the status of " + node.name(), text), System.nanoTime());
    var last = Optional.ofNullable(before.put(node.address(), look));
    var nanos = last.map(l -> look.at() - l.at()).orElse(0L);
    return new StatusView(look.status(), last.map(Look::status), nanos, Instant.now(), mostPeers)
        .lines(node.pid());
  }
}
