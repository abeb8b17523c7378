package dev.shunt.runtime.discovery;

import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.ServiceLoader;

/** The providers that were there when the JVM started: the image's modules, and the class path. */
final class ImageSource {
  private ImageSource() {}

  static List<Candidate> candidates() {
    var all = new ArrayList<Candidate>();
    for (var kind : Kind.values()) {
      all.addAll(ofModules(kind));
      all.addAll(ofClassPath(kind));
    }
    return all;
  }

  private static List<Candidate> ofModules(Kind kind) {
    var layer = Modules.layer();
    var declared = Declared.in(layer, kind.service());
    return new ServiceScan(kind, declared, type -> type.getModule().getLayer() == layer, false)
        .run(List.of(ServiceLoader.load(layer, kind.service())));
  }

  private static List<Candidate> ofClassPath(Kind kind) {
    var loader = Discovery.class.getClassLoader();
    var declared = Declared.in(services(loader, kind));
    // A module's own file of that name is seen too, and not read; its providers are told above.
    declared.keySet().removeAll(Declared.in(Modules.layer(), kind.service()).keySet());
    return new ServiceScan(kind, declared, type -> !type.getModule().isNamed(), !declared.isEmpty())
        .run(List.of(ServiceLoader.load(kind.service(), loader)));
  }

  private static List<URL> services(ClassLoader loader, Kind kind) {
    var urls =
        Foreign.call(
                () ->
                    Collections.list(
                        loader.getResources("META-INF/services/" + kind.service().getName())))
            .value();
    return urls == null ? List.of() : urls;
  }
}
