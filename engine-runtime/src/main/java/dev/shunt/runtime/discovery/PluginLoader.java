package dev.shunt.runtime.discovery;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.zip.ZipFile;

/** A plug-in where the engine itself is on the class path: a class loader stands for the layer. */
final class PluginLoader {
  private PluginLoader() {}

  // The loader lives as long as its providers do, and is closed with them by the collector.
  @SuppressWarnings("resource")
  static PluginPlace of(Path plugin) throws IOException {
    var loader =
        new URLClassLoader(urls(plugin).toArray(URL[]::new), PluginLoader.class.getClassLoader());
    var all = new ArrayList<Candidate>();
    for (var kind : Kind.values()) {
      var services =
          Collections.list(loader.findResources("META-INF/services/" + kind.service().getName()));
      var declared = Declared.in(services);
      if (!declared.isEmpty()) {
        all.addAll(
            new ServiceScan(kind, declared, type -> type.getClassLoader() == loader, false)
                .run(List.of(ServiceLoader.load(kind.service(), loader))));
      }
    }
    return new PluginPlace(all, Set.of());
  }

  private static List<URL> urls(Path plugin) throws IOException {
    var urls = new ArrayList<URL>();
    urls.add(url(plugin));
    if (Files.isDirectory(plugin)) {
      try (var jars = Files.list(plugin)) {
        for (var jar : jars.filter(p -> p.toString().endsWith(".jar")).sorted().toList()) {
          urls.add(url(jar));
        }
      }
    }
    return urls;
  }

  private static URL url(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      // A class loader would pass over what is no jar without a word.
      new ZipFile(path.toFile()).close();
    }
    return path.toUri().toURL();
  }
}
