package dev.shunt.runtime.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigObject;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Whether a node finds itself under {@code nodes}. One that does not may well be right, since what
 * the nodes share is enough for it; or its name is mistyped, and it runs without what was meant.
 */
final class NodeSections {
  private NodeSections() {}

  /** What is worth a line of it. */
  static Optional<String> note(Config merged) {
    var shunt = merged.getObject("shunt");
    if (!(shunt.get("nodes") instanceof ConfigObject nodes) || nodes.isEmpty()) {
      return Optional.empty();
    }
    var name = merged.getString("shunt.name");
    if (nodes.containsKey(name)) {
      return Optional.empty();
    }
    var names = new TreeSet<>(nodes.keySet());
    var there = Names.few(names);
    if (name.isEmpty()) {
      return Optional.of(
          "shunt.name is not given, so that none of the sections under shunt.nodes counts; there"
              + " are "
              + there);
    }
    var where = Problem.where(shunt.get("name").origin());
    var nearest = Nearest.to(name, names).map(n -> "; did you mean " + n + "?").orElse("");
    return Optional.of(
        where
            + ": shunt.name: shunt.nodes has no section '"
            + name
            + "', so that only what all nodes share counts"
            + nearest
            + "; there are "
            + there);
  }
}
