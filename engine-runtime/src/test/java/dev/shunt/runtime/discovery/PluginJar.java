package dev.shunt.runtime.discovery;

import com.typesafe.config.Config;
import dev.shunt.api.spi.Spi;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.spi.ToolProvider;

/**
 * Compiles a plug-in of a third party and packs it, as a module that also serves the class path.
 */
public final class PluginJar {
  private static final String TRANSPORT = "dev.shunt.api.spi.TransportProvider";

  private final String module;
  private final String packageName;
  private final List<String> requires = new ArrayList<>();
  private final List<String> providers = new ArrayList<>();
  private final Map<String, String> sources = new LinkedHashMap<>();
  private final Map<String, String> resources = new LinkedHashMap<>();
  private final Set<String> dropped = new LinkedHashSet<>();
  private final Set<String> aged = new LinkedHashSet<>();
  private String alsoOnPath = "";

  /** A plug-in in a module, and in a package of the same name. */
  public PluginJar(String module) {
    this.module = module;
    this.packageName = module;
  }

  /** A transport provider that works, but for what the body says. */
  public PluginJar transport(String name, String id, String body) {
    providers.add(packageName + "." + name);
    return source(
        name,
        "public class "
            + name
            + " implements dev.shunt.api.spi.TransportProvider {\n"
            + (body.contains(" id()") ? "" : "  public String id() { return \"" + id + "\"; }\n")
            + (body.contains(" spiVersion()")
                ? ""
                : "  public int spiVersion() { return dev.shunt.api.spi.Spi.VERSION; }\n")
            + (body.contains(" version()")
                ? ""
                : "  public String version() { return \"1.2.3\"; }\n")
            + (body.contains(" create(")
                ? ""
                : "  public dev.shunt.api.spi.Transport create("
                    + "dev.shunt.api.spi.TransportContext context) {\n"
                    + "    throw new UnsupportedOperationException();\n"
                    + "  }\n")
            + body
            + "\n}\n");
  }

  /** A provider written out in full. */
  public PluginJar provider(String name, String text) {
    providers.add(packageName + "." + name);
    return source(name, text);
  }

  /** Another class. */
  public PluginJar source(String name, String text) {
    sources.put(name, "package " + packageName + ";\n" + text);
    return this;
  }

  /** A file in the root. */
  public PluginJar resource(String name, String text) {
    resources.put(name, text);
    return this;
  }

  /** A module that it requires. */
  public PluginJar requires(String name) {
    requires.add(name);
    return this;
  }

  /** A class that is left out of the jar. */
  public PluginJar without(String name) {
    dropped.add(name);
    return this;
  }

  /** A class that gets the class-file version of a JDK to come. */
  public PluginJar ofTomorrow(String name) {
    aged.add(name);
    return this;
  }

  /** Makes the jar. */
  public Path jar(Path target) {
    try {
      var classes = folder(Files.createTempDirectory("plugin"));
      tool("jar", "--create", "--file", target.toString(), "-C", classes.toString(), ".");
      return target;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Makes a folder of classes instead. */
  public Path folder(Path classes) {
    try {
      compile(classes);
      for (var name : dropped) {
        Files.delete(classFile(classes, name));
      }
      for (var name : aged) {
        var file = classFile(classes, name);
        var bytes = Files.readAllBytes(file);
        bytes[7] = 99;
        Files.write(file, bytes);
      }
      for (var resource : resources.entrySet()) {
        Files.writeString(classes.resolve(resource.getKey()), resource.getValue());
      }
      if (!providers.isEmpty()) {
        var services = Files.createDirectories(classes.resolve("META-INF/services"));
        Files.write(services.resolve(TRANSPORT), providers);
      }
      return classes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Makes the jar with another module at hand that is not there at run time. */
  public Path jarAgainst(PluginJar other, Path target) {
    try {
      alsoOnPath = File.pathSeparator + other.folder(Files.createTempDirectory("other"));
      return jar(target);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void compile(Path classes) throws IOException {
    var root = Files.createTempDirectory("source");
    var directory = Files.createDirectories(root.resolve(packageName.replace('.', '/')));
    var files = new ArrayList<String>();
    for (var source : sources.entrySet()) {
      var file = directory.resolve(source.getKey() + ".java");
      files.add(Files.writeString(file, source.getValue()).toString());
    }
    var info = new StringBuilder("module " + module + " {\n  requires dev.shunt.api;\n");
    requires.forEach(name -> info.append("  requires ").append(name).append(";\n"));
    if (!providers.isEmpty()) {
      info.append("  provides ").append(TRANSPORT).append(" with ");
      info.append(String.join(", ", providers)).append(";\n");
    }
    var file = root.resolve("module-info.java");
    files.add(Files.writeString(file, info.append("}\n")).toString());
    var arguments =
        new ArrayList<>(List.of("-d", classes.toString(), "-p", apiPath() + alsoOnPath));
    arguments.addAll(files);
    tool("javac", arguments.toArray(String[]::new));
  }

  /** What a plug-in compiles against. */
  static String apiPath() {
    return place(Spi.class) + File.pathSeparator + place(Config.class);
  }

  static Path place(Class<?> type) {
    return Path.of(
        java.net.URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString()));
  }

  private Path classFile(Path classes, String name) {
    return classes.resolve(packageName.replace('.', '/')).resolve(name + ".class");
  }

  private static void tool(String name, String... arguments) {
    var said = new StringWriter();
    var out = new PrintWriter(said);
    int code = ToolProvider.findFirst(name).orElseThrow().run(out, out, arguments);
    if (code != 0) {
      throw new AssertionError(name + " ended with " + code + ": " + said);
    }
  }
}
