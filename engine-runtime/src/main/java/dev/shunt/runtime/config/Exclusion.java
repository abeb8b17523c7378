package dev.shunt.runtime.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigOrigin;
import dev.shunt.runtime.discovery.Discovered;
import dev.shunt.runtime.discovery.Found;
import dev.shunt.runtime.discovery.Kind;
import dev.shunt.runtime.discovery.Plugin;
import java.util.List;
import java.util.Optional;

/** What is to be said of {@code shunt.plugins.exclude}. */
final class Exclusion {
  private static final String KEY = "shunt.plugins.exclude";
  private static final int MOST = 16;

  private Exclusion() {}

  /**
   * A line for each id that no plug-in here has. It is no mistake in itself: one file serves a
   * cluster's different images.
   */
  static List<String> notes(List<String> exclude, Discovered found) {
    var known = OwnPlugins.ids();
    found.plugins().stream()
        .filter(plugin -> plugin.state() != Plugin.State.FAILED)
        .map(Plugin::id)
        .forEach(known::add);
    return exclude.stream()
        .distinct()
        .filter(id -> found.plugins().stream().noneMatch(plugin -> plugin.id().equals(id)))
        .limit(MOST)
        .map(
            id ->
                KEY
                    + " names "
                    + id
                    + ", and there is no such plug-in here"
                    + (known.contains(id) ? "" : meant(Nearest.to(id, known))))
        .toList();
  }

  private static String meant(Optional<String> id) {
    return id.map(near -> "; did you mean " + near + "?").orElse("");
  }

  /** What is wrong where the metadata backend that is to be used is kept out. */
  static Optional<Problem> ofBackend(Config merged, String type, Discovered discovered) {
    return discovered.plugins().stream()
        .filter(plugin -> plugin.state() == Plugin.State.EXCLUDED && plugin.id().equals(type))
        .filter(plugin -> plugin.kind().equals(Optional.of(Kind.METADATA)))
        .findFirst()
        .map(
            plugin ->
                Problem.at(
                    origin(merged, type),
                    Problem.Kind.OUT_OF_RANGE,
                    KEY,
                    "it keeps out the metadata plug-in "
                        + type
                        + ", and shunt.metadata.type = "
                        + type
                        + " needs it; leave it out here, or name another as shunt.metadata.type: "
                        + others(discovered)));
  }

  private static String others(Discovered discovered) {
    var ids = discovered.metadata().stream().map(Found::id).toList();
    return ids.isEmpty() ? "there is none here" : "there are " + String.join(", ", ids);
  }

  /** Where that id stands in the list. */
  private static ConfigOrigin origin(Config merged, String id) {
    var list = merged.getList(KEY);
    return list.stream()
        .filter(element -> id.equals(String.valueOf(element.unwrapped())))
        .findFirst()
        .orElse(list)
        .origin();
  }
}
