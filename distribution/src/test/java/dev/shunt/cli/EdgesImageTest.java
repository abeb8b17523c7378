package dev.shunt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands where a stranger would press: nodes that stand still, text that lies, odd files. */
class EdgesImageTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path folder;
  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void end() {
    started.forEach(Process::destroyForcibly);
  }

  private Path place(String name) throws IOException {
    return Files.createDirectories(folder.resolve(name));
  }

  private Process serve(String name, String... more) throws Exception {
    var arguments = new ArrayList<>(List.of("serve", "--memory", "1MiB", "--set"));
    arguments.add("admin.runtime-dir=\"" + folder.resolve("nodes") + "\"");
    arguments.addAll(List.of(more));
    var process = Image.start(place(name), arguments.toArray(String[]::new));
    started.add(process);
    Image.await(name, PATIENCE, () -> out(name).startsWith("ready "));
    return process;
  }

  private String out(String name) {
    try {
      return Image.text(folder.resolve(name), "out");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String node(String name) {
    return out(name).lines().findFirst().orElseThrow().substring("ready ".length());
  }

  private Image.Ran run(String... arguments) throws Exception {
    return Image.run(place("run"), arguments);
  }

  @Test
  void statusShowsTheOthersWhereOneNodeStandsStill() throws Exception {
    serve("one");
    var still = serve("two");
    Image.freeze(still.pid());
    var dir = folder.resolve("nodes").toString();
    var text = run("status", "--timeout", "2s", "--runtime-dir", dir);
    assertEquals(ExitCode.UNREACHABLE.number(), text.code(), text.toString());
    assertTrue(text.out().contains(node("one") + " is READY"), text.out());
    assertTrue(text.out().contains(node("two") + " does not answer"), text.out());
    var json = run("status", "--timeout", "2s", "--runtime-dir", dir, "--output", "json");
    assertEquals(2, json.out().lines().count(), json.out());
    assertTrue(json.out().contains("\"error\":{\"code\":\"UNREACHABLE\""), json.out());
    var recording =
        run("recording", "--node", node("two"), "--timeout", "2s", "--runtime-dir", dir);
    assertEquals(ExitCode.UNREACHABLE.number(), recording.code(), recording.toString());
    assertEquals(ExitCode.UNREACHABLE.number(), run("recording", "--admin", "127.0.0.1:1").code());
  }

  @Test
  void aRecordingLeavesAloneWhatItCannotReplace() throws Exception {
    serve("one");
    var dir = folder.resolve("nodes").toString();
    var full = run("recording", "-o", "/dev/full", "--runtime-dir", dir);
    assertEquals(ExitCode.FAILED.number(), full.code(), full.toString());
    assertTrue(full.err().contains("/dev/full"), full.err());
    assertFalse(full.err().contains("does not answer"), full.err());
    assertFalse(Files.isRegularFile(Path.of("/dev/full")));
    var empty = place("empty");
    assertEquals(
        ExitCode.FAILED.number(),
        run("recording", "-o", empty.toString(), "--runtime-dir", dir).code());
    assertTrue(Files.isDirectory(empty));
  }

  @Test
  void aNotificationCannotLookLikeALineOfTheNode() throws Exception {
    serve("one");
    var sent = run("notify", node("one"), "x\u202e", "\u001b[2J\nready evil:1");
    assertEquals(0, sent.code(), sent.toString());
    Image.await("it", PATIENCE, () -> out("one").contains("evil"));
    assertEquals(2, out("one").lines().count(), out("one"));
    assertTrue(out("one").contains("notification x\\u202e \\u001b[2J\\nready evil:1"), out("one"));
  }

  @Test
  void lettersArriveInTheLocaleC() throws Exception {
    serve("one");
    // Written by a script, so that this JVM's own locale does not come in.
    var script = Files.writeString(folder.resolve("it.sh"), "exec \"$@\" \u00e9 \u00fc\n");
    var builder =
        new ProcessBuilder("sh", script.toString(), Image.SHUNT, "notify", node("one"))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("said").toFile());
    builder.environment().put("LC_ALL", "C");
    var process = builder.start();
    started.add(process);
    assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    assertEquals(0, process.exitValue(), Files.readString(folder.resolve("said")));
    Image.await("it", PATIENCE, () -> out("one").contains("notification \u00e9 \u00fc"));
  }

  @Test
  void aNameThatNoNodeCanHaveIsAMistakeOfTheCommandLine() throws Exception {
    for (var command : List.of("notify 127.0.0.1 a b", "bench 127.0.0.1 --duration 1s")) {
      var ran = run(command.split(" "));
      assertEquals(ExitCode.USAGE.number(), ran.code(), ran.toString());
    }
  }

  @Test
  void aBenchmarkThatIsTooLargeForItsPeerSaysWhatFits() throws Exception {
    serve("one");
    var ran = run("bench", node("one"), "--duration", "200ms", "--warm-up", "0s");
    assertEquals(ExitCode.FAILED.number(), ran.code(), ran.toString());
    assertTrue(ran.err().contains("--block 128KiB fits here"), ran.err());
    var fits =
        run("bench", node("one"), "--duration", "200ms", "--warm-up", "0s", "--block", "128KiB");
    assertEquals(0, fits.code(), fits.toString());
  }

  @Test
  void aNodeThatCutsOffItsPeersSaysSo() throws Exception {
    var node = serve("one", "--set", "close-timeout=1s");
    var bench =
        Image.start(
            place("bench"),
            "bench",
            node("one"),
            "--block",
            "64KiB",
            "--warm-up",
            "0s",
            "--duration",
            "60s");
    started.add(bench);
    Image.await("traffic", PATIENCE, () -> readable("bench").contains("write") || !bench.isAlive());
    assertTrue(bench.isAlive(), readable("bench"));
    Image.signal("TERM", node.pid());
    assertTrue(node.waitFor(60, TimeUnit.SECONDS));
    assertEquals(0, node.exitValue(), readable("one"));
    assertTrue(readable("one").contains("peers were still at it"), readable("one"));
  }

  private String readable(String name) {
    try {
      return Image.text(folder.resolve(name), "err");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
