package dev.shunt.runtime.config;

import dev.shunt.runtime.config.CapabilityUse.Use;
import dev.shunt.runtime.discovery.Discovered;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Holds the named capabilities against those that there are. */
final class CapabilityCheck {
  private CapabilityCheck() {}

  static void check(EngineConfig config, Discovered discovered, List<Problem> problems) {
    var offered = new TreeSet<String>();
    discovered.active().forEach(f -> f.capabilities().forEach(c -> offered.add(c.id())));
    var known = new TreeSet<>(offered);
    known.addAll(OwnPlugins.CAPABILITIES);
    for (var entry : config.capabilities().entrySet()) {
      check(entry, offered, known, config, discovered, problems);
    }
  }

  private static void check(
      Map.Entry<String, CapabilityUse> entry,
      Set<String> offered,
      Set<String> known,
      EngineConfig config,
      Discovered discovered,
      List<Problem> problems) {
    var id = entry.getKey();
    var values = new Values(config.merged(), problems);
    if (!known.contains(id)) {
      var near = Nearest.to(id, known);
      if (near.isPresent() || discovered.failed().isEmpty()) {
        values.wrong(
            "capabilities." + id,
            "there is no such capability"
                + near.map(n -> "; did you mean " + n + "?").orElse("; there are " + known));
      }
    } else if (entry.getValue().use() == Use.REQUIRED
        && !offered.contains(id)
        && !OwnPlugins.isOfTheRuntime(id)) {
      values.wrong(
          "capabilities." + id, "is required, and no plug-in that is in use here offers it");
    }
  }
}
