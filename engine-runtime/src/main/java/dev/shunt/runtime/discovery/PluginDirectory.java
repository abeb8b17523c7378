package dev.shunt.runtime.discovery;

import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The plug-ins that are not part of the image: each jar or folder of a directory, in the order of
 * their names, each in a {@link PluginPlace} of its own.
 */
final class PluginDirectory {
  private static final Logger LOG = LoggerFactory.getLogger(PluginDirectory.class);

  private final Path directory;
  private final Set<String> nativeAccess;

  /**
   * @param nativeAccess modules that may call native code
   */
  PluginDirectory(Path directory, Set<String> nativeAccess) {
    this.directory = directory;
    this.nativeAccess = nativeAccess;
  }

  List<Candidate> candidates() {
    var all = new ArrayList<Candidate>();
    var strangers = new TreeSet<>(nativeAccess);
    for (var plugin : plugins()) {
      var found = Foreign.call(() -> place(plugin));
      if (found.thrown() != null) {
        all.add(unreadable(plugin, Remedies.text(found.thrown())));
      } else if (found.value().candidates().isEmpty()) {
        all.add(unreadable(plugin, "it provides none of the services of this runtime"));
      } else {
        all.addAll(found.value().candidates());
        strangers.removeAll(found.value().granted());
      }
    }
    if (!strangers.isEmpty()) {
      LOG.warn(
          "shunt.plugins.native-access names {}, and no plug-in that could be read in {} has such a"
              + " module{}",
          strangers,
          directory,
          Modules.here() ? "" : " (the engine is on the class path, where there are none)");
    }
    return all;
  }

  private PluginPlace place(Path plugin) throws IOException {
    // A module finder takes what it cannot find, or may not read, for an empty one.
    if (!Files.isReadable(plugin)) {
      throw unreadable(plugin);
    }
    return PluginPlaces.of(plugin, nativeAccess);
  }

  private static FileSystemException unreadable(Path plugin) {
    return Files.exists(plugin)
        ? new AccessDeniedException(plugin.toString(), null, "this user may not read it")
        : new NoSuchFileException(plugin.toString(), null, "the link leads nowhere");
  }

  private List<Path> plugins() {
    try (var entries = Files.list(directory)) {
      return entries.filter(PluginDirectory::isPlugin).sorted().toList();
    } catch (IOException e) {
      throw new ShuntException(
          FailureCode.CONFIGURATION,
          "the plug-ins' directory "
              + directory
              + " (shunt.plugins.dir) cannot be read: "
              + Foreign.text(e),
          e);
    }
  }

  private static boolean isPlugin(Path entry) {
    return Files.isDirectory(entry) || entry.getFileName().toString().endsWith(".jar");
  }

  private static Candidate unreadable(Path plugin, String cause) {
    return new Candidate.Unreadable(plugin.getFileName().toString(), Origin.of(plugin), cause);
  }
}
