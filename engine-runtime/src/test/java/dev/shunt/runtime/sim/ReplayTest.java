package dev.shunt.runtime.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ReplayTest {
  @Test
  void aSeedTellsTheSameStoryInAnotherJvm() throws IOException, InterruptedException {
    var here = Replay.lines(false);
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var process =
        new ProcessBuilder(
                java,
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dslf4j.provider=" + SimLogs.class.getName(),
                "-Dslf4j.internal.verbosity=WARN",
                "-cp",
                System.getProperty("java.class.path"),
                Replay.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    List<String> there;
    try (var out = process.inputReader()) {
      there = out.lines().toList();
    }
    assertTrue(process.waitFor(1, TimeUnit.MINUTES));
    assertEquals(0, process.exitValue());
    assertEquals(here, there);
  }
}
