package dev.shunt.runtime.discovery;

import java.lang.module.ModuleReference;
import java.net.URI;
import java.nio.file.Path;
import java.security.CodeSource;

/**
 * Where a provider comes from.
 *
 * @param module its module, or an empty text on the class path
 * @param location the jar, folder or image that holds it, as people write it
 */
public record Origin(String module, String location) {
  private static final String IN_CODE = "given in code, of ";

  /** Of a module that was found but perhaps not loaded. */
  static Origin of(ModuleReference reference) {
    return new Origin(
        reference.descriptor().name(), reference.location().map(Origin::readable).orElse(""));
  }

  /** Of a class that is loaded, though perhaps not initialised. */
  static Origin of(Class<?> type) {
    var module = type.getModule();
    var layer = module.getLayer();
    if (layer != null) {
      var resolved = layer.configuration().findModule(module.getName());
      if (resolved.isPresent()) {
        return of(resolved.get().reference());
      }
    }
    return new Origin(module.isNamed() ? module.getName() : "", location(type));
  }

  /** Whether it is of a provider that the caller handed over. */
  public boolean isInCode() {
    return location.startsWith(IN_CODE);
  }

  /** Of a provider that the caller handed over. */
  static Origin inCode(Class<?> type) {
    var origin = of(type);
    return new Origin(origin.module(), IN_CODE + origin.location());
  }

  static Origin of(Path path) {
    return new Origin("", path.toString());
  }

  static String readable(URI uri) {
    return "file".equals(uri.getScheme()) ? Path.of(uri).toString() : uri.toString();
  }

  private static String location(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    return source == null || source.getLocation() == null
        ? "an unknown place"
        : readable(URI.create(source.getLocation().toString()));
  }

  @Override
  public String toString() {
    return module.isEmpty() ? location : module + " (" + location + ")";
  }
}
