package dev.shunt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an operator asks before and beside a running node: from the image, as text and as JSON. */
class OperatorsImageTest {
  @TempDir Path folder;
  private Path run;

  @BeforeEach
  void begin() throws IOException {
    run = Files.createDirectories(folder.resolve("run"));
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    try (var left = Files.list(run)) {
      assertTrue(left.allMatch(f -> List.of("out", "err").contains(f.getFileName().toString())));
    }
  }

  @Test
  void theConfigurationIsShownWithItsOrigins() throws Exception {
    var file =
        write(
            """
            include "?local.conf"
            shunt {
              control.port = 15000
              nodes.n7.rpc.probe-timeout = 5s
            }
            """);
    var text = run("config", "--config", file, "--set", "name=n7", "--changed");
    assertEquals(0, text.code(), text.toString());
    assertEquals(
        List.of(
            "control.port = 15000 # " + file + ":3",
            "name = n7 # --set name",
            "rpc.probe-timeout = \"5s\" # " + file + ":4"),
        text.out().lines().map(line -> line.replaceAll("\\s+", " ")).toList());

    var all = run("config");
    assertTrue(all.out().lines().allMatch(line -> line.length() <= 100), all.out());
    assertTrue(all.out().contains("dev.shunt.transport.tcp/reference.conf:"), all.out());

    var json =
        run(
            "config",
            "--config",
            file,
            "--set",
            "name=n7",
            "--path",
            "control.port",
            "--output",
            "json");
    assertEquals(
        "{\"valid\":true,\"values\":[{\"key\":\"control.port\",\"value\":15000,\"origin\":\""
            + file
            + ":3\",\"default\":false,\"secret\":false}],\"problems\":[],\"notes\":[]}\n",
        json.out());
  }

  @Test
  void aTypoInEachKindOfPlaceIsToldWithFileAndLineAndAllAtOnce() throws Exception {
    Files.writeString(folder.resolve("rpc.conf"), "\nshunt.rpc.prob-timeout = 2s\n");
    var file =
        write(
            """
            include "rpc.conf"
            shunt {
              contrl.port = 1
              control.port = many
              failover.recovry-delay = 5s
              recovery-delay = 5s
              rpc.connect-timeout = 5
              transports.tcp.lanes = 0
              transports.tcp.rails = [{ adress = "127.0.0.1" }]
              transports.acme.lanes = 1
              metadata.type = ${nowhere}
              nodes.n7.transfer.deadlin = 5s
              capabilities.tcp.steam = off
              plugins.required = [tpc]
            }
            """);
    var checked = run("config", "--config", file, "--check");
    assertEquals(ExitCode.CONFIGURATION.number(), checked.code(), checked.toString());
    for (int line = 3; line <= 14; line++) {
      // A later change may bring the key that line 6 means.
      assertTrue(line == 6 || checked.err().contains(file + ":" + line + ": "), checked.err());
    }
    assertTrue(checked.err().contains("rpc.conf:2: "), checked.err());
    assertTrue(checked.err().contains("did you mean shunt.control?"), checked.err());
    assertTrue(checked.err().lines().allMatch(line -> line.startsWith("shunt config: ")));

    // Whoever opens an engine is told the same.
    var served = run("serve", "--quiet", "--config", file);
    assertEquals(ExitCode.CONFIGURATION.number(), served.code());
    assertEquals(checked.err().lines().count(), served.err().lines().count(), served.err());
  }

  @Test
  void aFileThatCannotBeReadIsToldWithFileAndLine() throws Exception {
    for (var text : List.of("shunt {\n  a = ]\n}", "shunt {\n  include \"gone.conf\"\n}")) {
      var file = write(text);
      var checked = run("config", "--config", file, "--check");
      assertEquals(ExitCode.CONFIGURATION.number(), checked.code(), checked.toString());
      assertTrue(checked.err().contains(file + ":2: "), checked.err());
      assertEquals(1, checked.err().lines().count(), checked.err());
    }
  }

  @Test
  void noSecretIsShownInValuesErrorsOrJson() throws Exception {
    var file =
        write(
            "shunt {\n  metadata.etcd.password = hunter2\n  metadata.etcd2.password = hunter2\n}");
    for (var output : List.of("text", "json")) {
      var shown = run("config", "--config", file, "--output", output);
      assertFalse(shown.toString().contains("hunter2"), shown.toString());
      var given = run("serve", "--output", output, "--set", "a.b.secret=hunter2");
      assertEquals(ExitCode.CONFIGURATION.number(), given.code());
      assertFalse(given.toString().contains("hunter2"), given.toString());
    }
  }

  @Test
  void environmentVariablesCount() throws Exception {
    var process =
        new ProcessBuilder(Image.SHUNT, "config", "--path", "control.port")
            .redirectOutput(run.resolve("out").toFile())
            .redirectError(run.resolve("err").toFile());
    process.environment().put("SHUNT__CONTROL__PORT", "15001");
    assertEquals(0, process.start().waitFor(), Image.text(run, "err"));
    assertTrue(Image.text(run, "out").contains("environment SHUNT__CONTROL__PORT"));
  }

  @Test
  void pluginsAreListedWithTheirCapabilitiesAndStates() throws Exception {
    var text = run("plugins", "--set", "transports.rdma.enable=false");
    assertEquals(0, text.code(), text.toString());
    assertTrue(text.out().contains("ACTIVE      transport tcp "), text.out());
    assertTrue(text.out().contains("DISABLED    transport rdma "), text.out());
    assertTrue(text.out().contains("offers  tcp."), text.out());
    assertTrue(text.out().contains("because shunt.transports.rdma.enable = false"), text.out());
    assertTrue(text.out().lines().allMatch(line -> line.length() <= 100), text.out());

    var json = run("plugins", "--output", "json");
    assertTrue(json.out().startsWith("{\"spi\":"), json.out());
    assertTrue(json.out().contains("\"module\":\"dev.shunt.transport.tcp\""), json.out());
  }

  @Test
  void aPluginThatFailedIsListedAndCostsNothingUnlessItIsRequired() throws Exception {
    var plugins = Files.createDirectories(folder.resolve("plugins"));
    Files.writeString(plugins.resolve("acme.jar"), "no jar at all");
    var dir = "plugins.dir=\"" + plugins + "\"";
    var listed = run("plugins", "--set", dir);
    assertEquals(0, listed.code(), listed.toString());
    assertTrue(listed.out().contains("FAILED      plugin acme.jar"), listed.out());
    assertTrue(listed.out().contains("because "), listed.out());
    assertEquals("", listed.err());

    var required = run("plugins", "--set", dir, "--set", "plugins.required=[acme]");
    assertEquals(ExitCode.CONFIGURATION.number(), required.code(), required.toString());
    assertTrue(required.err().contains("acme was not found"), required.err());
  }

  @Test
  void theDoctorLooksAndDisturbsNobody() throws Exception {
    try (var node = Image.serve("1MiB")) {
      var name = node.awaitReady(Deadline.in(java.time.Duration.ofSeconds(60)));
      var port = name.substring(name.lastIndexOf(':') + 1);
      var text = run("doctor", "--peer", "127.0.0.1", "--set", "control.port=" + port);
      assertEquals(ExitCode.FAILED.number(), text.code(), text.toString());
      assertTrue(text.out().contains("another process listens there"), text.out());
      assertTrue(text.out().lines().allMatch(line -> line.length() <= 100), text.out());
      assertTrue(text.out().matches("(?s).*ok    tcp  +rail 127.0.0.1 active.*"), text.out());
      assertTrue(text.out().contains("from 127.0.0.1 to 127.0.0.1 leaves by lo"), text.out());
      assertTrue(text.out().contains("the kernel tells of links"), text.out());
      assertEquals("", text.err());
    }
    var json = run("doctor", "--output", "json");
    assertEquals(0, json.code(), json.toString());
    assertTrue(json.out().matches("\\{\"worst\":\"(ok|warn)\",\"findings\":\\[.*\\n"), json.out());
    for (var check :
        List.of("java", "native access", "open files", "locked memory", "clock", "signals")) {
      assertTrue(json.out().contains("{\"check\":\"" + check + "\""), check);
    }
    var wrong = run("doctor", "--set", "control.prt=1");
    assertEquals(ExitCode.CONFIGURATION.number(), wrong.code(), wrong.toString());
  }

  @Test
  void aNotificationIsDeliveredOrItIsToldWhyNot() throws Exception {
    var server = Image.start(folder, "serve", "--memory", "1MiB");
    try {
      Image.await("serving", java.time.Duration.ofSeconds(60), () -> !served().isEmpty());
      var name = served().strip().substring("ready ".length());
      var text = run("notify", name, "cache.ready", "block 17");
      assertEquals(0, text.code(), text.toString());
      assertTrue(text.out().startsWith("delivered to " + name + " in "), text.out());
      var json = run("notify", name, "cache.ready", "block 18", "--output", "json");
      assertTrue(json.out().startsWith("{\"outcome\":\"DELIVERED\",\"peer\":\"" + name));
      Image.await(
          "both",
          java.time.Duration.ofSeconds(20),
          () ->
              served().contains("notification cache.ready block 17")
                  && served().contains("notification cache.ready block 18"));

      Image.freeze(server.pid());
      var frozen = run("notify", name, "a", "b", "--timeout", "1s", "--output", "json");
      assertTrue(List.of(1, 4).contains(frozen.code()), frozen.toString());
      assertFalse(frozen.err().isEmpty());
    } finally {
      server.destroyForcibly();
    }
    var gone = run("notify", "127.0.0.1:9", "a", "b");
    assertEquals(ExitCode.UNREACHABLE.number(), gone.code(), gone.toString());
    assertEquals(1, gone.err().lines().count(), gone.err());
  }

  @Test
  void commandsRunBesideTheNodeOfTheSameFile() throws Exception {
    int[] ports = new int[2];
    for (int i = 0; i < ports.length; i++) {
      try (var free = new java.net.ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress())) {
        ports[i] = free.getLocalPort();
      }
    }
    var file =
        write(
            "shunt {\n  control.port = "
                + ports[0]
                + "\n  admin { enable = true, port = "
                + ports[1]
                + ", runtime-dir = \""
                + folder.resolve("nodes")
                + "\" }\n}");
    var server = Image.start(folder, "serve", "--memory", "16MiB", "--config", file);
    try {
      Image.await("serving", java.time.Duration.ofSeconds(60), () -> !served().isEmpty());
      var name = "127.0.0.1:" + ports[0];
      var sent = run("notify", name, "a", "b", "--config", file);
      assertEquals(0, sent.code(), sent.toString());
      var measured = run("bench", name, "--duration", "200ms", "--warm-up", "0s", "--config", file);
      assertEquals(0, measured.code(), measured.toString());
      var shown = run("demo", "--size", "1MiB", "--config", file);
      assertEquals(0, shown.code(), shown.toString());
      var looked = run("doctor", "--config", file);
      assertTrue(looked.out().contains("control 127.0.0.1:" + ports[0]), looked.out());
      assertTrue(looked.out().contains("admin 127.0.0.1:" + ports[1]), looked.out());
      assertFalse(looked.out().contains("does not start"), looked.out());
      assertTrue(server.isAlive());
    } finally {
      server.destroyForcibly();
    }
  }

  @Test
  void aBenchmarkLeavesAPageThatStandsByItself() throws Exception {
    var page = folder.resolve("bench.html");
    var measured =
        run("bench", "--duration", "500ms", "--warm-up", "100ms", "--report", page.toString());
    assertEquals(0, measured.code(), measured.toString());
    var html = Files.readString(page);
    assertTrue(html.contains("<path class=\"line one\" d=\"M"), html);
    assertFalse(html.contains("http:") || html.contains("https:"), html);

    var nowhere = run("bench", "--report", folder.resolve("gone/bench.html").toString());
    assertEquals(ExitCode.FAILED.number(), nowhere.code(), nowhere.toString());
    assertEquals(1, nowhere.err().lines().count(), nowhere.err());
  }

  @Test
  void levelsOfARunningNodeFollowItsLoggingFile() throws Exception {
    var logging = folder.resolve("logging.properties");
    var conf = Files.readString(Image.FOLDER.resolve("conf/logging.properties"));
    Files.writeString(logging, conf);
    var builder =
        new ProcessBuilder(Image.SHUNT, "serve", "--memory", "1MiB", "--until-eof")
            .redirectOutput(folder.resolve("out").toFile())
            .redirectError(folder.resolve("err").toFile());
    builder.environment().put("JDK_JAVA_OPTIONS", "-Djava.util.logging.config.file=" + logging);
    var server = builder.start();
    try {
      Image.await("serving", java.time.Duration.ofSeconds(60), () -> !served().isEmpty());
      Files.writeString(logging, conf + "\ndev.shunt.level = FINE\n");
      Image.await(
          "the new level",
          java.time.Duration.ofSeconds(30),
          () -> text("err").contains("dev.shunt=FINE"));
    } finally {
      server.destroyForcibly();
    }
  }

  private String served() {
    return text("out");
  }

  private String text(String stream) {
    try {
      return Image.text(folder, stream);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private String write(String text) throws IOException {
    return Files.writeString(folder.resolve("cluster.conf"), text).toString();
  }

  private Image.Ran run(String... arguments) throws IOException, InterruptedException {
    return Image.run(run, arguments);
  }
}
