package dev.shunt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands as they come out of the image: real processes, real sockets. */
class CommandsImageTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path folder;

  @Test
  void benchSeesBytesThatAreNotWhatItWrote() throws Exception {
    try (var peer = Image.serve("8MiB")) {
      var name = peer.awaitReady(Deadline.in(Duration.ofSeconds(60)));
      var arguments =
          List.of("bench", name, "--verify", "--warm-up", "0s", "--batch", "4", "--output", "json");
      var alone = Image.run(folder, with(arguments, "--duration", "500ms"));
      assertEquals(0, alone.code(), alone.toString());
      assertTrue(alone.out().matches("(?s).*\"verified_bytes\":[1-9].*"), alone.out());
      var elsewhere = Files.createDirectory(folder.resolve("other"));
      var other = Image.start(elsewhere, "bench", name, "--duration", "60s", "--batch", "4");
      try {
        var beside = Image.run(folder, with(arguments, "--duration", "60s"));
        assertEquals(ExitCode.FAILED.number(), beside.code(), beside.toString());
        assertTrue(beside.err().contains("what the remote holds"), beside.err());
      } finally {
        other.destroy();
        other.waitFor();
      }
    }
  }

  private static String[] with(List<String> arguments, String... more) {
    return Stream.concat(arguments.stream(), Stream.of(more)).toArray(String[]::new);
  }

  @Test
  void theDemoVerifiesWhatItMovedOverBothRails() throws Exception {
    var ran = Image.run(folder, "demo", "--output", "json");

    assertEquals(0, ran.code(), ran.toString());
    assertEquals(1, ran.out().lines().count(), ran.out());
    assertTrue(ran.out().startsWith("{\"verified\":true,\"bytes\":67108864,"), ran.out());
    assertTrue(
        ran.out().contains("\"rails\":[\"tcp 127.0.0.1 > ")
            && ran.out().contains("\"tcp 127.0.0.2 > "),
        ran.out());
    assertFalse(ran.err().contains("WARNING"), ran.err());
    assertTrue(ran.out().contains("\"fault\":{\"rail\":\"127.0.0.2\",\"midway\":true,"), ran.out());
    assertTrue(ran.out().contains(",\"returned_after_ms\":"), ran.out());
    var fault =
        Tree.read("it", ran.out().getBytes(StandardCharsets.UTF_8))
            .object("fault")
            .object("carried_bytes");
    for (var part : List.of("before", "after")) {
      assertTrue(fault.object(part).number("127.0.0.1") > 0, ran.out());
      assertTrue(fault.object(part).number("127.0.0.2") > 0, ran.out());
    }
    var without = fault.object("without");
    assertTrue(without.number("127.0.0.1") > 4 * without.number("127.0.0.2"), ran.out());
  }

  @Test
  void theDemoSaysWhyItShowsNoFault() throws Exception {
    var ran = Image.run(folder, "demo", "--size", "1MiB", "--set", "plugins.exclude=[failover]");

    assertEquals(0, ran.code(), ran.toString());
    assertTrue(ran.out().contains("fault       none shown: no failover policy"), ran.out());
    var rails = "transports.tcp.rails=[\"127.0.0.1\"]";
    ran = Image.run(folder, "demo", "--size", "1MiB", "--set", rails);
    assertEquals(0, ran.code(), ran.toString());
    assertTrue(ran.out().contains("fault       none shown: the rails are not"), ran.out());
    assertTrue(ran.out().contains("verified    yes"), ran.out());
  }

  @Test
  void theDemoReadsWellAtAHundredColumns() throws Exception {
    var ran = Image.run(folder, "demo", "--size", "5000001B", "--block", "64KiB");

    assertEquals(0, ran.code(), ran.toString());
    assertTrue(ran.out().contains("verified    yes"), ran.out());
    assertTrue(ran.out().lines().allMatch(line -> line.length() <= 100), ran.out());
  }

  @Test
  void aWrongConfigurationIsToldOnceWithTheKeyThatWasMeant() throws Exception {
    var ran = Image.run(folder, "demo", "--set", "transports.tcp.lane=2");

    assertEquals(ExitCode.CONFIGURATION.number(), ran.code(), ran.toString());
    assertEquals(1, ran.err().lines().count(), ran.err());
    assertTrue(ran.err().contains("--set transports.tcp.lane: "), ran.err());
    assertTrue(ran.err().contains("lanes"), ran.err());
  }

  @Test
  void memoryThatThereIsNotFailsInOneLine() throws Exception {
    for (var line : List.of("demo --size 1024TiB", "bench --block 1024TiB")) {
      var ran = Image.run(folder, (line + " --output json").split(" "));

      assertEquals(ExitCode.FAILED.number(), ran.code(), ran.toString());
      assertEquals(1, ran.err().lines().count(), ran.err());
      assertTrue(ran.err().contains("no memory of "), ran.err());
      assertTrue(ran.out().startsWith("{\"error\":{\"code\":\"RESOURCE\","), ran.out());
    }
  }

  @Test
  void aBenchmarkWithoutACommonTransportSaysSo() throws Exception {
    var line =
        "bench --warm-up 0s --set transports.tcp.enable=false --set transports.tent.enable=false";
    var ran = Image.run(folder, line.split(" "));

    assertEquals(ExitCode.FAILED.number(), ran.code(), ran.toString());
    assertTrue(ran.err().contains("no common transport reaches 127.0.0.1:"), ran.err());
  }

  @Test
  void outputThatCannotBeWrittenIsAFailure() throws Exception {
    var full =
        new ProcessBuilder(Image.SHUNT, "--version")
            .redirectOutput(new java.io.File("/dev/full"))
            .redirectError(folder.resolve("err").toFile())
            .start();

    assertTrue(full.waitFor(60, TimeUnit.SECONDS), "still there");
    assertEquals(ExitCode.FAILED.number(), full.exitValue(), text("err"));
    assertEquals(1, text("err").lines().count(), text("err"));
  }

  @Test
  void aSignalEndsADemoWithTheSignalsOwnCode() throws Exception {
    for (var signal : List.of("TERM", "INT")) {
      var demo = Image.start(folder, "demo", "--size", "2GiB", "--deadline", "5m");
      try {
        Image.await("a second process", PATIENCE, () -> serving(demo).isPresent());
        Image.signal(signal, demo.pid());

        assertTrue(demo.waitFor(30, TimeUnit.SECONDS), "still there");
        assertEquals(signal.equals("TERM") ? 143 : 130, demo.exitValue(), text("err"));
      } finally {
        demo.destroyForcibly();
      }
    }
  }

  @Test
  void aPeerThatIsNotThereHasItsOwnCode() throws Exception {
    var ran = Image.run(folder, "bench", "127.0.0.1:9", "--duration", "1s");

    assertEquals(ExitCode.UNREACHABLE.number(), ran.code(), ran.toString());
    assertTrue(ran.err().startsWith("shunt bench: "), ran.err());
    assertEquals(1, ran.err().lines().count(), ran.err());
  }

  @Test
  void theBenchmarkMeasuresEitherWay() throws Exception {
    for (var operation : List.of("write", "read")) {
      var ran =
          Image.run(
              folder,
              ("bench --duration 300ms --warm-up 100ms --threads 2 --block 64KiB --output json"
                      + " --operation "
                      + operation)
                  .split(" "));

      assertEquals(0, ran.code(), ran.toString());
      assertTrue(ran.out().startsWith("{\"operation\":\"" + operation + "\""), ran.out());
      assertFalse(ran.out().contains("\"requests\":0,"), ran.out());
    }
  }

  @Test
  void aServerEndsWellOnASignal() throws Exception {
    var server = Image.start(folder, "serve", "--memory", "1MiB");
    try {
      Image.await("serving", PATIENCE, () -> !text("out").isEmpty());
      assertTrue(text("out").startsWith("ready 127.0.0.1:"), text("out"));

      Image.signal("TERM", server.pid());

      assertTrue(server.waitFor(30, TimeUnit.SECONDS), "still there");
      assertEquals(0, server.exitValue(), text("err"));
    } finally {
      server.destroyForcibly();
    }
  }

  @Test
  void noProcessIsLeftWhenADemoIsKilled() throws Exception {
    var demo = Image.start(folder, "demo", "--size", "2GiB", "--deadline", "5m");
    try {
      Image.await("a second process", PATIENCE, () -> serving(demo).isPresent());
      var second = serving(demo).orElseThrow();
      try {
        demo.destroyForcibly();

        Image.await("its end", PATIENCE, () -> !second.isAlive());
      } finally {
        second.destroyForcibly();
      }
    } finally {
      demo.destroyForcibly();
    }
  }

  private static Optional<ProcessHandle> serving(Process demo) {
    return demo.descendants()
        .filter(child -> List.of(child.info().arguments().orElse(new String[0])).contains("serve"))
        .findAny();
  }

  private String text(String stream) {
    try {
      return Image.text(folder, stream);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
