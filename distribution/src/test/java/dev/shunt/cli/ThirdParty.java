package dev.shunt.cli;

import com.typesafe.config.Config;
import dev.shunt.api.spi.Spi;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Compiles and packs small plug-ins, good and bad, as somebody else's build would. */
final class ThirdParty {
  private ThirdParty() {}

  /**
   * A jar with one transport that does nothing.
   *
   * @param module its module, and its package
   * @param id the transport's id
   * @param requires modules that it requires besides
   * @param body members of the provider
   */
  static Path jar(Path jar, String module, String id, List<String> requires, String body)
      throws IOException {
    return jar(jar, module, id, requires, body, "");
  }

  /**
   * The same.
   *
   * @param creating what it does before it fails to make a transport
   */
  static Path jar(
      Path jar, String module, String id, List<String> requires, String body, String creating)
      throws IOException {
    var sources = Files.createTempDirectory("plugin-source");
    var classes = Files.createTempDirectory("plugin-classes");
    var info =
        "module %s { requires dev.shunt.api; %s provides dev.shunt.api.spi.TransportProvider with %s.P; }"
            .formatted(
                module,
                requires.stream().map(r -> "requires " + r + ";").collect(Collectors.joining(" ")),
                module);
    var provider =
        """
        package %s;
        public class P implements dev.shunt.api.spi.TransportProvider {
          public String id() { return "%s"; }
          public int spiVersion() { return dev.shunt.api.spi.Spi.VERSION; }
          public String version() { return "1.2.3"; }
          public dev.shunt.api.spi.Transport create(dev.shunt.api.spi.TransportContext c) {
            %s
            throw new IllegalStateException("nothing to start here");
          }
          %s
        }
        """
            .formatted(module, id, creating, body);
    var file = sources.resolve(module.replace('.', '/') + "/P.java");
    Files.createDirectories(file.getParent());
    Files.writeString(file, provider);
    Files.writeString(sources.resolve("module-info.java"), info);
    var path =
        Stream.of(Spi.class, Config.class)
            .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
            .map(url -> Path.of(java.net.URI.create(url.toString())).toString())
            .collect(Collectors.joining(File.pathSeparator));
    tool(
        "javac",
        "-d",
        classes.toString(),
        "-p",
        path,
        sources.resolve("module-info.java").toString(),
        file.toString());
    tool("jar", "--create", "--file", jar.toString(), "-C", classes.toString(), ".");
    return jar;
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
