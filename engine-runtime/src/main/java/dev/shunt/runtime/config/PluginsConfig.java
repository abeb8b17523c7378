package dev.shunt.runtime.config;

import dev.shunt.runtime.discovery.ImageLayout;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * {@code shunt.plugins}.
 *
 * @param directory where plug-ins are that are not part of the image
 * @param nativeAccess modules of such plug-ins that may call native code
 * @param required ids without which the engine refuses to start
 */
public record PluginsConfig(
    Optional<Path> directory, Set<String> nativeAccess, List<String> required) {
  /** Copies the list. */
  public PluginsConfig {
    required = List.copyOf(required);
  }

  static PluginsConfig of(Values values) {
    var text = values.text("plugins.dir");
    Optional<Path> directory = Optional.empty();
    try {
      directory = text.isBlank() ? Optional.empty() : Optional.of(Path.of(text));
    } catch (InvalidPathException e) {
      values.wrong("plugins.dir", "'" + text + "' is no path: " + e.getReason());
    }
    return new PluginsConfig(
        directory.or(ImageLayout::plugins),
        new TreeSet<>(values.texts("plugins.native-access")),
        values.texts("plugins.required"));
  }
}
