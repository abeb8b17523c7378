package dev.shunt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The linked image, as somebody who unpacks it finds it. */
class RuntimeImageTest {
  private static final Path IMAGE = Path.of(System.getProperty("shunt.image"));

  @TempDir Path folder;

  @Test
  void tellsItsNameVersionAndJava() throws Exception {
    List<String> lines = run(IMAGE.resolve("bin/shunt").toString(), "--version");

    assertTrue(lines.get(0).matches("shunt \\d+\\.\\d+\\.\\d+.*"), lines.get(0));
    assertTrue(lines.get(1).startsWith("java 25"), lines.get(1));
  }

  @Test
  void runsThroughALinkAndFromAPathWithABlank() throws Exception {
    assertRunsThrough(
        Files.createDirectory(folder.resolve("a folder")).resolve("shunt"),
        IMAGE.resolve("bin/shunt"),
        "");
    assertRunsThrough(folder.resolve("an image"), IMAGE, "bin/shunt");
  }

  private void assertRunsThrough(Path link, Path target, String launcher) throws Exception {
    Files.createSymbolicLink(link, target);
    try {
      List<String> lines = run(link.resolve(launcher).toString(), "--version");
      assertTrue(lines.get(0).startsWith("shunt "), lines.get(0));
    } finally {
      Files.delete(link);
    }
  }

  @Test
  void holdsTheModulesThatTheBuildNames() throws Exception {
    List<String> modules =
        run(IMAGE.resolve("bin/java").toString(), "--list-modules").stream()
            .map(line -> line.replaceFirst("@.*", ""))
            .toList();

    for (String wanted : System.getProperty("image.modules").split(",")) {
      assertTrue(modules.contains(wanted), wanted + " is not in " + modules);
    }
    assertTrue(modules.contains("dev.shunt.runtime"));
    assertTrue(modules.contains("org.slf4j.jul"));
  }

  @Test
  void resolvesAlsoWhatOnlyALaterPluginNeeds() throws Exception {
    List<String> resolved =
        run(
            IMAGE.resolve("bin/java").toString(),
            "--show-module-resolution",
            "-m",
            "dev.shunt.cli/dev.shunt.cli.Main",
            "--version");

    for (String wanted : (System.getProperty("image.modules") + ",java.net.http").split(",")) {
      assertTrue(
          resolved.stream().anyMatch(line -> line.startsWith("root " + wanted)),
          wanted + " is not resolved");
    }
  }

  @Test
  void givesPlainJarsADescriptorUnderTheirAutomaticName() throws Exception {
    for (String name : List.of("typesafe.config", "HdrHistogram")) {
      String description =
          run(IMAGE.resolve("bin/java").toString(), "--describe-module", name).stream()
              .collect(Collectors.joining("\n"));

      assertTrue(description.contains("exports"), description);
      assertFalse(description.contains("automatic"), description);
    }
  }

  private List<String> run(String... command) throws IOException, InterruptedException {
    Path out = folder.resolve("out");
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    try {
      assertTrue(process.waitFor(60, TimeUnit.SECONDS), Arrays.toString(command) + " hangs");
    } finally {
      process.destroyForcibly();
    }
    List<String> lines = Files.readAllLines(out);
    assertEquals(0, process.exitValue(), String.join("\n", lines));
    return lines;
  }
}
