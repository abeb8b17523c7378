package dev.shunt.runtime.admin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import dev.shunt.api.Signal;
import dev.shunt.api.Status;
import dev.shunt.runtime.config.AdminConfig;
import dev.shunt.runtime.config.RecorderConfig;
import dev.shunt.runtime.transfer.FutureSignal;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AdminServerTest {
  private final Fake source = new Fake();
  private AdminServer server = new AdminServer(config("127.0.0.1", 0, false), source);

  private static AdminConfig config(String bind, int port, boolean beyond) {
    return new AdminConfig(
        true, bind, port, Optional.empty(), Duration.ofSeconds(10), beyond, beyond);
  }

  private static final class Fake implements AdminSource {
    private volatile Status.State state = Status.State.READY;
    private volatile String metrics = "shunt_node_ready 1\n";
    private volatile List<String> stuck = List.of();
    private volatile Optional<Recorder> recorder = Optional.empty();
    private final List<String> orders = new CopyOnWriteArrayList<>();

    @Override
    public Status status() {
      return new Status(
          "a\"b",
          -1,
          state,
          Instant.EPOCH,
          List.of("127.0.0.1:1"),
          List.of(),
          List.of(),
          List.of(),
          new Status.Memory(0, 0, 0, 0, 0),
          new Status.Queues(0, 0, 0, 0),
          stuck,
          Map.of("slices-completed", 5L));
    }

    @Override
    public Status.State state() {
      return state;
    }

    @Override
    public String metrics() {
      return metrics;
    }

    @Override
    public Signal<Status.RailStatus> drainRail(String transport, String rail) {
      return order("drain", transport, rail, "DRAINED");
    }

    @Override
    public Signal<Status.RailStatus> restoreRail(String transport, String rail) {
      return order("restore", transport, rail, "ACTIVE");
    }

    private Signal<Status.RailStatus> order(
        String what, String transport, String rail, String state) {
      if (transport.equals("none")) {
        throw new ShuntException(FailureCode.REJECTED, "no transport none");
      }
      orders.add(what + " " + transport + " " + rail);
      var signal = new FutureSignal<Status.RailStatus>(Runnable::run);
      signal.complete(
          new Status.RailStatus(
              rail,
              state,
              Optional.empty(),
              "why",
              Optional.empty(),
              Optional.empty(),
              Duration.ofSeconds(30),
              0));
      return signal;
    }

    @Override
    public List<String> stuck() {
      return stuck;
    }

    @Override
    public Optional<Recorder> recorder() {
      return recorder;
    }
  }

  @AfterEach
  void close() {
    server.close();
    source.recorder.ifPresent(Recorder::close);
  }

  private String get(String path, String... headers) throws IOException {
    return Asking.get(server.address(), path, headers);
  }

  private static void starts(String expected, String answer) {
    assertTrue(answer.startsWith("HTTP/1.1 " + expected), answer);
  }

  @Test
  void itTellsWhatItIsAskedFor() throws IOException {
    var metrics = get("/metrics");
    starts("200", metrics);
    assertTrue(metrics.contains("Content-Type: text/plain; version=0.0.4"), metrics);
    assertTrue(metrics.endsWith("\r\n\r\nshunt_node_ready 1\n"), metrics);
    var status = get("/status");
    starts("200", status);
    assertTrue(
        status.contains("{\"name\":\"a\\\"b\",\"generation\":\"18446744073709551615\""), status);
    assertTrue(get("/status?x=1").contains("\"slices-completed\":5"), "a query is nothing");
  }

  @Test
  void readinessAndLivenessAreCodes() throws IOException {
    starts("200", get("/health/ready"));
    starts("200", get("/health/live"));
    source.state = Status.State.DRAINING;
    source.stuck = List.of("tcp-lane-1", "steward");
    var ready = get("/health/ready");
    starts("503", ready);
    assertTrue(ready.endsWith("\r\n\r\ndraining\n"), ready);
    var live = get("/health/live");
    starts("503", live);
    assertTrue(live.endsWith("\r\n\r\nstuck: tcp-lane-1, steward\n"), live);
  }

  @Test
  void nothingElseIsServed() throws IOException {
    starts("404", get("/"));
    starts("404", get("/metrics/x"));
    starts("404", get("/%2e%2e/etc/passwd"));
    for (var method : List.of("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "BREW")) {
      var answer = Asking.ask(server.address(), method, "/metrics", "Content-Length: 0");
      starts("405", answer);
      assertTrue(answer.contains("Allow: GET, HEAD"), answer);
    }
    var head = Asking.ask(server.address(), "HEAD", "/metrics");
    starts("200", head);
    assertTrue(head.endsWith("\r\n\r\n"), head);
  }

  @Test
  void aBodyIsNotWaitedFor() throws Exception {
    try (var socket = Asking.connect(server.address())) {
      var head = "POST /status HTTP/1.1\r\nContent-Length: 5000000000\r\n\r\n";
      socket.getOutputStream().write(head.getBytes(UTF_8));
      var answer = new String(socket.getInputStream().readNBytes(12), UTF_8);
      assertEquals("HTTP/1.1 405", answer);
      await(
          "it is sent away",
          () -> {
            server.sweep();
            return server.visitors() == 0;
          });
    }
  }

  @Test
  void aPageOfTheWebThatNamesUsItsOwnIsRefused() throws IOException {
    starts("403", get("/status", "Host: rebound.example:" + 80));
    starts("200", get("/status", "Host: localhost:1"));
    starts("200", get("/status", "Host: 127.0.0.1"));
    starts("200", get("/status", "Host: [::1]:80"));
  }

  @Test
  void nonsenseCostsNobodyElseAnything() throws IOException {
    var nonsense =
        List.of(
            "\r\n\r\n",
            "GET\r\n\r\n",
            "GET /metrics\r\n\r\n",
            "GET http://[ HTTP/1.1\r\n\r\n",
            "\0\1\2\3\4\r\n\r\n",
            "GET /metrics HTTP/1.1\r\nContent-Length: -5\r\n\r\n",
            "GET /metrics HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            "GET /" + "x".repeat(100_000) + " HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\n" + "A: b\r\n".repeat(10_000) + "\r\n");
    for (var text : nonsense) {
      try (var socket = Asking.connect(server.address())) {
        socket.getOutputStream().write(text.getBytes(UTF_8));
        socket.shutdownOutput();
        socket.getInputStream().readAllBytes();
      } catch (IOException _) {
        // Reset: that is an answer too.
      }
      starts("200", get("/health/live"));
    }
  }

  @Test
  void whoIsSlowHoldsUpNobodyAndIsSentAway() throws Exception {
    var slow = new ArrayList<Socket>();
    try {
      for (int i = 0; i < 24; i++) {
        var socket = Asking.connect(server.address());
        socket.getOutputStream().write("GET /metrics HT".getBytes(UTF_8));
        slow.add(socket);
      }
      await("they are there", () -> server.visitors() == 24);
      for (int i = 0; i < 50; i++) {
        starts("200", get("/health/live"));
      }
      await(
          "their time is over",
          () -> {
            server.sweep();
            return server.visitors() == 0;
          });
      for (var socket : slow) {
        assertEquals(-1, read(socket), "its connection is closed");
      }
    } finally {
      for (var socket : slow) {
        socket.close();
      }
    }
  }

  @Test
  void moreThanItServesAtATimeAreTurnedAway() throws Exception {
    var slow = new ArrayList<Socket>();
    try {
      for (int i = 0; i < 196; i++) {
        var socket = Asking.connect(server.address());
        socket.getOutputStream().write("GET /metrics HT".getBytes(UTF_8));
        slow.add(socket);
      }
      await("it is full", () -> server.visitors() == 128);
      int closed = 0;
      for (var socket : slow) {
        socket.setSoTimeout(20);
        closed += read(socket) == -1 ? 1 : 0;
      }
      assertEquals(68, closed);
      assertEquals(128, server.visitors());
    } finally {
      for (var socket : slow) {
        socket.close();
      }
    }
    await("they left", () -> server.visitors() == 0);
    starts("200", get("/health/live"));
  }

  @Test
  void aCrowdThatKeepsSilentShutsOutNoProbe() throws Exception {
    var crowd = new ArrayList<Socket>();
    try {
      long slowest = 0;
      for (int i = 0; i < 1500; i++) {
        var socket = Asking.connect(server.address());
        if (i % 2 == 0) {
          socket.getOutputStream().write("GET /health/live HT".getBytes(UTF_8));
        }
        crowd.add(socket);
        if (i % 50 == 0) {
          var asked = System.nanoTime();
          starts("200", get("/health/live"));
          slowest = Math.max(slowest, System.nanoTime() - asked);
        }
      }
      assertTrue(slowest < 1_000_000_000L, "the slowest answer took ns " + slowest);
      assertTrue(server.visitors() <= 128, "" + server.visitors());
    } finally {
      for (var socket : crowd) {
        socket.close();
      }
    }
  }

  @Test
  void aCrowdThatDoesNotReadItsAnswersLetsProbesHaveTheTimeToAsk() throws Exception {
    source.metrics = "x".repeat(16 << 20);
    var crowd = new ArrayList<Socket>();
    try {
      for (int i = 0; i < 128; i++) {
        var socket = Asking.connect(server.address());
        socket.getOutputStream().write("GET /metrics HTTP/1.1\r\n\r\n".getBytes(UTF_8));
        crowd.add(socket);
        socket.setSoTimeout(20_000);
        assertEquals('H', socket.getInputStream().read(), "it is being answered");
      }
      try (var probe = Asking.connect(server.address())) {
        for (int i = 0; i < 20; i++) {
          crowd.add(Asking.connect(server.address()));
        }
        // They are let in one after the other: who is behind all of them and answered, is the last.
        try (var last = Asking.connect(server.address())) {
          last.getOutputStream().write("GET /health/live HTTP/1.1\r\n\r\n".getBytes(UTF_8));
          starts("200", new String(last.getInputStream().readAllBytes(), UTF_8));
        }
        probe.getOutputStream().write("GET /health/live HTTP/1.1\r\n\r\n".getBytes(UTF_8));
        starts("200", new String(probe.getInputStream().readAllBytes(), UTF_8));
      }
    } finally {
      for (var socket : crowd) {
        socket.close();
      }
    }
  }

  /** -1 for a connection that is closed, in whatever way; -2 for one that is not. */
  private static int read(Socket socket) {
    try {
      return socket.getInputStream().read();
    } catch (java.net.SocketTimeoutException _) {
      return -2;
    } catch (IOException _) {
      return -1;
    }
  }

  @Test
  void aRecordingIsForWhoKnowsTheToken() throws IOException {
    var token = "Authorization: Bearer " + server.token();
    starts("401", get("/recording"));
    starts("401", get("/recording", "Authorization: Bearer 00"));
    starts("404", get("/recording", token));
    source.recorder = Recorder.start(new RecorderConfig(true, Duration.ofMinutes(1), 8 << 20));
    starts("401", get("/recording"));
    var answer = get("/recording", token);
    starts("200", answer);
    assertTrue(answer.contains("\r\n\r\nFLR\0"), "no recording");
  }

  @Test
  void aRecordingStaysOnThisMachineUnlessToldOtherwise() throws IOException {
    for (var beyond : List.of(false, true)) {
      server.close();
      server = new AdminServer(config("0.0.0.0", 0, beyond), source);
      var token = "Authorization: Bearer " + server.token();
      starts(beyond ? "404" : "403", get("/recording", token));
      starts("200", get("/metrics", "Host: anything.example"));
    }
  }

  private String post(String path, String... headers) throws IOException {
    return Asking.ask(server.address(), "POST", path, headers);
  }

  @Test
  void aRailIsDrainedAndRestoredByWhoKnowsTheToken() throws IOException {
    var token = "Authorization: Bearer " + server.token();
    var drained = post("/rails/tcp/10.0.0.1/drain", token);
    starts("200", drained);
    assertTrue(drained.contains("{\"transport\":\"tcp\",\"name\":\"10.0.0.1\""), drained);
    assertTrue(drained.contains("\"state\":\"DRAINED\""), drained);
    starts("200", post("/rails/tcp/fe80::1%25eth0/restore", token, "Content-Length: 0"));
    starts("200", post("/rails/tcp/a/b/restore", token));
    assertEquals(
        List.of("drain tcp 10.0.0.1", "restore tcp fe80::1%eth0", "restore tcp a/b"),
        source.orders);
    var unknown = post("/rails/none/x/drain", token);
    starts("404", unknown);
    assertTrue(unknown.endsWith("no transport none\n"), unknown);
  }

  @Test
  void nobodyElseChangesAnything() throws IOException {
    var token = "Authorization: Bearer " + server.token();
    var path = "/rails/tcp/10.0.0.1/drain";
    starts("401", post(path));
    starts("401", post(path, "Authorization: Bearer 00", "Content-Length: 0"));
    starts("403", post(path, token, "Host: rebound.example"));
    starts("400", post(path, token, "Content-Length: 5"));
    starts("400", post(path, token, "Transfer-Encoding: chunked"));
    starts("405", get(path, token));
    for (var other : List.of("/rails/tcp/drain", "/rails//x/drain", "/rails/tcp/x", "/rails")) {
      starts("405", post(other, token));
    }
    server.close();
    server = new AdminServer(config("0.0.0.0", 0, false), source);
    starts("403", post(path, "Authorization: Bearer " + server.token()));
    assertEquals(List.of(), source.orders);
    server.close();
    server = new AdminServer(config("0.0.0.0", 0, true), source);
    starts("200", post(path, "Authorization: Bearer " + server.token()));
  }

  @Test
  void aPortThatIsTakenIsNamed() {
    int port = Integer.parseInt(server.address().replaceAll(".*:", ""));
    var refused =
        assertThrows(
            ShuntException.class, () -> new AdminServer(config("127.0.0.1", port, false), source));
    assertTrue(refused.getMessage().contains("shunt.admin"), refused.getMessage());
    assertTrue(refused.getMessage().contains(" port " + port), refused.getMessage());
  }

  private static void await(String what, BooleanSupplier holds) throws InterruptedException {
    var until = System.nanoTime() + 20_000_000_000L;
    while (!holds.getAsBoolean()) {
      assertTrue(System.nanoTime() - until < 0, what);
      Thread.sleep(5);
    }
  }
}
