package dev.shunt.arch;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Exports;
import java.lang.module.ModuleDescriptor.Provides;
import java.lang.module.ModuleDescriptor.Requires;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Who may require whom, what a plug-in may export, and where services are declared. */
final class ModuleRules {
  private static final String OURS = "dev.shunt.";
  private static final String API = "dev.shunt.api";
  private static final String RUNTIME = "dev.shunt.runtime";
  private static final String CLI = "dev.shunt.cli";

  private ModuleRules() {}

  /** What is wrong with one module's descriptor; empty if nothing is. */
  static List<String> check(ModuleDescriptor module) {
    List<String> wrong = new ArrayList<>();
    Set<String> allowed =
        switch (module.name()) {
          case API -> Set.of();
          case CLI -> Set.of(API, RUNTIME);
          default -> Set.of(API);
        };
    for (Requires requires : module.requires()) {
      if (requires.name().startsWith(OURS) && !allowed.contains(requires.name())) {
        wrong.add(module.name() + " requires " + requires.name());
      }
    }
    if (isPlugin(module.name())) {
      for (Exports exports : module.exports()) {
        wrong.add(module.name() + " exports " + exports.source());
      }
    }
    return wrong;
  }

  /** Whether {@code META-INF/services} says what the descriptor says. */
  static List<String> checkServices(ModuleDescriptor module, Path classes) throws IOException {
    Map<String, List<String>> declared =
        module.provides().stream()
            .collect(Collectors.toMap(Provides::service, Provides::providers));
    Map<String, List<String>> written = new HashMap<>();
    Path services = classes.resolve("META-INF/services");
    if (Files.isDirectory(services)) {
      try (Stream<Path> files = Files.list(services)) {
        for (Path file : files.toList()) {
          written.put(file.getFileName().toString(), Files.readAllLines(file));
        }
      }
    }
    return declared.equals(written)
        ? List.of()
        : List.of(
            module.name() + " provides " + declared + ", but META-INF/services says " + written);
  }

  /** Services that somebody wrote by hand below a module's sources. */
  static List<String> checkSources(Path folder) throws IOException {
    Path sources = folder.resolve("src");
    if (!Files.isDirectory(sources)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(sources)) {
      return files
          .filter(f -> f.endsWith(Path.of("META-INF", "services")))
          .map(f -> f + " is written by hand; module-info.java declares services")
          .toList();
    }
  }

  private static boolean isPlugin(String module) {
    return !Set.of(API, RUNTIME, CLI).contains(module);
  }
}
