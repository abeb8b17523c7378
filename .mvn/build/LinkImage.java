import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
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
    String modules =
        Stream.of(args[2].split(","))
            .map(String::strip)
            .filter(name -> !name.isEmpty())
            .collect(Collectors.joining(","));
    Path overlay = Path.of(args[3]);
    boolean cache = args.length > 4 && Boolean.parseBoolean(args[4]);

    refuseUnknown(jars, modules);

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
                "zip-9",
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

  /** A module that is nowhere is a mistake on a command line, and is told like one. */
  private static void refuseUnknown(String jars, String modules) {
    ModuleFinder ours = ModuleFinder.of(path(jars));
    ModuleFinder jdk = ModuleFinder.ofSystem();
    boolean wrong = false;
    for (String name : modules.split(",")) {
      if (ours.find(name).isPresent() || jdk.find(name).isPresent()) {
        continue;
      }
      wrong = true;
      boolean ofJdk = name.matches("(java|jdk)\\..*");
      List<String> there = ofJdk ? names(jdk, reference -> true) : names(ours, LinkImage::plugsIn);
      String nearest =
          there.stream().min(Comparator.comparingInt(other -> distance(name, other))).orElse("");
      System.err.printf(
          "%s: there is no module '%s'; is it %s? There are %s%n",
          ofJdk ? "image.jdk.modules" : "image.modules", name, nearest, String.join(", ", there));
    }
    if (wrong) {
      System.exit(1);
    }
  }

  private static List<String> names(ModuleFinder finder, Predicate<ModuleReference> wanted) {
    return finder.findAll().stream()
        .filter(wanted)
        .map(reference -> reference.descriptor().name())
        .sorted()
        .toList();
  }

  private static boolean plugsIn(ModuleReference reference) {
    return reference.descriptor().provides().stream()
        .anyMatch(provides -> provides.service().startsWith("dev.shunt.api.spi."));
  }

  /** How many letters have to change, come, go or be swapped. */
  private static int distance(String from, String to) {
    int[][] least = new int[from.length() + 1][to.length() + 1];
    for (int i = 0; i <= from.length(); i++) {
      for (int j = 0; j <= to.length(); j++) {
        if (i == 0 || j == 0) {
          least[i][j] = i + j;
          continue;
        }
        int changed = from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1;
        least[i][j] =
            Math.min(least[i - 1][j - 1] + changed, Math.min(least[i - 1][j], least[i][j - 1]) + 1);
        if (i > 1
            && j > 1
            && from.charAt(i - 1) == to.charAt(j - 2)
            && from.charAt(i - 2) == to.charAt(j - 1)) {
          least[i][j] = Math.min(least[i][j], least[i - 2][j - 2] + 1);
        }
      }
    }
    return least[from.length()][to.length()];
  }

  private static Path[] path(String jars) {
    return Stream.of(jars.split(File.pathSeparator)).map(Path::of).toArray(Path[]::new);
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
    Configuration linked =
        Configuration.resolve(
            ModuleFinder.of(path(jars)),
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
