package dev.shunt.runtime.admin;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import dev.shunt.api.Status;
import dev.shunt.runtime.config.AdminConfig;
import dev.shunt.runtime.observe.Exposition;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HTTP for operators; the package documentation tells what it answers. It reads only, and nothing
 * that it is sent costs anybody else more than one of a few threads for a few seconds.
 */
public final class AdminServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AdminServer.class);
  private static final int MOST_REQUESTS = 32;
  private static final int BACKLOG = 64;
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(5);
  private static final long DOWNLOAD = TimeUnit.MINUTES.toNanos(2);
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String PATHS =
      "there are /metrics, /health/live, /health/ready, /status and /recording\n";

  private final AdminSource source;
  private final AdminConfig config;
  private final Visitors visitors = new Visitors(MOST_REQUESTS, PATIENCE);
  private final HttpServer server;
  private final InetAddress bound;
  private final String token;

  private record Answer(int code, String type, byte[] body) {
    static Answer text(int code, String text) {
      return new Answer(code, TEXT, text.getBytes(StandardCharsets.UTF_8));
    }
  }

  /**
   * Listens and answers.
   *
   * @throws ShuntException with CONFIGURATION if the address cannot be had
   */
  public AdminServer(AdminConfig config, AdminSource source) {
    this.config = config;
    this.source = source;
    var secret = new byte[16];
    new SecureRandom().nextBytes(secret);
    this.token = HexFormat.of().formatHex(secret);
    var address = new InetSocketAddress(config.bind(), config.port());
    this.bound = address.getAddress();
    try {
      server = HttpServer.create(address, BACKLOG);
    } catch (IOException e) {
      throw new ShuntException(
          FailureCode.CONFIGURATION,
          "shunt.admin: cannot listen on "
              + config.bind()
              + " port "
              + config.port()
              + ": "
              + e.getMessage()
              + "; name another address or port, 0 for a free one, or set admin.enable = false",
          e);
    }
    server.createContext("/", this::handle);
    server.setExecutor(visitors);
    start();
  }

  /** From a daemon thread: the server's own thread takes after it, and must not keep a process. */
  private void start() {
    try {
      Thread.ofPlatform().daemon().name("shunt-admin-start").start(server::start).join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** {@code host:port} where somebody on this machine reaches it. */
  public String address() {
    var host =
        bound.isAnyLocalAddress()
            ? bound instanceof java.net.Inet6Address ? "::1" : "127.0.0.1"
            : bound.getHostAddress();
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + server.getAddress().getPort();
  }

  /** What {@code /recording} asks for. */
  public String token() {
    return token;
  }

  /** To be called every second or so: sends visitors away whose time is over. */
  public void sweep() {
    visitors.sweep();
  }

  int visitors() {
    return visitors.present();
  }

  // ---- requests

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      var method = exchange.getRequestMethod();
      exchange.getResponseHeaders().set("Cache-Control", "no-store");
      if (!method.equals("GET") && !method.equals("HEAD")) {
        exchange.getResponseHeaders().set("Allow", "GET, HEAD");
        // What it sends besides is not read.
        exchange.getResponseHeaders().set("Connection", "close");
        send(exchange, Answer.text(405, "nothing can be changed here: GET or HEAD\n"));
      } else if (!meant(exchange)) {
        send(exchange, Answer.text(403, "the Host header is no address of this machine\n"));
      } else if (exchange.getRequestURI().getPath().equals("/recording")) {
        recording(exchange);
      } else {
        send(exchange, answer(exchange.getRequestURI().getPath()));
      }
    } catch (RuntimeException | Error thrown) {
      LOG.error("{} could not be answered", exchange.getRequestURI(), thrown);
      throw thrown;
    }
  }

  /**
   * On loopback, no request of a web page that gave a name of its own our address: those carry that
   * name.
   */
  private boolean meant(HttpExchange exchange) {
    var host = exchange.getRequestHeaders().getFirst("Host");
    return !bound.isLoopbackAddress()
        || host == null
        || host.matches("(localhost|[0-9.]+|\\[[0-9a-fA-F:.%]+])(:[0-9]*)?");
  }

  private Answer answer(String path) {
    return switch (path) {
      case "/metrics" ->
          new Answer(
              200, Exposition.CONTENT_TYPE, source.metrics().getBytes(StandardCharsets.UTF_8));
      case "/status" -> new Answer(200, "application/json", StatusJson.bytes(source.status()));
      case "/health/live" -> {
        var stuck = source.stuck();
        yield stuck.isEmpty()
            ? Answer.text(200, "live\n")
            : Answer.text(503, "stuck: " + String.join(", ", stuck) + "\n");
      }
      case "/health/ready" -> {
        var state = source.state();
        var word = state.name().toLowerCase(java.util.Locale.ROOT) + "\n";
        yield Answer.text(state == Status.State.READY ? 200 : 503, word);
      }
      default -> Answer.text(404, PATHS);
    };
  }

  private void send(HttpExchange exchange, Answer answer) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", answer.type());
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.getResponseHeaders().set("Content-Length", Integer.toString(answer.body().length));
      exchange.sendResponseHeaders(answer.code(), -1);
      return;
    }
    exchange.sendResponseHeaders(answer.code(), answer.body().length);
    // Closed at once: what the request brings besides is waited for only after the answer is out.
    try (var body = exchange.getResponseBody()) {
      body.write(answer.body());
    }
  }

  private void recording(HttpExchange exchange) throws IOException {
    var recorder = source.recorder();
    if (!bound.isLoopbackAddress() && !config.recordingBeyondLoopback()) {
      send(
          exchange,
          Answer.text(
              403,
              "a recording tells more than others may know; admin.bind is no loopback address,"
                  + " and admin.recording-beyond-loopback is not set\n"));
    } else if (!allowed(exchange.getRequestHeaders().getFirst("Authorization"))) {
      exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
      send(
          exchange,
          Answer.text(
              401, "Authorization: Bearer TOKEN, with the token of this node's runtime file\n"));
    } else if (recorder.isEmpty()) {
      send(exchange, Answer.text(404, "no recorder runs: shunt.recorder.enable = false\n"));
    } else if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.sendResponseHeaders(200, -1);
    } else {
      visitors.stay(DOWNLOAD);
      var file = recorder.get().dump();
      try {
        exchange.getResponseHeaders().set("Content-Type", "application/octet-stream");
        exchange.sendResponseHeaders(200, Files.size(file));
        Files.copy(file, exchange.getResponseBody());
      } finally {
        Files.deleteIfExists(file);
      }
    }
  }

  private boolean allowed(String authorization) {
    return authorization != null
        && MessageDigest.isEqual(
            authorization.getBytes(StandardCharsets.UTF_8),
            ("Bearer " + token).getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
