package dev.shunt.runtime.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Batch;
import dev.shunt.api.FailureCode;
import dev.shunt.api.Notification;
import dev.shunt.api.Outcome;
import dev.shunt.api.Request;
import dev.shunt.api.ShuntException;
import dev.shunt.api.Status;
import dev.shunt.runtime.admin.RuntimeEntry;
import dev.shunt.runtime.admin.RuntimeFiles;
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
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people see of engines, several of which may be in one JVM. */
class ObservedTest {
  @TempDir Path temporary;

  private Path place() {
    return temporary.resolve("run");
  }

  private RuntimeEntry entry(String name) {
    return RuntimeFiles.running(List.of(place())).stream()
        .filter(entry -> entry.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private String get(String name, String path) throws IOException {
    var url = URI.create("http://" + entry(name).admin() + path).toURL();
    var connection = (HttpURLConnection) url.openConnection(Proxy.NO_PROXY);
    try (var in =
        connection.getResponseCode() < 400
            ? connection.getInputStream()
            : connection.getErrorStream()) {
      return connection.getResponseCode()
          + " "
          + new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private long metric(String name, String sample) throws IOException {
    return get(name, "/metrics")
        .lines()
        .filter(line -> line.startsWith(sample + " "))
        .mapToLong(line -> Long.parseLong(line.substring(sample.length() + 1)))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no sample " + sample));
  }

  @Test
  void eachEngineHasMetricsAndARuntimeFileOfItsOwn() throws Exception {
    try (var duo = new EngineDuo(place())) {
      for (int i = 0; i < 10; i++) {
        assertTrue(duo.write(EngineDuo.SIZE).completed());
      }
      assertTrue(duo.read(4096).completed());
      var rejected = Request.write(duo.local, duo.segment, duo.remote.address() + 1);
      assertFalse(
          duo.a.submit(Batch.of(rejected)).await(EngineDuo.SOON).completed(), "out of range");

      var labels = "{transport=\"tcp\",operation=\"write\",direction=";
      long bytes = 10L * EngineDuo.SIZE;
      var a = duo.a.name();
      var b = duo.b.name();
      assertEquals(bytes, metric(a, "shunt_transfer_bytes_total" + labels + "\"outbound\"}"));
      assertEquals(0, metric(a, "shunt_transfer_bytes_total" + labels + "\"inbound\"}"));
      assertEquals(0, metric(b, "shunt_transfer_bytes_total" + labels + "\"outbound\"}"));
      assertEquals(bytes, metric(b, "shunt_transfer_bytes_total" + labels + "\"inbound\"}"));
      var write = "{transport=\"tcp\",operation=\"write\"";
      var read = "{transport=\"tcp\",operation=\"read\"";
      assertEquals(
          10, metric(a, "shunt_transfer_requests_total" + write + ",outcome=\"completed\"}"));
      assertEquals(10, metric(a, "shunt_transfer_duration_seconds_count" + write + "}"));
      assertEquals(
          10, metric(a, "shunt_transfer_duration_seconds_bucket" + write + ",le=\"+Inf\"}"));
      assertEquals(1, metric(a, "shunt_transfer_duration_seconds_count" + read + "}"));
      assertEquals(1, metric(b, "shunt_inbound_requests_total" + read + "}"));
      assertEquals(1, metric(a, "shunt_transfer_rejected_total"));
      assertEquals(1, metric(a, "shunt_control_calls_total{function=\"Hello\"}"));
      assertEquals(1, metric(b, "shunt_control_served_total{function=\"Hello\"}"));
      assertEquals(1, metric(a, "shunt_peers"));
      assertEquals(1, metric(a, "shunt_state_changes_total{subject=\"peer\",state=\"met\"}"));
      assertEquals(1, metric(a, "shunt_node_ready"));

      var status = get(a, "/status");
      assertTrue(status.contains("\"state\":\"READY\""), status);
      assertTrue(status.contains("\"peers\":[{\"name\":\"" + b + "\""), status);
      assertEquals("200 ready\n", get(b, "/health/ready"));
      assertEquals("200 live\n", get(b, "/health/live"));

      duo.b.close();
      assertEquals(
          List.of(a), RuntimeFiles.running(List.of(place())).stream().map(e -> e.name()).toList());
      assertEquals("200 ready\n", get(a, "/health/ready"));
    }
    try (var files = Files.list(place())) {
      assertEquals(List.of(), files.toList(), "runtime files are removed");
    }
  }

  @Test
  void anEngineInAProgramAnswersNoHttpUnlessToldTo() {
    var threads = Thread.getAllStackTraces().keySet();
    assertTrue(threads.stream().noneMatch(t -> t.getName().equals("shunt-watchdog")));
    try (var _ =
        new RuntimeFactory()
            .builder()
            .set("transports.rdma.enable", false)
            .set("admin.runtime-dir", place().toString())
            .open()) {
      assertFalse(Files.exists(place()));
      assertTrue(
          Thread.getAllStackTraces().keySet().stream()
              .noneMatch(t -> t.getName().matches("shunt-watchdog|HTTP-Dispatcher")));
    }
  }

  @Test
  void eachChangeOfStateIsAnEventAndEachRequestOne() throws Exception {
    List<RecordedEvent> events;
    try (var recording = new Recording()) {
      recording.enable("dev.shunt.Transfer").withoutThreshold();
      recording.start();
      String a;
      String b;
      try (var duo = new EngineDuo(place())) {
        a = duo.a.name();
        b = duo.b.name();
        duo.write(EngineDuo.SIZE);
        duo.read(EngineDuo.SIZE / 2);
        duo.b.close();
        var nobody = new Notification("it", "is missed");
        duo.a.send(duo.segment, nobody, EngineDuo.SOON).await(EngineDuo.SOON);
        await("it is missed", () -> unreachable(duo).isPresent());
        var mark = unreachable(duo).orElseThrow();
        assertTrue(mark.cause().contains("refused"), mark.toString());
        assertTrue(mark.nextProbe().isAfter(mark.since()), mark.toString());
        assertTrue(get(a, "/status").contains("\"unreachable\":{\"since\":"));
        var refused = duo.write(EngineDuo.SIZE).outcomes().getFirst();
        var failure = ((Outcome.Error) refused).failure();
        assertEquals(FailureCode.UNREACHABLE, failure.code());
        assertTrue(failure.message().contains("next probe in"), failure.message());
      }
      recording.stop();
      var file = temporary.resolve("events.jfr");
      recording.dump(file);
      events = RecordingFile.readAllEvents(file);
      for (var node : List.of(a, b)) {
        assertEquals(
            List.of("starting", "ready", "draining", "stopped"),
            of(events, "NodeChanged", node, "state"));
        assertTrue(of(events, "TransportChanged", node, "state").contains("started"));
        assertFalse(of(events, "DescriptorPublished", node, "bytes").isEmpty());
      }
      var peer = new ArrayList<>(of(events, "PeerChanged", a, "state"));
      // Whether that is heard in time is the machine's affair, where it is a busy one.
      peer.remove("closing");
      assertEquals(List.of("met", "unreachable"), peer);
      var channels = of(events, "ChannelChanged", a, "state");
      assertTrue(channels.contains("up") && channels.contains("down"), channels.toString());

      assertEquals(List.of(), of(events, "Transfer", b, "bytes"));
      assertEquals(
          List.of(EngineDuo.SIZE, EngineDuo.SIZE / 2).toString(),
          of(events, "Transfer", a, "bytes").toString());
      assertEquals(List.of("WRITE", "READ"), of(events, "Transfer", a, "operation"));
      var outcomes = of(events, "Transfer", a, "outcome");
      assertEquals(List.of("COMPLETED", "COMPLETED"), outcomes);
      var first = named(events, "Transfer", a).getFirst();
      assertTrue(first.getInt("slices") >= 1);
      assertEquals(first.getInt("slices"), first.getInt("attempts"));
      assertEquals(b, first.getString("peer"));
      var parts = first.getDuration("queueTime").plus(first.getDuration("wireTime"));
      assertTrue(parts.compareTo(first.getDuration().plusMillis(1)) <= 0, first.toString());
      assertTrue(parts.isPositive(), first.toString());
    }
  }

  private static Optional<Status.Unreachable> unreachable(EngineDuo duo) {
    return duo.a.status().peers().getFirst().unreachable();
  }

  private static List<RecordedEvent> named(List<RecordedEvent> events, String type, String node) {
    return events.stream()
        .filter(e -> e.getEventType().getName().equals("dev.shunt." + type))
        .filter(e -> e.getString("node").equals(node))
        .sorted(java.util.Comparator.comparing(RecordedEvent::getEndTime))
        .toList();
  }

  private static List<Object> of(
      List<RecordedEvent> events, String type, String node, String field) {
    return named(events, type, node).stream().<Object>map(e -> e.getValue(field)).toList();
  }

  @Test
  void drainingIsSeenAndTakesNothingNew() throws Exception {
    try (var duo = new EngineDuo(place())) {
      assertTrue(duo.write(4096).completed());
      var left = duo.a.drain(Duration.ofSeconds(10));
      assertTrue(left.clean(), left.toString());
      assertEquals(0, left.uses());
      assertEquals("503 draining\n", get(duo.a.name(), "/health/ready"));
      assertEquals("200 live\n", get(duo.a.name(), "/health/live"));
      assertEquals(0, metric(duo.a.name(), "shunt_node_ready"));
      assertEquals(Status.State.DRAINING, duo.a.status().state());
      var refused = assertThrows(ShuntException.class, () -> duo.write(1));
      assertEquals(FailureCode.CLOSED, refused.code());
      assertTrue(refused.getMessage().contains("drains"), refused.getMessage());
      assertEquals("200 ready\n", get(duo.b.name(), "/health/ready"));
    }
  }

  @Test
  void drainingWaitsForWhatPeersAreAt() throws Exception {
    try (var duo = new EngineDuo(place())) {
      assertTrue(duo.write(EngineDuo.SIZE).completed());
      var stop = System.nanoTime() + Duration.ofMillis(600).toNanos();
      var failure = new AtomicReference<String>("");
      var writer =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      while (System.nanoTime() - stop < 0) {
                        if (!duo.write(EngineDuo.SIZE).completed()) {
                          failure.set("a write failed while its peer drained");
                        }
                      }
                    } catch (InterruptedException | ShuntException e) {
                      failure.set(e.toString());
                    }
                  });
      var left = duo.b.drain(Duration.ofSeconds(20));
      assertTrue(System.nanoTime() - stop > 0, "it drained while a peer still wrote");
      writer.join();
      assertEquals("", failure.get());
      assertEquals(0, left.uses());
      assertFalse(left.cutsPeers(), left.toString());
      var started = System.nanoTime();
      duo.b.drain(Duration.ofSeconds(20));
      assertTrue(System.nanoTime() - started < 5_000_000_000L, "an idle one drains at once");
    }
  }

  @Test
  void drainingTellsOfThePeerThatItsDeadlineCutsOff() throws Exception {
    try (var duo = new EngineDuo(place())) {
      assertTrue(duo.write(4096).completed());
      var stop = new AtomicBoolean();
      var writer =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      while (!stop.get()) {
                        duo.write(4096);
                      }
                    } catch (InterruptedException | ShuntException _) {
                      stop.set(true);
                    }
                  });
      try {
        for (int i = 0; i < 5; i++) {
          var left = duo.b.drain(Duration.ofMillis(100));
          assertFalse(stop.get(), "the writer failed");
          assertTrue(left.cutsPeers(), left.toString());
          assertTrue(left.clean(), "nothing of its own: " + left);
        }
      } finally {
        stop.set(true);
        writer.join();
      }
    }
  }

  @Test
  void aThreadThatStandsStillIsNamed() throws Exception {
    try (var engine =
        (ShuntEngine)
            new RuntimeFactory()
                .builder()
                .set("transports.rdma.enable", false)
                .set("admin.enable", true)
                .set("admin.stuck-after", "2s")
                .set("admin.runtime-dir", place().toString())
                .open()) {
      var name = engine.name();
      var release = new java.util.concurrent.CountDownLatch(1);
      engine
          .node
          .transports
          .getFirst()
          .laneAgents()
          .getFirst()
          .execute(
              () -> {
                try {
                  release.await();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              });
      var lane = engine.node.transports.getFirst().laneAgents().getFirst().name();
      var stuck = "503 stuck: " + lane + "\n";
      await("it is seen", () -> live(name).equals(stuck));
      assertEquals(List.of(lane), engine.status().stuck());
      assertEquals(1, metric(name, "shunt_agents_stuck"));
      assertEquals("200 ready\n", get(name, "/health/ready"));
      release.countDown();
      await("it moves again", () -> live(name).equals("200 live\n"));
    }
  }

  private String live(String name) {
    try {
      return get(name, "/health/live");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void await(String what, BooleanSupplier holds) throws InterruptedException {
    var until = System.nanoTime() + 30_000_000_000L;
    while (!holds.getAsBoolean()) {
      assertTrue(System.nanoTime() - until < 0, what);
      Thread.sleep(20);
    }
  }
}
