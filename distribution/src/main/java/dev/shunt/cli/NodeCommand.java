package dev.shunt.cli;

import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import dev.shunt.runtime.admin.RuntimeEntry;
import dev.shunt.runtime.admin.RuntimeFiles;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What commands share that ask a node which runs already. */
abstract class NodeCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--node",
      paramLabel = "NAME",
      description = "The node to ask, of those that this user runs on this machine. Default: all.")
  private Optional<String> node = Optional.empty();

  @Option(
      names = "--admin",
      paramLabel = "HOST:PORT",
      description = "Where to ask, for a node that is not found by its name: its shunt.admin.")
  private Optional<String> admin = Optional.empty();

  @Option(
      names = "--runtime-dir",
      paramLabel = "DIR",
      description =
          "Where to look for nodes, if their shunt.admin.runtime-dir is not the usual one.")
  private List<Path> places = new ArrayList<>();

  @Option(
      names = "--output",
      defaultValue = "text",
      paramLabel = "FORMAT",
      description = "What standard output is: ${COMPLETION-CANDIDATES}. Default: text.")
  private OutputFormat format;

  @Option(names = "--verbose", description = "Show the stack trace of what went wrong.")
  private boolean verbose;

  /** Whether standard output is for programs. */
  final boolean json() {
    return format == OutputFormat.JSON;
  }

  /** Whether more is to be shown of what happens. */
  final boolean verbose() {
    return verbose;
  }

  /** Standard error. */
  final PrintWriter err() {
    return spec.commandLine().getErr();
  }

  final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  final ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /** The nodes that are meant, one at least. */
  final List<AdminClient> nodes() {
    if (admin.isPresent() && node.isPresent()) {
      throw usage("--node and --admin name one node twice; give one of them");
    }
    var running = RuntimeFiles.running(places);
    if (admin.isPresent()) {
      var address = admin.get();
      if (!address.matches("([^\\s:/]+|\\[[0-9a-fA-F:.%]+]):[0-9]{1,5}")) {
        throw usage("--admin " + address + " is no HOST:PORT");
      }
      var token =
          running.stream()
              .filter(entry -> entry.admin().equals(address))
              .map(RuntimeEntry::token)
              .findFirst();
      return List.of(AdminClient.at(address, token));
    }
    var meant =
        running.stream().filter(e -> node.isEmpty() || e.name().equals(node.get())).toList();
    if (meant.isEmpty()) {
      throw noNode(running);
    }
    return meant.stream().map(AdminClient::of).toList();
  }

  /** The one node that is meant. */
  final AdminClient oneNode() {
    var nodes = nodes();
    if (nodes.size() > 1) {
      throw usage(
          "several nodes run here; choose one with --node: "
              + nodes.stream().map(AdminClient::name).collect(Collectors.joining(", ")));
    }
    return nodes.getFirst();
  }

  private ShuntException noNode(List<RuntimeEntry> running) {
    if (!running.isEmpty()) {
      return new ShuntException(
          FailureCode.UNREACHABLE,
          "no node "
              + node.orElse("")
              + " runs here; there are "
              + running.stream().map(RuntimeEntry::name).collect(Collectors.joining(", ")));
    }
    var looked = places.isEmpty() ? RuntimeFiles.places() : places;
    return new ShuntException(
        FailureCode.UNREACHABLE,
        "no node of this user runs here: none is in "
            + looked.stream().map(Path::toString).collect(Collectors.joining(", "))
            + ". shunt serve starts one; a program's needs shunt.admin.enable = true; --admin"
            + " HOST:PORT asks one elsewhere");
  }
}
