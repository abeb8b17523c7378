package dev.shunt.cli;

import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code shunt recording}. */
@Command(
    name = "recording",
    header = "Fetches what a node's flight recorder remembers, as a JFR file.",
    description = {
      "'shunt serve' records all the time, unless shunt.recorder.enable is false, and keeps"
          + " shunt.recorder.max-age of it. 'jfr view' and 'jfr print', and JDK Mission Control, read"
          + " the file; the events of shunt are called dev.shunt.*.",
      "",
      "The file may hold system properties and environment variables: it is made for its owner alone.",
      "",
      "JSON: an object with 'file', 'bytes' and 'node'."
    },
    footer = {
      "%nExamples:",
      "  shunt recording -o fault.jfr",
      "  shunt recording --node 10.0.0.2:15000 && jfr print --events 'dev.shunt.*' shunt-*.jfr"
    })
final class RecordingCommand extends NodeCommand {
  @Option(
      names = {"-o", "--file"},
      paramLabel = "FILE",
      description = "Where to put it. Default: shunt-NODE-TIME.jfr, in this folder.")
  private Optional<Path> file = Optional.empty();

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "3s",
      description = "How long the node may take to answer at all. Default: ${DEFAULT-VALUE}.")
  private Duration timeout;

  @Override
  public Integer call() {
    var node = oneNode().within(timeout);
    // Whether it answers at all is told first, and soon: a recording may take its time.
    node.reach();
    if (node.token().isEmpty()) {
      throw new ShuntException(
          FailureCode.REJECTED,
          "a recording is for the user of its node, on its machine: no runtime file here tells of"
              + " a node at "
              + node.address());
    }
    var to = file.orElseGet(() -> Path.of(name(node))).toAbsolutePath();
    var place = new OutputFile("--file", to, true);
    place.check();
    long bytes = place.write(out -> node.copy("/recording", out));
    if (json()) {
      var map = new LinkedHashMap<String, Object>();
      map.put("file", to.toString());
      map.put("bytes", bytes);
      map.put("node", node.name());
      out().println(Json.of(map));
    } else {
      out().println(Printable.of(to + ", " + Units.bytes(bytes) + " of " + node.name()));
    }
    out().flush();
    return ExitCode.OK.number();
  }

  private static String name(AdminClient node) {
    var time = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").format(LocalDateTime.now());
    return "shunt-" + node.name().replaceAll("[^A-Za-z0-9._-]+", "_") + "-" + time + ".jfr";
  }
}
