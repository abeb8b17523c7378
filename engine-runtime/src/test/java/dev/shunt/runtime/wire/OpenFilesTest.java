package dev.shunt.runtime.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** In a process of its own, which may have few files open. */
class OpenFilesTest {
  @Test
  void aListenerWithoutOpenFilesRestsAndGoesOnAfterwards()
      throws IOException, InterruptedException {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var process =
        new ProcessBuilder(
                "sh",
                "-c",
                "ulimit -n 100 && exec \"$@\"",
                "sh",
                java,
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                FewFiles.class.getName())
            .redirectErrorStream(true)
            .start();
    List<String> lines;
    try (var out = process.inputReader()) {
      lines = out.lines().toList();
    }
    assertTrue(process.waitFor(1, TimeUnit.MINUTES));
    var text = String.join("\n", lines);
    assertEquals(0, process.exitValue(), text);
    int turns = Integer.parseInt(after("turns ", text));
    assertTrue(turns >= 1 && turns <= 20, text);
    assertTrue(text.contains("accepted 0\n"), text);
    assertTrue(after("refused ", text).contains("Too many open files"), text);
    assertTrue(text.contains("accepted 5"), text);
  }

  private static String after(String label, String text) {
    var matcher = Pattern.compile("^" + label + "(.*)$", Pattern.MULTILINE).matcher(text);
    assertTrue(matcher.find(), text);
    return matcher.group(1);
  }
}
