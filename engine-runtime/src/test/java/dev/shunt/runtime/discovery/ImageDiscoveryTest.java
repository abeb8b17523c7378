package dev.shunt.runtime.discovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.Config;
import dev.shunt.api.spi.Spi;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.simple.SimpleServiceProvider;
import tools.jackson.core.json.JsonFactory;

/** What holds of providers that a JVM starts with: as modules, and on the class path. */
class ImageDiscoveryTest {
  private static final List<String> STRICT =
      List.of("--illegal-native-access=deny", "--enable-native-access=dev.shunt.runtime");
  private static final String CALLS_NATIVE_CODE =
      """
      final Object getpid =
          java.lang.foreign.Linker.nativeLinker()
              .downcallHandle(
                  java.lang.foreign.Linker.nativeLinker().defaultLookup().find("getpid").get(),
                  java.lang.foreign.FunctionDescriptor.of(java.lang.foreign.ValueLayout.JAVA_INT));
      """;

  @TempDir Path directory;

  @Test
  void poisonedModulesOfTheImageCostNobodyElseAnything() throws Exception {
    var said = modules(plant(), "");
    assertTrue(said.contains("runtime module: true"), said);
    check(said);
  }

  @Test
  void poisonedJarsOnTheClassPathCostNobodyElseAnything() throws Exception {
    var said = classPath(plant());
    assertTrue(said.contains("runtime module: false"), said);
    check(said);
  }

  @Test
  void aProviderOfTheImageIsNotCountedAgainInThePluginsLayer() throws Exception {
    Poisons.good("image.one", "one").jar(directory.resolve("one.jar"));
    new PluginJar("image.bad")
        .transport("P", "", "public P() { throw new IllegalStateException(\"bad\"); }")
        .jar(directory.resolve("bad.jar"));
    var plugins = Files.createDirectories(directory.resolve("plugins"));
    Poisons.good("dropped.two", "two").jar(plugins.resolve("two.jar"));
    var said = modules(jars(directory), plugins.toString());
    assertEquals(
        List.of("image.bad.P", "one", "tent", "two"),
        said.lines()
            .filter(l -> l.startsWith("transport "))
            .map(l -> l.split(" ")[1])
            .sorted()
            .toList(),
        said);
    assertTrue(said.contains("transport one of image.one"), said);
    assertTrue(said.contains("transport two of dropped.two"), said);
  }

  @Test
  void nativeAccessIsForModulesThatConfigurationNamesOnly() throws Exception {
    var plugins = Files.createDirectories(directory.resolve("plugins"));
    for (var name : List.of("named", "other")) {
      new PluginJar("calls." + name)
          .transport("P", name, CALLS_NATIVE_CODE)
          .jar(plugins.resolve(name + ".jar"));
    }
    Poisons.good("fine.one", "one").jar(plugins.resolve("z.jar"));

    var said = modules(STRICT, List.of(), plugins.toString(), "calls.named,calls.nobody");

    assertEquals("ACTIVE", state(said, "transport named of calls.named"), said);
    assertEquals("ACTIVE", state(said, "transport one of fine.one"), said);
    var refused = line(said, "transport calls.other.P of calls.other");
    assertTrue(refused.contains("FAILED"), refused);
    assertTrue(refused.endsWith("shunt.plugins.native-access = [calls.other]"), refused);
    var stranger = line(said, "shunt.plugins.native-access names");
    assertTrue(stranger.contains("[calls.nobody]"), stranger);
  }

  @Test
  void aRuntimeWithoutNativeAccessSaysThatItCannotHandItOn() throws Exception {
    var plugins = Files.createDirectories(directory.resolve("plugins"));
    new PluginJar("calls.named")
        .transport("P", "named", CALLS_NATIVE_CODE)
        .jar(plugins.resolve("named.jar"));

    var said =
        modules(
            List.of("--illegal-native-access=deny"), List.of(), plugins.toString(), "calls.named");

    var refused = line(said, "named.jar of");
    assertTrue(refused.contains("FAILED"), refused);
    assertTrue(refused.endsWith("--enable-native-access=dev.shunt.runtime"), refused);
  }

  private static String state(String said, String start) {
    var line = line(said, start);
    return line.substring(line.lastIndexOf(' ') + 1);
  }

  private static String line(String said, String part) {
    return said.lines()
        .filter(l -> l.contains(part))
        .findFirst()
        .orElseThrow(() -> new AssertionError("nothing about " + part + " in: " + said));
  }

  private List<Path> plant() throws IOException {
    Poisons.plant(directory);
    Poisons.good("fine.one", "one").jar(directory.resolve("z-one.jar"));
    Poisons.good("fine.two", "two").jar(directory.resolve("z-two.jar"));
    return jars(directory);
  }

  private static void check(String said) {
    for (var cause :
        List.of("no luck today", "no luck ever", "Base", "Helper", "class file version")) {
      assertTrue(
          said.lines().anyMatch(l -> l.contains("FAILED") && l.contains(cause)),
          () -> cause + " is not told of in: " + said);
    }
    assertTrue(said.contains("a-constructor.jar"), said);
    for (var id : List.of("one", "two")) {
      assertTrue(
          said.lines().anyMatch(l -> l.startsWith("transport " + id) && l.endsWith("ACTIVE")),
          said);
      assertTrue(
          said.contains(
              id + " defaults {\"shunt\":{\"transports\":{\"" + id + "\":{\"flavour\":\"vanilla\""),
          said);
    }
  }

  private static List<Path> jars(Path directory) throws IOException {
    try (var files = Files.list(directory)) {
      return files.filter(f -> f.toString().endsWith(".jar")).sorted().toList();
    }
  }

  private static List<Path> own() {
    return Stream.of(
            Spi.class,
            Config.class,
            Discovery.class,
            Logger.class,
            SimpleServiceProvider.class,
            JsonFactory.class)
        .map(PluginJar::place)
        .toList();
  }

  private String modules(List<Path> jars, String plugins) throws Exception {
    return modules(List.of(), jars, plugins, "");
  }

  private String modules(List<String> options, List<Path> jars, String plugins, String nativeAccess)
      throws Exception {
    var command = new ArrayList<>(options);
    command.addAll(
        List.of(
            "-p",
            path(own(), jars),
            "--add-modules",
            "ALL-MODULE-PATH",
            "--patch-module",
            "dev.shunt.runtime=" + PluginJar.place(PrintDiscovery.class),
            "-m",
            "dev.shunt.runtime/" + PrintDiscovery.class.getName()));
    if (!plugins.isEmpty()) {
      command.addAll(List.of(plugins, nativeAccess));
    }
    return java(command);
  }

  private String classPath(List<Path> jars) throws Exception {
    var tests = List.of(PluginJar.place(PrintDiscovery.class));
    return java(
        List.of("-cp", path(jars, own()) + path(tests, List.of()), PrintDiscovery.class.getName()));
  }

  private static String path(List<Path> first, List<Path> second) {
    return Stream.concat(first.stream(), second.stream())
        .map(p -> p + File.pathSeparator)
        .collect(Collectors.joining());
  }

  private String java(List<String> arguments) throws Exception {
    var command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java"));
    command.addAll(arguments);
    var out = directory.resolve("out.txt");
    var process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    try {
      assertTrue(process.waitFor(60, TimeUnit.SECONDS), "the JVM did not end");
    } finally {
      process.destroyForcibly();
    }
    var said = Files.readString(out);
    assertEquals(0, process.exitValue(), said);
    return said;
  }
}
