package dev.shunt.cli;

import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code shunt rail}. */
@Command(
    name = "rail",
    header = "Lists a node's rails, takes one out of use, or brings one back.",
    description = {
      "'list' shows the rails of the nodes that this user runs here. 'drain' takes a rail out of use,"
          + " as before work on a cable: what is under way on it goes on by other rails, nothing new"
          + " goes by it, peers are told, and it stays so whatever its link does. 'restore' checks a"
          + " rail at once and brings it back, whatever it was out of use for; exit code 1 says that"
          + " it did not pass. Where several nodes run here, --node says which one is meant.",
      "",
      "JSON: an object for each rail, a line each, with 'node', 'transport', 'name', 'state' (ACTIVE,"
          + " INACTIVE, RECOVERING, DRAINED), 'cause', 'next_delay_ms', 'failures_in_a_row', and where"
          + " they are known 'since', 'recover_at' and 'verified_at'."
    },
    footer = {
      "%nExamples:",
      "  shunt rail list",
      "  shunt rail drain tcp/10.0.0.1",
      "  shunt rail restore 10.0.0.1 --node 10.0.0.2:15000 --output json"
    })
final class RailCommand extends NodeCommand {
  private static final int MOST_BYTES = 256 << 20;
  private static final Duration CHECK = Duration.ofMinutes(2);

  /** What is done. */
  enum Action {
    LIST,
    DRAIN,
    RESTORE
  }

  @Parameters(
      index = "0",
      paramLabel = "ACTION",
      description = "What to do: list, drain or restore.")
  private Action action;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "[TRANSPORT/]RAIL",
      description = "The rail; its transport where several have one of that name.")
  private Optional<String> rail = Optional.empty();

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "3s",
      description =
          "How long the node may take to answer; a check has two minutes. Default:"
              + " ${DEFAULT-VALUE}.")
  private Duration timeout;

  /** One rail, as a node tells of it. */
  private record Found(String transport, Tree rail) {
    String name() {
      return transport + "/" + rail.text("name");
    }
  }

  @Override
  public Integer call() throws InterruptedException {
    if (action == Action.LIST) {
      return list();
    }
    if (rail.isEmpty()) {
      throw usage("which rail? 'shunt rail list' shows those that there are");
    }
    return change(oneNode().within(timeout), action == Action.RESTORE);
  }

  // ---- looking

  private Integer list() throws InterruptedException {
    var code = ExitCode.OK;
    for (var answer : Round.ask(within(nodes()), "/status", MOST_BYTES)) {
      switch (answer) {
        case Round.Answer.Text(var node, var text) ->
            rails(node, text).stream()
                .filter(found -> rail.isEmpty() || fits(found))
                .forEach(found -> show(node, found.transport, found.rail));
        case Round.Answer.None(var node, var failure) -> {
          Errors.report(err(), "rail", failure.getMessage());
          code = ExitCode.of(failure.code());
        }
      }
    }
    out().flush();
    return code.number();
  }

  private List<AdminClient> within(List<AdminClient> nodes) {
    return nodes.stream().map(node -> node.within(timeout)).toList();
  }

  private static List<Found> rails(AdminClient node, byte[] text) {
    var all = new ArrayList<Found>();
    for (var transport : Tree.read("the status of " + node.name(), text).objects("transports")) {
      for (var one : transport.objects("rails")) {
        all.add(new Found(transport.text("id"), one));
      }
    }
    return all;
  }

  private boolean fits(Found found) {
    var wanted = rail.orElseThrow();
    return found.name().equals(wanted) || found.rail.text("name").equals(wanted);
  }

  // ---- changing

  private Integer change(AdminClient node, boolean restore) {
    if (node.token().isEmpty()) {
      throw new ShuntException(
          FailureCode.REJECTED,
          "rails are changed by the user of their node, on its machine: no runtime file here tells"
              + " of a node at "
              + node.address());
    }
    var all = rails(node, node.get("/status", MOST_BYTES));
    var found = one(node, all);
    var answer =
        Tree.read(
            "the answer of " + node.name(),
            node.post(
                path(found, restore ? "restore" : "drain"), restore ? CHECK : timeout, MOST_BYTES));
    show(node, found.transport, answer);
    out().flush();
    var wanted = restore ? "ACTIVE" : "DRAINED";
    if (!restore && all.stream().noneMatch(other -> other != found && active(other))) {
      Errors.report(err(), "rail", node.name() + " has no rail in use any more");
    }
    return (answer.text("state").equals(wanted) ? ExitCode.OK : ExitCode.FAILED).number();
  }

  private static boolean active(Found found) {
    return found.rail.text("state").equals("ACTIVE");
  }

  private Found one(AdminClient node, List<Found> all) {
    var fitting = all.stream().filter(this::fits).toList();
    if (fitting.size() == 1) {
      return fitting.getFirst();
    }
    var names = (fitting.isEmpty() ? all : fitting).stream().map(Found::name).toList();
    throw new ShuntException(
        FailureCode.REJECTED,
        node.name()
            + (fitting.isEmpty() ? " has no rail " : " has several rails ")
            + rail.orElseThrow()
            + "; "
            + (fitting.isEmpty() ? "it has " : "name one of ")
            + String.join(", ", names));
  }

  private static String path(Found found, String what) {
    try {
      var path = "/rails/" + found.transport + "/" + found.rail.text("name") + "/" + what;
      return new URI(null, null, path, null).getRawPath();
    } catch (URISyntaxException e) {
      throw new ShuntException(
          FailureCode.INTERNAL, "the name of a rail cannot be written into a path", e);
    }
  }

  // ---- showing

  private void show(AdminClient node, String transport, Tree one) {
    if (json()) {
      var map = new LinkedHashMap<String, Object>();
      map.put("node", node.name());
      map.put("transport", transport);
      one.keys().forEach((key, value) -> map.putIfAbsent(key.toString(), value));
      out().println(Json.of(map));
      return;
    }
    var text =
        node.name()
            + " "
            + transport
            + "/"
            + one.text("name")
            + " "
            + one.text("state")
            + one.optional("since").map(since -> " since " + since).orElse("")
            + (one.text("state").equals("ACTIVE") ? "" : because(one));
    out().println(Printable.of(text));
  }

  private static String because(Tree one) {
    var until = one.optional("recover_at").map(at -> ", to be checked at " + at).orElse("");
    return until + (one.text("cause").isEmpty() ? "" : ": " + one.text("cause"));
  }
}
