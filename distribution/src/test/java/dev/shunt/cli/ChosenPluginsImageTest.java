package dev.shunt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An image holds the plug-ins that were chosen, and no others; what it weighs; how it is made. */
class ChosenPluginsImageTest {
  private static final String SMALL = "dev.shunt.transport.tcp,dev.shunt.metadata.p2p";
  private static final long MOST_BYTES = 60_000_000;
  private static final long MOST_RESIDENT = 120_000_000;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir static Path images;
  private static LinkedImage small;

  @TempDir Path folder;

  @BeforeAll
  static void link() throws Exception {
    small = LinkedImage.of(images.resolve("small"), SMALL);
  }

  @Test
  void holdsExactlyTheChosenPlugins() throws Exception {
    holds(LinkedImage.BUILT, System.getProperty("image.modules"));
    holds(small, SMALL);
  }

  private void holds(LinkedImage image, String chosen) throws Exception {
    var expected =
        Stream.concat(
                Stream.of("dev.shunt.api", "dev.shunt.cli", "dev.shunt.runtime"),
                Stream.of(chosen.split(",")))
            .collect(Collectors.toCollection(TreeSet::new));
    var ours =
        image.modules(folder).stream()
            .filter(name -> name.startsWith("dev.shunt."))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(expected, ours);
  }

  @Test
  void oneWholeTransferRunsFromAnotherChoice() throws Exception {
    var ran = small.shunt(folder, "demo", "--size", "4MiB", "--output", "json");

    assertEquals(0, ran.code(), ran::toString);
    assertTrue(ran.out().contains("\"verified\":true"), ran::toString);
  }

  @Test
  void itsOwnDirectoryOfPluginsIsLookedAtUnasked() throws Exception {
    Files.writeString(small.folder().resolve("plugins/a.jar"), "no jar at all");
    try {
      var ran = small.shunt(folder, "demo", "--size", "1MiB", "--output", "json");

      assertEquals(0, ran.code(), ran::toString);
      assertTrue(
          ran.err().lines().anyMatch(l -> l.contains("plugins/a.jar: FAILED")), ran::toString);
    } finally {
      Files.delete(small.folder().resolve("plugins/a.jar"));
    }
  }

  @Test
  void aModuleThatIsNotThereIsNamedWithTheNearestAndTheOthers() throws Exception {
    var ran =
        LinkedImage.link(folder.resolve("none"), "dev.shunt.transport.tpc,dev.shunt.metadata.p2p");

    assertEquals(1, ran.code(), ran::toString);
    for (var told :
        List.of(
            "image.modules",
            "'dev.shunt.transport.tpc'",
            "dev.shunt.transport.tcp?",
            "dev.shunt.policy.failover")) {
      assertTrue(ran.err().contains(told), () -> told + " is missing: " + ran);
    }
    assertTrue(!ran.err().contains("Exception"), ran::toString);
  }

  @Test
  void linkingAgainGivesTheSameTree() throws Exception {
    var again = LinkedImage.of(images.resolve("again"), System.getProperty("image.modules"));

    assertEquals(LinkedImage.BUILT.tree(), again.tree());
  }

  @Test
  void itTakes60MBAtMost() throws Exception {
    long size = LinkedImage.BUILT.size();

    assertTrue(size <= MOST_BYTES, () -> size + " bytes without a start-up cache");
  }

  @Test
  void anIdleNodeTakes120MBAtMost() throws Exception {
    var server = Image.start(folder, "serve", "--memory", "1MiB");
    try {
      Image.await("serving", PATIENCE, () -> said().startsWith("ready "));
      long resident = resident(server.pid());

      assertTrue(resident <= MOST_RESIDENT, () -> resident + " bytes resident");
    } finally {
      server.destroyForcibly();
      server.waitFor();
    }
  }

  private String said() {
    try {
      return Image.text(folder, "out");
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static long resident(long pid) throws Exception {
    var line =
        Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
            .filter(l -> l.startsWith("VmRSS:"))
            .findFirst()
            .orElseThrow();
    return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
  }

  @Test
  void theJvmTakesOtherOptionsAndKeepsStandardOutputForTheCommand() throws Exception {
    var command = List.of(Image.SHUNT, "demo", "--size", "1MiB", "--output", "json");
    var builder = new ProcessBuilder(new ArrayList<>(command)).directory(folder.toFile());
    builder.environment().put("SHUNT_JAVA_OPTS", "-XX:+UseParallelGC -Xlog:gc+init=info:stderr");
    var process =
        builder
            .redirectOutput(folder.resolve("out").toFile())
            .redirectError(folder.resolve("err").toFile())
            .start();
    try {
      assertTrue(process.waitFor(120, java.util.concurrent.TimeUnit.SECONDS), "hangs");
    } finally {
      process.destroyForcibly();
    }
    assertEquals(0, process.exitValue(), Image.text(folder, "err"));
    assertEquals(1, Image.text(folder, "out").lines().count(), Image.text(folder, "out"));
    assertTrue(Image.text(folder, "err").contains("Parallel"), Image.text(folder, "err"));
  }
}
