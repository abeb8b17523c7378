package dev.shunt.runtime.discovery;

import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import java.io.IOException;
import java.lang.module.ModuleFinder;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.ServiceLoader;
import java.util.TreeSet;
import java.util.zip.ZipFile;

/**
 * The plug-ins that are not part of the image: each jar or folder of a directory, in the order of
 * their names, each with a module finder and a layer of its own. What the image holds wins over a
 * module of the same name; two plug-ins do not see each other. Where the engine itself is on the
 * class path, a class loader stands for the layer.
 */
final class PluginDirectory {
  private final Path directory;

  PluginDirectory(Path directory) {
    this.directory = directory;
  }

  List<Candidate> candidates() {
    var all = new ArrayList<Candidate>();
    for (var plugin : plugins()) {
      var found = Foreign.call(() -> inModules() ? ofLayer(plugin) : ofLoader(plugin));
      if (found.thrown() != null) {
        all.add(unreadable(plugin, Foreign.text(found.thrown())));
      } else if (found.value().isEmpty()) {
        all.add(unreadable(plugin, "it provides none of the services of this runtime"));
      } else {
        all.addAll(found.value());
      }
    }
    return all;
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

  private static boolean inModules() {
    return Discovery.class.getModule().isNamed();
  }

  private static List<Candidate> ofLayer(Path plugin) {
    var parent = Discovery.class.getModule().getLayer();
    var finder = ModuleFinder.of(plugin);
    var roots = new TreeSet<String>();
    var taken = new TreeSet<String>();
    for (var reference : finder.findAll()) {
      var name = reference.descriptor().name();
      (parent.findModule(name).isPresent() ? taken : roots).add(name);
    }
    if (roots.isEmpty()) {
      return List.of(
          unreadable(
              plugin,
              taken.isEmpty() ? "it holds no module" : "this runtime has " + taken + " already"));
    }
    var configuration = parent.configuration().resolve(ModuleFinder.of(), finder, roots);
    var layer =
        parent.defineModulesWithOneLoader(configuration, PluginDirectory.class.getClassLoader());
    var all = new ArrayList<Candidate>();
    for (var kind : Kind.values()) {
      var declared = Declared.in(layer, kind.service());
      all.addAll(
          new ServiceScan(kind, declared, type -> type.getModule().getLayer() == layer, false)
              .run(List.of(ServiceLoader.load(layer, kind.service()))));
    }
    return all;
  }

  // The loader lives as long as its providers do, and is closed with them by the collector.
  @SuppressWarnings("resource")
  private static List<Candidate> ofLoader(Path plugin) throws IOException {
    var loader =
        new URLClassLoader(
            urls(plugin).toArray(URL[]::new), PluginDirectory.class.getClassLoader());
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
    return all;
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

  private static Candidate unreadable(Path plugin, String cause) {
    return new Candidate.Unreadable(plugin.getFileName().toString(), Origin.of(plugin), cause);
  }
}
