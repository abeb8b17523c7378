package dev.shunt.runtime.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * {@code shunt.plugins}.
 *
 * @param directory where plug-ins are that are not part of the image
 * @param required ids without which the engine refuses to start
 */
public record PluginsConfig(Optional<Path> directory, List<String> required) {
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
    return new PluginsConfig(directory, values.texts("plugins.required"));
  }
}
