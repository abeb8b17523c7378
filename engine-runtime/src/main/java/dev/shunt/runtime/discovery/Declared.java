package dev.shunt.runtime.discovery;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Which classes a place declares as providers of a service, and where they come from. */
final class Declared {
  private Declared() {}

  /** By the modules of one layer, its parents left out. */
  static Map<String, Origin> in(ModuleLayer layer, Class<?> service) {
    var declared = new LinkedHashMap<String, Origin>();
    layer.configuration().modules().stream()
        .map(module -> module.reference())
        .sorted(java.util.Comparator.comparing(r -> r.descriptor().name()))
        .forEach(
            reference ->
                reference.descriptor().provides().stream()
                    .filter(p -> p.service().equals(service.getName()))
                    .flatMap(p -> p.providers().stream())
                    .forEach(name -> declared.put(name, Origin.of(reference))));
    return declared;
  }

  /** By {@code META-INF/services} of these places. What cannot be read declares nothing. */
  static Map<String, Origin> in(List<URL> services) {
    var declared = new LinkedHashMap<String, Origin>();
    for (var url : services) {
      var lines = Foreign.call(() -> lines(url)).value();
      if (lines != null) {
        for (var line : lines) {
          var name = line.replaceFirst("#.*", "").strip();
          if (!name.isEmpty()) {
            declared.putIfAbsent(name, new Origin("", place(url)));
          }
        }
      }
    }
    return declared;
  }

  private static List<String> lines(URL url) throws java.io.IOException {
    var connection = url.openConnection();
    connection.setUseCaches(false);
    try (var in =
        new BufferedReader(
            new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8))) {
      return in.lines().toList();
    }
  }

  private static String place(URL url) {
    return url.toString()
        .replaceFirst("^jar:", "")
        .replaceFirst("^file:", "")
        .replaceFirst("!?/META-INF/services/.*", "");
  }
}
