package dev.shunt.arch;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The modules of the build, as they were compiled. */
final class Reactor {
  private static final Path ROOT = Path.of(System.getProperty("shunt.root"));
  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

  private Reactor() {}

  /** The folders that the build names as its modules. */
  static List<Path> folders() {
    try {
      return MODULE
          .matcher(Files.readString(ROOT.resolve("pom.xml")))
          .results()
          .map(m -> ROOT.resolve(m.group(1)))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static JavaClasses mainClasses() {
    return new ClassFileImporter()
        .importPaths(folders().stream().map(f -> compiled(f, "classes")).toList());
  }

  /** Tests of all modules, less what is planted. */
  static JavaClasses testClasses() {
    return new ClassFileImporter()
        .withImportOption(location -> !location.contains("/dev/shunt/arch/planted/"))
        .importPaths(folders().stream().map(f -> compiled(f, "test-classes")).toList());
  }

  /** Each module's folder, with its descriptor. */
  static Map<Path, ModuleDescriptor> descriptors() {
    Map<Path, ModuleDescriptor> descriptors = new TreeMap<>();
    for (Path folder : folders()) {
      try (InputStream in =
          Files.newInputStream(compiled(folder, "classes").resolve("module-info.class"))) {
        descriptors.put(folder, ModuleDescriptor.read(in));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return descriptors;
  }

  static Path compiled(Path folder, String kind) {
    Path classes = folder.resolve("target").resolve(kind);
    if (!Files.isDirectory(classes)) {
      throw new IllegalStateException(
          classes + " is not there; these tests need all modules: mvn -pl distribution -am");
    }
    return classes;
  }
}
