package dev.shunt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The command line by itself: help, mistakes, exit codes. */
class CommandLineTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void helpReadsWellAtAHundredColumnsAndTellsTheExitCodes() {
    for (var command : commands()) {
      var args = Stream.of(command, "--help").filter(a -> !a.isEmpty()).toArray(String[]::new);
      assertEquals(0, run(args));
      var text = out.toString();
      assertTrue(text.contains("Exit codes:"), text);
      assertTrue(text.lines().allMatch(line -> line.length() <= 100), text);
      out.getBuffer().setLength(0);
    }
  }

  private static List<String> commands() {
    var commands = new ArrayList<>(List.of(""));
    commands.addAll(Main.commandLine().getSubcommands().keySet());
    return commands;
  }

  @Test
  void eachCommandOfAnEngineTellsWhatItsJsonIs() {
    for (var command : Main.commandLine().getSubcommands().entrySet()) {
      if (command.getValue().getCommand() instanceof EngineCommand) {
        assertEquals(0, run(command.getKey(), "--help"));
        assertTrue(out.toString().contains("JSON"), command.getKey());
        out.getBuffer().setLength(0);
      }
    }
  }

  @Test
  void aShellCompletesCommandsAndOptions() {
    assertEquals(0, run("completion"));
    assertTrue(out.toString().contains("complete -F _complete_shunt"), out.toString());
    assertTrue(out.toString().contains("--log-level"));
  }

  @Test
  void aMistakeIsOneLineThatSaysWhatAndAnotherThatHelps() {
    for (var args :
        List.of(
            "demo --size 12",
            "demo --size",
            "demo --output xml",
            "bench --sze 1MiB",
            "bench --threads 0",
            "bench --batch 100000",
            "bench --operation copy",
            "bench --memory 4KiB",
            "serve --access all",
            "serve --memory much",
            "serve --log-level loud",
            "notify 127.0.0.1:1 name",
            "notify 127.0.0.1:1 name message --timeout 5",
            "config --chek",
            "plugins all",
            "doctor --per 127.0.0.1",
            "dmo")) {
      assertEquals(ExitCode.USAGE.number(), run(args.split(" ")), args);
      var lines = err.toString().lines().toList();
      assertEquals(2, lines.size(), err.toString());
      assertTrue(lines.getFirst().startsWith("shunt"), lines.getFirst());
      err.getBuffer().setLength(0);
    }
    assertEquals("", out.toString());
  }

  @Test
  void aWrongConfigurationHasItsOwnCodeAndNoTraceUnlessAskedFor() {
    assertEquals(ExitCode.CONFIGURATION.number(), run("demo", "--set", "a=["));
    assertEquals(1, err.toString().lines().count(), err.toString());

    assertEquals(ExitCode.CONFIGURATION.number(), run("demo", "--verbose", "--set", "a=["));
    assertTrue(err.toString().contains("\tat "), err.toString());
  }

  @Test
  void programsAreToldEachProblemOfAConfiguration() {
    run("config", "--check", "--output", "json", "--set", "rcp.a=1", "--set", "rpc.max-frame=1B");

    assertTrue(out.toString().startsWith("{\"valid\":false,"), out.toString());
    assertTrue(out.toString().contains("\"kind\":\"UNKNOWN_KEY\",\"where\":\"--set rcp.a\""));
    assertTrue(out.toString().contains("\"key\":\"shunt.rpc.max-frame\""), out.toString());
    out.getBuffer().setLength(0);
    run("serve", "--quiet", "--output", "json", "--set", "rcp.a=1");
    assertTrue(out.toString().contains("\"problems\":[{\"kind\":"), out.toString());
  }

  @Test
  void programsAreToldWhatWentWrongOnStandardOutput() {
    run("demo", "--output", "json", "--set", "a=[");

    assertTrue(
        out.toString().startsWith("{\"error\":{\"code\":\"CONFIGURATION\","), out.toString());
    assertFalse(out.toString().strip().contains("\n"), out.toString());
  }

  @Test
  void memoryThatThereIsNotIsOneLineAndAnObjectForPrograms() {
    assertEquals(
        ExitCode.FAILED.number(),
        run("serve", "--memory", "1024TiB", "--output", "json", "--quiet"),
        err.toString());

    assertTrue(err.toString().contains("no memory of 1 PiB"), err.toString());
    assertTrue(err.toString().contains("smaller --memory"), err.toString());
    assertEquals(1, err.toString().lines().count(), err.toString());
    assertTrue(out.toString().startsWith("{\"error\":{\"code\":\"RESOURCE\","), out.toString());
  }

  @Test
  void aPortThatIsTakenAndAnAddressOfOthersAreWrongConfiguration() throws Exception {
    try (var taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      var port = "control.port=" + taken.getLocalPort();
      assertEquals(ExitCode.CONFIGURATION.number(), run("serve", "--quiet", "--set", port));
      assertTrue(err.toString().contains("shunt.control.port: "), err.toString());
      assertTrue(err.toString().contains("right is a free one"), err.toString());
    }
    err.getBuffer().setLength(0);
    var bind = "control.bind=[\"192.0.2.7\"]";
    assertEquals(ExitCode.CONFIGURATION.number(), run("serve", "--quiet", "--set", bind));
    assertTrue(err.toString().contains("shunt.control.bind: 192.0.2.7 cannot"), err.toString());
    assertEquals(1, err.toString().lines().count(), err.toString());
  }

  @Test
  void aMistakeIsAnObjectTooWhereAProgramAsked() {
    assertEquals(ExitCode.USAGE.number(), run("demo", "--output", "json", "--size", "12"));

    assertTrue(out.toString().startsWith("{\"error\":{\"code\":\"USAGE\","), out.toString());
    assertEquals(1, out.toString().lines().count(), out.toString());
  }

  @Test
  void choicesAreToldInLowerCase() {
    run("bench", "--operation", "copy");
    run("bench", "--output", "xml");

    assertTrue(err.toString().contains("write or read"), err.toString());
    assertTrue(err.toString().contains("text or json"), err.toString());
  }

  @Test
  void outputThatCannotBeWrittenIsAFailure() {
    var full =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("full");
          }
        };
    var line =
        Main.commandLine().setOut(new PrintWriter(full, true)).setErr(new PrintWriter(err, true));

    assertEquals(ExitCode.FAILED.number(), Main.run(line, "demo", "--help"));
    assertEquals(1, err.toString().lines().count(), err.toString());
  }

  private int run(String... args) {
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(args);
  }
}
