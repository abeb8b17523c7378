package dev.shunt.runtime.config;

import dev.shunt.runtime.discovery.Discovered;
import dev.shunt.runtime.discovery.Kind;
import dev.shunt.runtime.discovery.Plugin;
import java.util.List;
import java.util.TreeSet;

/** Holds the transports that are to be used first against those that there are. */
final class PreferCheck {
  private PreferCheck() {}

  /**
   * @param found what was found, whether it is wanted or not
   */
  static void check(EngineConfig config, Discovered found, List<Problem> problems) {
    var known = new TreeSet<>(OwnPlugins.ids("shunt.transports"));
    found.transports().forEach(transport -> known.add(transport.id()));
    found.failed().stream().filter(PreferCheck::mayMove).map(Plugin::id).forEach(known::add);
    known.remove("");
    boolean someFailed = found.failed().stream().anyMatch(PreferCheck::mayMove);
    for (var id : config.transfer().prefer()) {
      var near = Nearest.to(id, known);
      // One that failed before it could say its id may be the one that is meant.
      if (!known.contains(id) && (near.isPresent() || !someFailed)) {
        new Values(config.merged(), problems)
            .wrong(
                "transfer.prefer",
                "there is no transport '"
                    + id
                    + "'"
                    + near.map(n -> "; did you mean " + n + "?").orElse("; there are " + known));
      }
    }
  }

  private static boolean mayMove(Plugin plugin) {
    return plugin.kind().isEmpty() || plugin.kind().get() == Kind.TRANSPORT;
  }
}
