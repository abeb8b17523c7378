import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Links the runtime image with the jlink of the JDK that runs this program.
 *
 * <p>Arguments: the folder of modular jars, the image's folder, the modules to link (separated by
 * commas), a folder whose files are laid over the image, the launcher among them, and whether to
 * make a start-up cache (true or false). The image is made beside its place and moved there when it
 * is whole, so that whoever runs the old one keeps running. The same jars give the same bytes in
 * every file, but for the start-up cache.
 */
final class LinkImage {
  private LinkImage() {}

  public static void main(String[] args) throws Exception {
    String jars = args[0];
    Path image = Path.of(args[1]);
    String modules = args[2];
    Path overlay = Path.of(args[3]);
    boolean cache = args.length > 4 && Boolean.parseBoolean(args[4]);

    Path fresh = image.resolveSibling(image.getFileName() + ".new");
    Path stale = image.resolveSibling(image.getFileName() + ".old");
    removeAll(fresh);
    List<String> options =
        new ArrayList<>(
            List.of(
                "--module-path",
                jars,
                "--add-modules",
                modules,
                "--output",
                fresh.toString(),
                // Line numbers stay: a stack trace without them is worth little at night.
                "--compress",
                "zip-6",
                "--no-header-files",
                "--no-man-pages"));
    // All that is linked is also there at run time: a plug-in that nothing requires, and what of
    // the
    // JDK a plug-in of a later day requires.
    String atRunTime = "--add-modules=ALL-SYSTEM --illegal-native-access=deny";
    String nativeModules = nativeModules(jars, modules);
    if (!nativeModules.isEmpty()) {
      atRunTime += " --enable-native-access=" + nativeModules;
    }
    options.add("--add-options=" + atRunTime);
    tool("jlink", options);
    lay(overlay, fresh);
    if (cache) {
      makeStartUpCache(fresh);
    }

    removeAll(stale);
    if (Files.exists(image)) {
      Files.move(image, stale);
    }
    Files.move(fresh, image);
    removeAll(stale);
  }

  /**
   * Runs the demonstration once and keeps what the JVM learned of it: loaded and linked classes,
   * and profiles of methods. It is run with the options that the launcher gives, and is of use with
   * them only.
   */
  private static void makeStartUpCache(Path image) throws Exception {
    Path said = Files.createTempFile("aot", ".txt");
    Process process =
        new ProcessBuilder(
                image.resolve("bin/java").toString(),
                "@" + image.resolve("conf/java.options"),
                "-XX:AOTCacheOutput=" + image.resolve("lib/shunt.aot"),
                "-m",
                "dev.shunt.cli/dev.shunt.cli.Main",
                "demo",
                "--size",
                "16MiB")
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    boolean ended = process.waitFor(120, TimeUnit.SECONDS);
    process.destroyForcibly();
    if (!ended || process.exitValue() != 0 || !Files.exists(image.resolve("lib/shunt.aot"))) {
      System.err.println(Files.readString(said));
      System.err.println(
          "the demonstration run that the start-up cache is made of did not end well");
      System.exit(1);
    }
    Files.delete(said);
  }

  /**
   * Those modules of the image that call restricted methods; others get no native access. The tool
   * looks at every jar of the folder, and the image warns of a name that it does not hold.
   */
  private static String nativeModules(String jars, String modules) {
    String calling =
        tool(
                "jnativescan",
                List.of("--module-path", jars, "--add-modules", modules, "--print-native-access"))
            .strip();
    Path[] path = Stream.of(jars.split(File.pathSeparator)).map(Path::of).toArray(Path[]::new);
    Configuration linked =
        Configuration.resolve(
            ModuleFinder.of(path),
            List.of(Configuration.empty()),
            ModuleFinder.ofSystem(),
            List.of(modules.split(",")));
    return Stream.of(calling.split(","))
        .filter(name -> linked.findModule(name).isPresent())
        .collect(Collectors.joining(","));
  }

  private static String tool(String name, List<String> arguments) {
    ToolProvider tool =
        ToolProvider.findFirst(name)
            .orElseThrow(() -> new IllegalStateException("no " + name + " in this JDK"));
    StringWriter out = new StringWriter();
    int code =
        tool.run(
            new PrintWriter(out),
            new PrintWriter(System.err, true),
            arguments.toArray(new String[0]));
    if (code != 0) {
      System.err.println(out);
      System.err.println(name + " " + String.join(" ", arguments) + " ended with " + code);
      System.exit(code);
    }
    return out.toString();
  }

  private static void lay(Path overlay, Path image) throws IOException {
    if (!Files.isDirectory(overlay)) {
      return;
    }
    try (Stream<Path> files = Files.walk(overlay)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path target = image.resolve(overlay.relativize(file).toString());
        Files.createDirectories(target.getParent());
        Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  private static void removeAll(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, IOException error)
              throws IOException {
            if (error != null) {
              throw error;
            }
            Files.delete(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
