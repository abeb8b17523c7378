package dev.shunt.cli;

import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import dev.shunt.runtime.config.Inspection;
import dev.shunt.runtime.config.Shown;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code shunt config}. */
@Command(
    name = "config",
    header = "Shows the configuration as a node would read it, and where each value came from.",
    description = {
      "Reads as a node does, opens nothing, and tells all that is wrong at once, on standard error."
          + " Secrets are never shown. What the file says of other nodes is left out; --path nodes"
          + " shows it. 'shunt serve' turns admin.enable and recorder.enable on where nobody says"
          + " otherwise.",
      "",
      "JSON: an object with 'valid', 'values' (each with 'key', 'value', 'origin', 'default' and"
          + " 'secret'), 'problems' (each with 'kind', 'where', 'key' and 'text') and 'notes'."
    },
    footer = {
      "%nExamples:",
      "  shunt config --config cluster.conf --check",
      "  shunt config --config cluster.conf --set name=node7 --changed",
      "  shunt config --path transports.tcp"
    })
final class ConfigCommand extends EngineCommand {
  private static final String ROOT = "shunt.";
  private static final String NODES = "nodes";

  @Option(
      names = "--path",
      paramLabel = "KEY",
      description = "Show this value, or those of this section, such as transports.tcp.")
  private Optional<String> path = Optional.empty();

  @Option(names = "--changed", description = "Leave out what has its default.")
  private boolean changed;

  @Option(names = "--check", description = "Show no values; only tell whether all of it is right.")
  private boolean check;

  @Override
  Integer execute() {
    quiet();
    var inspection = settings(List.of()).inspect();
    var values = check ? List.<Shown>of() : values(inspection);
    if (json()) {
      out().println(Json.of(toMap(inspection, values)));
    } else {
      values.forEach(this::print);
      print(inspection, values);
    }
    out().flush();
    inspection.problems().forEach(p -> Errors.report(err(), "config", p.describe()));
    return (inspection.problems().isEmpty() ? ExitCode.OK : ExitCode.CONFIGURATION).number();
  }

  private List<Shown> values(Inspection inspection) {
    var wanted = path.map(p -> p.replaceFirst("^shunt(\\.|$)", "")).orElse("");
    var under =
        Shown.all(inspection).stream()
            // What stands under nodes has its effect above, for the node that is this one.
            .filter(
                v -> wanted.isEmpty() ? !isAtOrBelow(key(v), NODES) : isAtOrBelow(key(v), wanted))
            .toList();
    if (under.isEmpty()) {
      throw new ShuntException(
          FailureCode.CONFIGURATION,
          "--path " + wanted + ": there is no such key; shunt config shows all there are");
    }
    return under.stream().filter(v -> !changed || !v.isDefault()).toList();
  }

  private static boolean isAtOrBelow(String key, String wanted) {
    return key.equals(wanted) || key.startsWith(wanted + ".");
  }

  private static String key(Shown value) {
    return value.path().substring(ROOT.length());
  }

  private void print(Shown value) {
    var text = Printable.of(key(value) + " = " + value.value());
    var origin = Printable.of("# " + value.origin());
    // Beside it where there is room, so that the eye finds one column of origins.
    int column = 48;
    if (text.length() < column && column + origin.length() <= Lines.WIDTH) {
      out().println(text + " ".repeat(column - text.length()) + origin);
    } else if (text.length() + 2 + origin.length() <= Lines.WIDTH) {
      out().println(text + "  " + origin);
    } else {
      out().println(text);
      out().println("    " + origin);
    }
  }

  private void print(Inspection inspection, List<Shown> values) {
    for (var note : inspection.notes()) {
      Lines.wrap("note: ", 6, note).forEach(out()::println);
    }
    if (changed && values.isEmpty() && !check) {
      out().println("every value has its default");
    }
    if (check && inspection.problems().isEmpty()) {
      out().println("valid");
    }
  }

  private static Map<String, Object> toMap(Inspection inspection, List<Shown> values) {
    var map = new LinkedHashMap<String, Object>();
    map.put("valid", inspection.problems().isEmpty());
    var list = new ArrayList<Map<String, Object>>();
    for (var value : values) {
      var one = new LinkedHashMap<String, Object>();
      one.put("key", key(value));
      one.put("value", value.plain());
      one.put("origin", value.origin());
      one.put("default", value.isDefault());
      one.put("secret", value.secret());
      list.add(one);
    }
    map.put("values", list);
    map.put("problems", inspection.problems().stream().map(Errors::problem).toList());
    map.put("notes", inspection.notes());
    return map;
  }
}
