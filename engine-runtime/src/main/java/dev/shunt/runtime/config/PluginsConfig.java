package dev.shunt.runtime.config;

import dev.shunt.runtime.discovery.Discovery;
import dev.shunt.runtime.discovery.ImageLayout;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
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
 * @param exclude ids of those that are not to be used
 * @param loadTimeout how long each of them may take, each time that its code is asked for something
 */
public record PluginsConfig(
    Optional<Path> directory,
    Set<String> nativeAccess,
    List<String> required,
    Set<String> exclude,
    Duration loadTimeout) {
  private static final Duration LEAST = Duration.ofMillis(100);

  /** Copies the list. */
  public PluginsConfig {
    required = List.copyOf(required);
  }

  /** One that is out of range is told once, and the default serves until it is put right. */
  static Duration loadTimeout(Values values) {
    var limit = values.time("plugins.load-timeout", LEAST);
    return limit.compareTo(LEAST) < 0 ? Discovery.LOAD_TIMEOUT : limit;
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
        values.texts("plugins.required"),
        new TreeSet<>(values.texts("plugins.exclude")),
        loadTimeout(values));
  }
}
