package dev.shunt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A third party's transport: built by a build of its own from the installed engine-api alone, put
 * into the image's directory of plug-ins. The local repository is a copy, so that nobody finds a
 * version of ours in their own by surprise.
 */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class SampleTransportImageTest {
  private static final Path ROOT = Path.of(System.getProperty("shunt.root"));
  private static final Path WORK = Image.FOLDER.resolveSibling("sample");
  private static final Path REPOSITORY = WORK.resolve("repository");
  private static final Path PLUGIN = WORK.resolve("plugin");
  private static final Pattern SKIPPED =
      Pattern.compile("<testcase name=\"([^\"]+)\" classname=\"([^\"]+)\"[^>]*>\\s*<skipped");

  @TempDir Path folder;

  @BeforeAll
  static void build() throws Exception {
    Trees.remove(WORK);
    Trees.copy(
        Path.of(System.getProperty("shunt.maven.repository")),
        REPOSITORY,
        path -> path.startsWith("dev/shunt"));
    var sources = WORK.resolve("source");
    Files.createDirectories(sources);
    Files.copy(ROOT.resolve("pom.xml"), sources.resolve("pom.xml"));
    Trees.copy(ROOT.resolve(".mvn"), sources.resolve(".mvn"), _ -> false);
    Trees.copy(ROOT.resolve("engine-api"), sources.resolve("engine-api"), Trees::built);
    Trees.copy(ROOT.resolve("distribution/sample-transport"), PLUGIN, Trees::built);
    maven(sources, "-N", "install");
    maven(sources, "-f", "engine-api/pom.xml", "-DskipTests", "install");
    maven(PLUGIN, "verify");
  }

  private static void maven(Path directory, String... arguments) throws Exception {
    var command =
        new ArrayList<>(
            List.of(
                System.getProperty("shunt.maven") + "/bin/mvn",
                "-B",
                "-Dstyle.color=never",
                "--no-transfer-progress",
                "-Dmaven.repo.local=" + REPOSITORY));
    command.addAll(List.of(arguments));
    var log = WORK.resolve("maven.log");
    var builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    var process =
        builder
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    try {
      assertTrue(process.waitFor(8, TimeUnit.MINUTES), () -> command + " hangs; see " + log);
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    assertEquals(0, process.exitValue(), command + ": " + Files.readString(log));
  }

  @Test
  void installingGivesJarsSourcesAndDocumentation() throws IOException {
    var version = Main.Version.number();
    try (var files = Files.list(REPOSITORY.resolve("dev/shunt/engine-api/" + version))) {
      var names = files.map(f -> f.getFileName().toString()).collect(Collectors.toSet());
      for (var suffix :
          List.of(
              ".pom", ".jar", "-sources.jar", "-javadoc.jar", "-tests.jar", "-test-sources.jar")) {
        assertTrue(names.contains("engine-api-" + version + suffix), names::toString);
      }
    }
    var named = Files.readString(PLUGIN.resolve("pom.xml"));
    assertTrue(
        named.contains("<shunt.version>" + version + "</shunt.version>"),
        "the sample names another version than " + version);
  }

  @Test
  void itPassesTheContractAndItsSkipsAreListed() throws IOException {
    var report =
        Files.readString(
            PLUGIN.resolve(
                "target/surefire-reports/"
                    + "TEST-org.example.shunt.unix.UnixTransportContractTest.xml"));
    var tests = Pattern.compile("<testcase ").matcher(report).results().count();
    assertTrue(tests >= 40, tests + " tests of the contract ran");
    assertFalse(report.contains("<failure") || report.contains("<error"), report);
    var skipped =
        SKIPPED
            .matcher(report)
            .results()
            .map(m -> m.group(2) + "#" + m.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(listed(), skipped);
  }

  private static Set<String> listed() throws IOException {
    return Files.readAllLines(ROOT.resolve("distribution/test-skips")).stream()
        .filter(line -> line.startsWith("org.example."))
        .map(line -> line.replaceFirst(" .*", ""))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void itCarriesTheDemoOverBothOfItsRails() throws Exception {
    var plugins = Files.createDirectory(folder.resolve("plugins"));
    Files.copy(PLUGIN.resolve("target/shunt-unix-1.0.0.jar"), plugins.resolve("unix.jar"));
    var one = Files.createTempDirectory("u1");
    var two = Files.createTempDirectory("u2");
    try {
      var ran =
          LinkedImage.BUILT.shunt(
              folder,
              "demo",
              "--size",
              "8MiB",
              "--output",
              "json",
              "--set",
              "plugins.dir=\"" + plugins + "\"",
              "--set",
              "plugins.required=[unix]",
              "--set",
              "transports.tcp.enable=false",
              "--set",
              "transports.unix.directories=[\"" + one + "\",\"" + two + "\"]");

      assertEquals(0, ran.code(), ran::toString);
      assertTrue(ran.out().contains("\"verified\":true"), ran::toString);
      for (var directory : List.of(one, two)) {
        assertTrue(ran.out().contains("unix " + directory + " > " + directory), ran::toString);
        try (var left = Files.list(directory)) {
          assertEquals(List.of(), left.toList(), "sockets that were left behind");
        }
      }
    } finally {
      Trees.remove(one);
      Trees.remove(two);
    }
  }
}
