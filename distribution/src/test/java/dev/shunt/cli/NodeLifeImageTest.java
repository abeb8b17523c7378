package dev.shunt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a node of {@code shunt serve} is seen, and how it ends. */
class NodeLifeImageTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  static {
    // The command line itself reads no recordings, so its module does not ask for it.
    var self = NodeLifeImageTest.class.getModule();
    ModuleLayer.boot().findModule("jdk.jfr").ifPresent(self::addReads);
  }

  @TempDir Path folder;

  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void endAll() throws InterruptedException {
    for (var process : started) {
      process.destroyForcibly().waitFor();
    }
  }

  private Path place() {
    return folder.resolve("run");
  }

  private Path folder(String name) throws IOException {
    return Files.createDirectories(folder.resolve(name));
  }

  private Process start(String name, String... arguments) throws IOException {
    var process = Image.start(folder(name), arguments);
    started.add(process);
    return process;
  }

  /** Starts a node, and gives its name. */
  private String serve(String name, String... more) throws IOException, InterruptedException {
    var arguments = new ArrayList<>(List.of("serve", "--set", "transports.rdma.enable=false"));
    arguments.addAll(List.of("--set", "admin.runtime-dir=" + place()));
    arguments.addAll(List.of(more));
    var process = start(name, arguments.toArray(String[]::new));
    Image.await(
        "a node", PATIENCE, () -> text(name, "out").contains("ready ") || !process.isAlive());
    var ready = text(name, "out");
    assertTrue(ready.startsWith("ready "), () -> text(name, "err"));
    return ready.lines().findFirst().orElseThrow().substring("ready ".length());
  }

  private Process process(int index) {
    return started.get(index);
  }

  private String text(String name, String stream) {
    try {
      return Image.text(folder(name), stream);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Image.Ran look(String command, String... more) throws IOException, InterruptedException {
    var arguments = new ArrayList<>(List.of(command, "--runtime-dir", place().toString()));
    arguments.addAll(List.of(more));
    return Image.run(folder("look"), arguments.toArray(String[]::new));
  }

  private static String get(String address, String path) throws IOException {
    var connection =
        (HttpURLConnection)
            URI.create("http://" + address + path).toURL().openConnection(Proxy.NO_PROXY);
    try (var in =
        connection.getResponseCode() < 400
            ? connection.getInputStream()
            : connection.getErrorStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Where a node answers operators, as its runtime file says. */
  private String admin() throws IOException {
    try (var files = Files.list(place())) {
      var file = files.findFirst().orElseThrow();
      return Tree.read(file.toString(), Files.readAllBytes(file)).text("admin");
    }
  }

  @Test
  void statusShowsANodeThatRuns() throws Exception {
    var name = serve("node");
    var bench =
        Image.run(
            folder("bench"),
            "bench",
            name,
            "--duration",
            "300ms",
            "--warm-up",
            "0s",
            "--set",
            "transports.rdma.enable=false");
    assertEquals(0, bench.code(), bench.err());

    var shown = look("status");
    assertEquals(0, shown.code(), shown.err());
    assertTrue(shown.out().startsWith("node        " + name + " is READY"), shown.out());
    assertTrue(shown.out().contains("transport   tcp, "), shown.out());
    assertTrue(shown.out().contains("1 buffer of 64 MiB"), shown.out());
    shown.out().lines().forEach(line -> assertTrue(line.length() <= 100, line));

    var json = look("status", "--node", name, "--output", "json");
    assertEquals(1, json.out().lines().count(), json.out());
    var status = Tree.read("status", json.out().getBytes(StandardCharsets.UTF_8));
    assertEquals(name, status.text("name"));
    assertEquals("READY", status.text("state"));
    var tcp = status.objects("transports").getFirst();
    assertTrue(tcp.number("inbound_bytes") > 0, json.out());
    assertTrue(
        status.objects("plugins").stream().anyMatch(p -> p.text("id").equals("tcp")), json.out());
    assertEquals(0, look("status", "--admin", admin()).code());

    var unknown = look("status", "--node", "nobody:1");
    assertEquals(4, unknown.code());
    assertTrue(unknown.err().contains("there are " + name), unknown.err());
    assertEquals(2, look("status", "--admin", "nonsense").code());
    assertEquals(4, look("status", "--admin", "127.0.0.1:1").code());
  }

  @Test
  void statusSaysThatNoNodeRuns() throws Exception {
    var none = look("status");
    assertEquals(4, none.code());
    assertTrue(none.err().contains("none is in " + place()), none.err());
    assertEquals(4, look("recording").code());
    assertEquals(4, look("status", "--output", "json").code());
  }

  @Test
  void watchingGoesOnAndShowsRates() throws Exception {
    serve("node");
    var watching = start("watch", "status", "--runtime-dir", place().toString(), "--watch=100ms");
    Image.await(
        "a third look",
        PATIENCE,
        () -> text("watch", "out").lines().filter("---"::equals).count() >= 3);
    assertTrue(text("watch", "out").contains("  now       out 0 B/s"), text("watch", "out"));
    assertFalse(text("watch", "out").contains("\u001b"), "nobody's terminal gets escapes");
    process(0).destroy();
    assertTrue(watching.waitFor(60, TimeUnit.SECONDS), "it goes on without a node");
    assertEquals(4, watching.exitValue());
  }

  @Test
  void metricsAreWhatPrometheusReads() throws Exception {
    var name = serve("node");
    var before = new PrometheusText(get(admin(), "/metrics"));
    var bench =
        Image.run(
            folder("bench"),
            "bench",
            name,
            "--duration",
            "300ms",
            "--warm-up",
            "0s",
            "--set",
            "transports.rdma.enable=false",
            "--operation",
            "read");
    assertEquals(0, bench.code(), bench.err());
    var after = new PrometheusText(get(admin(), "/metrics"));

    var bytes = "shunt_transfer_bytes_total{direction=inbound, operation=read, transport=tcp}";
    assertEquals(0.0, before.value(bytes).orElseThrow());
    assertTrue(after.value(bytes).orElseThrow() >= 1 << 20);
    assertEquals(1.0, after.value("shunt_node_ready").orElseThrow());
    assertEquals("histogram", after.types().get("shunt_transfer_duration_seconds"));
    assertEquals(before.types(), after.types(), "what there is does not depend on traffic");
    assertEquals(before.size(), after.size(), "nor do the series, whoever comes");
  }

  @Test
  void aRecordingTellsWhatHappened() throws Exception {
    var name = serve("node");
    var file = folder.resolve("it.jfr");
    var fetched = look("recording", "-o", file.toString(), "--output", "json");
    assertEquals(0, fetched.code(), fetched.err());
    assertTrue(fetched.out().contains("\"node\":\"" + name + "\""), fetched.out());
    assertEquals(
        "rw-------",
        java.nio.file.attribute.PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    var events = RecordingFile.readAllEvents(file);
    var types = events.stream().map(e -> e.getEventType().getName()).collect(Collectors.toSet());
    assertTrue(types.contains("jdk.JVMInformation"), "it has the JDK's own events");
    assertEquals(List.of("starting", "ready"), states(events, "dev.shunt.NodeChanged"));
    assertTrue(states(events, "dev.shunt.TransportChanged").contains("started"));
    assertTrue(types.contains("dev.shunt.DescriptorPublished"));

    // In the folder where it is called, under a name that says which and when.
    assertEquals(0, look("recording").code());
    try (var files = Files.list(folder("look"))) {
      assertTrue(files.anyMatch(f -> f.getFileName().toString().matches("shunt-.*\\.jfr")));
    }
  }

  private static List<String> states(List<RecordedEvent> events, String type) {
    return events.stream()
        .filter(e -> e.getEventType().getName().equals(type))
        .map(e -> e.getString("state"))
        .toList();
  }

  @Test
  void aRecorderThatIsOffSaysSo() throws Exception {
    serve("node", "--set", "recorder.enable=false");
    var refused = look("recording");
    assertEquals(1, refused.code());
    assertTrue(refused.err().contains("shunt.recorder.enable = false"), refused.err());
    serve("quiet", "--set", "admin.enable=false");
    assertEquals(1, look("status", "--output", "json").out().lines().count());
  }

  @Test
  void underLoadASignalDrainsForItsTimeAndThenCloses() throws Exception {
    var name = serve("node", "--set", "close-timeout=2s", "--output", "text");
    var admin = admin();
    var bench =
        start(
            "bench",
            "bench",
            name,
            "--duration",
            "5m",
            "--warm-up",
            "0s",
            "--threads",
            "4",
            "--batch",
            "16",
            "--set",
            "transports.rdma.enable=false");
    var moved = "shunt_transfer_bytes_total{direction=inbound, operation=write, transport=tcp}";
    Image.await("load", PATIENCE, () -> value(admin, moved) > 64 << 20);

    var signalled = System.nanoTime();
    process(0).destroy();
    Image.await("the log", PATIENCE, () -> text("node", "err").contains("and drains"));
    assertTrue(process(0).waitFor(40, TimeUnit.SECONDS), "it hangs");
    var took = Duration.ofNanos(System.nanoTime() - signalled);

    assertEquals(0, process(0).exitValue(), text("node", "err"));
    assertTrue(took.compareTo(Duration.ofSeconds(20)) < 0, took.toString());
    var err = text("node", "err");
    assertTrue(err.contains("shunt serve: SIGTERM: draining for 2 s at most"), err);
    // The last lines of all are still logged.
    assertTrue(err.contains("Shutdown: " + name + " is closed"), err);
    assertTrue(
        err.stripTrailing().lines().toList().getLast().startsWith("shunt serve: closed"), err);
    try (var files = Files.list(place())) {
      assertEquals(List.of(), files.toList(), "its runtime file is gone");
    }
    assertEquals(4, look("status").code());
    bench.destroy();
    assertTrue(bench.waitFor(40, TimeUnit.SECONDS), "the bench hangs");
    var code = bench.exitValue();
    assertTrue(List.of(1, 4, 143).contains(code), code + ": " + text("bench", "err"));
  }

  private static double value(String admin, String sample) {
    try {
      return new PrometheusText(get(admin, "/metrics")).value(sample).orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void whileItDrainsItIsNotReadyAndASecondSignalEndsItAtOnce() throws Exception {
    var name = serve("node", "--set", "close-timeout=5m");
    var admin = admin();
    start(
        "bench",
        "bench",
        name,
        "--duration",
        "5m",
        "--warm-up",
        "0s",
        "--threads",
        "4",
        "--batch",
        "16",
        "--set",
        "transports.rdma.enable=false");
    var moved = "shunt_transfer_bytes_total{direction=inbound, operation=write, transport=tcp}";
    Image.await("load", PATIENCE, () -> value(admin, moved) > 64 << 20);
    assertEquals("ready\n", get(admin, "/health/ready"));

    process(0).destroy();
    Image.await("draining", PATIENCE, () -> ready(admin).equals("draining\n"));
    assertEquals("live\n", get(admin, "/health/live"));
    assertTrue(look("status").out().contains(" is DRAINING"), "status says so");

    // One right after the first counts for nothing; of those that follow one ends it.
    Image.await(
        "ended",
        Duration.ofSeconds(9),
        () -> {
          process(0).destroy();
          return !process(0).isAlive();
        });
    assertEquals(143, process(0).exitValue(), text("node", "err"));
    assertTrue(text("node", "err").contains("SIGTERM again"), text("node", "err"));
    // It had no time to remove its file, which counts for nothing.
    assertEquals(4, look("status").code());
  }

  private static String ready(String admin) {
    try {
      return get(admin, "/health/ready");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aStopIsToldToPrograms() throws Exception {
    var process =
        start(
            "node",
            "serve",
            "--output",
            "json",
            "--set",
            "admin.runtime-dir=" + place(),
            "--set",
            "transports.rdma.enable=false");
    Image.await("a node", PATIENCE, () -> text("node", "out").contains("\"ready\":true"));
    process.destroy();
    assertTrue(process.waitFor(40, TimeUnit.SECONDS), "it hangs");
    assertEquals(0, process.exitValue(), text("node", "err"));
    var last = text("node", "out").lines().toList().getLast();
    assertEquals(
        "{\"stopped\":true,\"signal\":\"TERM\",\"transfers\":0,\"bytes\":0,\"uses\":0,"
            + "\"quarantined_bytes\":0,\"inbound\":0}",
        last);
  }
}
