package dev.shunt.runtime.discovery;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The places of plug-ins that this JVM has made. Engines that find the same jar share its layer, so
 * that opening and closing engines loads no class twice; a jar that was replaced gets a new one.
 */
final class PluginPlaces {
  private static final int MOST = 256;

  /** Engines open on any thread. The least recently used one goes first. */
  private static final Map<Key, PluginPlace> MADE =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, PluginPlace> eldest) {
          return size() > MOST;
        }
      };

  private PluginPlaces() {}

  private record Key(Path place, String stamp, Set<String> nativeAccess) {}

  /**
   * The place of one jar or folder.
   *
   * @throws IOException if it cannot be read
   */
  static PluginPlace of(Path plugin, Set<String> nativeAccess) throws IOException {
    var key = new Key(plugin.toRealPath(), stamp(plugin), new TreeSet<>(nativeAccess));
    // Under one lock, or two engines that open at once would make two layers.
    synchronized (MADE) {
      var place = MADE.get(key);
      if (place == null) {
        place = Modules.here() ? PluginLayer.of(plugin, nativeAccess) : PluginLoader.of(plugin);
        MADE.put(key, place);
      }
      return place;
    }
  }

  /** Another text for whatever changed in it. */
  private static String stamp(Path plugin) throws IOException {
    var text = new StringBuilder();
    try (var files = Files.walk(plugin)) {
      for (var file : files.filter(Files::isRegularFile).sorted().toList()) {
        var attributes = Files.readAttributes(file, BasicFileAttributes.class);
        text.append(plugin.relativize(file))
            .append(' ')
            .append(attributes.size())
            .append(' ')
            .append(attributes.lastModifiedTime())
            .append(' ')
            .append(attributes.fileKey())
            .append('\n');
      }
    }
    return text.toString();
  }
}
