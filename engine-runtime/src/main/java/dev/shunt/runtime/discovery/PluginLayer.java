package dev.shunt.runtime.discovery;

import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;

/**
 * A plug-in as modules: a finder and a layer of its own over the runtime's. What the runtime has
 * wins over a module of the same name, and two plug-ins do not see each other.
 */
final class PluginLayer {
  private PluginLayer() {}

  @SuppressWarnings("restricted")
  static PluginPlace of(Path plugin, Set<String> nativeAccess) {
    var parent = Modules.layer();
    var finder = ModuleFinder.of(plugin);
    var roots = new TreeSet<String>();
    var taken = new TreeSet<String>();
    for (var reference : finder.findAll()) {
      var name = reference.descriptor().name();
      (parent.findModule(name).isPresent() ? taken : roots).add(name);
    }
    if (roots.isEmpty()) {
      return new PluginPlace(
          List.of(
              new Candidate.Unreadable(
                  plugin.getFileName().toString(),
                  Origin.of(plugin),
                  taken.isEmpty()
                      ? "it holds no module"
                      : "this runtime has " + taken + " already")),
          Set.of());
    }
    var configuration = parent.configuration().resolve(ModuleFinder.of(), finder, roots);
    var controller =
        ModuleLayer.defineModulesWithOneLoader(
            configuration, List.of(parent), PluginLayer.class.getClassLoader());
    var layer = controller.layer();
    var granted = new TreeSet<String>();
    for (var module : layer.modules()) {
      if (nativeAccess.contains(module.getName())) {
        controller.enableNativeAccess(module);
        granted.add(module.getName());
      }
    }
    var all = new ArrayList<Candidate>();
    for (var kind : Kind.values()) {
      var declared = Declared.in(layer, kind.service());
      all.addAll(
          new ServiceScan(kind, declared, type -> type.getModule().getLayer() == layer, false)
              .run(List.of(ServiceLoader.load(layer, kind.service()))));
    }
    return new PluginPlace(all, granted);
  }
}
