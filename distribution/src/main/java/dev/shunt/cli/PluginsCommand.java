package dev.shunt.cli;

import dev.shunt.api.spi.Capability;
import dev.shunt.api.spi.Spi;
import dev.shunt.runtime.config.Inspection;
import dev.shunt.runtime.discovery.Plugin;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;

/** {@code shunt plugins}. */
@Command(
    name = "plugins",
    header = "Lists the plug-ins of this image and of plugins.dir, and what became of each.",
    description = {
      "ACTIVE ones would be used, DISABLED ones are not wanted by the configuration, EXCLUDED ones are"
          + " named in plugins.exclude, FAILED ones do not work, and the cause tells why. They are asked what they are,"
          + " and whether this machine lacks what they need, such as a library, and not started:"
          + " 'shunt doctor' does that. The exit code is 3 where one of plugins.required is not"
          + " active, or where the configuration is wrong otherwise.",
      "",
      "JSON: an object with 'spi', 'plugins' (each with 'kind', 'id', 'version', 'spi', 'module',"
          + " 'location', 'state', 'cause' and 'capabilities') and 'problems'."
    },
    footer = {
      "%nExamples:",
      "  shunt plugins",
      "  shunt plugins --set plugins.dir=/opt/shunt/plugins"
    })
final class PluginsCommand extends EngineCommand {
  private static final int INDENT = 12;

  @Override
  Integer execute() {
    quiet();
    // Those that fail are told below, with the others.
    LogLevels.logger("dev.shunt.runtime.discovery").setLevel(java.util.logging.Level.SEVERE);
    var inspection = settings(List.of()).inspect().looked();
    if (json()) {
      out().println(Json.of(toMap(inspection)));
    } else {
      inspection.discovered().plugins().forEach(plugin -> print(plugin, inspection));
    }
    out().flush();
    inspection.problems().forEach(p -> Errors.report(err(), "plugins", p.describe()));
    return (inspection.problems().isEmpty() ? ExitCode.OK : ExitCode.CONFIGURATION).number();
  }

  private void print(Plugin plugin, Inspection inspection) {
    var title =
        kind(plugin)
            + " "
            + plugin.id()
            + (plugin.version().isEmpty() ? "" : " " + plugin.version())
            + (admitted(plugin) ? ", SPI " + Spi.VERSION : "");
    Lines.wrap(String.format("%-" + INDENT + "s", plugin.state()), INDENT, title)
        .forEach(out()::println);
    detail("from", plugin.origin().toString());
    var capabilities = capabilities(plugin, inspection);
    if (!capabilities.isEmpty()) {
      detail("offers", capabilities.stream().map(this::text).collect(Collectors.joining(", ")));
    }
    if (!plugin.cause().isEmpty()) {
      detail("because", plugin.cause());
    }
  }

  private void detail(String what, String text) {
    Lines.wrap(" ".repeat(INDENT) + String.format("%-8s", what), INDENT + 8, text)
        .forEach(out()::println);
  }

  private String text(Capability capability) {
    return capability.id()
        + " "
        + (capability.lowest() == capability.highest()
            ? Integer.toString(capability.lowest())
            : capability.lowest() + "-" + capability.highest());
  }

  private static String kind(Plugin plugin) {
    return plugin.kind().map(k -> k.label()).orElse("plugin");
  }

  /** One of another version of the interface is not admitted; its cause tells which. */
  private static boolean admitted(Plugin plugin) {
    return plugin.state() != Plugin.State.FAILED;
  }

  private static List<Capability> capabilities(Plugin plugin, Inspection inspection) {
    return inspection.found().active().stream()
        .filter(f -> plugin.kind().filter(f.kind()::equals).isPresent())
        .filter(f -> f.id().equals(plugin.id()) && f.origin().equals(plugin.origin()))
        .findFirst()
        .map(f -> f.capabilities())
        .orElse(List.of());
  }

  private Map<String, Object> toMap(Inspection inspection) {
    var map = new LinkedHashMap<String, Object>();
    map.put("spi", Spi.VERSION);
    map.put(
        "plugins",
        inspection.discovered().plugins().stream().map(p -> toMap(p, inspection)).toList());
    map.put("problems", inspection.problems().stream().map(Errors::problem).toList());
    return map;
  }

  private Map<String, Object> toMap(Plugin plugin, Inspection inspection) {
    var map = new LinkedHashMap<String, Object>();
    map.put("kind", kind(plugin));
    map.put("id", plugin.id());
    map.put("version", plugin.version());
    map.put(
        "spi", admitted(plugin) ? java.util.Optional.of(Spi.VERSION) : java.util.Optional.empty());
    map.put("module", plugin.origin().module());
    map.put("location", plugin.origin().location());
    map.put("state", plugin.state().name());
    map.put("cause", plugin.cause());
    map.put(
        "capabilities",
        capabilities(plugin, inspection).stream()
            .map(
                c -> {
                  var one = new LinkedHashMap<String, Object>();
                  one.put("id", c.id());
                  one.put("lowest", c.lowest());
                  one.put("highest", c.highest());
                  one.put("scope", c.scope().name());
                  one.put("requires", c.requires());
                  return one;
                })
            .toList());
    return map;
  }
}
