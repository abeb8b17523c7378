package dev.shunt.runtime.admin;

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
 * HTTP for operators; the package documentation tells what it answers. Nothing that it is sent
 * costs anybody else more than one of a few places for a few seconds, and only who knows the token
 * changes something.
 */
public final class AdminServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AdminServer.class);
  private static final int MOST_VISITORS = 128;
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(5);
  private static final long DOWNLOAD = TimeUnit.MINUTES.toNanos(2);
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String PATHS =
      "there are /metrics, /health/live, /health/ready, /status and /recording\n";

  private final AdminSource source;
  private final AdminConfig config;
  private final RailCalls rails;
  private final Front front;
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
    this.rails = new RailCalls(source);
    var secret = new byte[16];
    new SecureRandom().nextBytes(secret);
    this.token = HexFormat.of().formatHex(secret);
    var address = new InetSocketAddress(config.bind(), config.port());
    this.bound = address.getAddress();
    try {
      front = new Front(address, MOST_VISITORS, PATIENCE, this::handle);
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
  }

  /** {@code host:port} where somebody on this machine reaches it. */
  public String address() {
    var host =
        bound.isAnyLocalAddress()
            ? bound instanceof java.net.Inet6Address ? "::1" : "127.0.0.1"
            : bound.getHostAddress();
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + front.port();
  }

  /** What {@code /recording}, and all that changes something, asks for. */
  public String token() {
    return token;
  }

  /** To be called every second or so: sends visitors away whose time is over. */
  public void sweep() {
    front.sweep();
  }

  int visitors() {
    return front.visitors();
  }

  // ---- requests

  private void handle(RequestHead request, Visit visit) throws IOException {
    try {
      if (request.method().equals("POST") && RailCalls.handles(request.path())) {
        change(request, visit);
      } else if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
        // What it sends besides is not read.
        send(visit, 405, "Allow: GET, HEAD\r\n", "nothing can be changed here: GET or HEAD\n");
      } else if (RailCalls.handles(request.path())) {
        send(visit, 405, "Allow: POST\r\n", "this changes something: POST\n");
      } else if (!meant(request)) {
        send(visit, 403, "", "the Host header is no address of this machine\n");
      } else if (request.path().equals("/recording")) {
        recording(request, visit);
      } else {
        var answer = answer(request.path());
        visit.send(answer.code(), answer.type(), "", answer.body());
      }
    } catch (RuntimeException | Error thrown) {
      LOG.error("{} could not be answered", request.path(), thrown);
      send(visit, 500, "", "it could not be answered; the log of this node has more\n");
    }
  }

  private static void send(Visit visit, int code, String header, String text) throws IOException {
    visit.send(code, TEXT, header, text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * On loopback, no request of a web page that gave a name of its own our address: those carry that
   * name.
   */
  private boolean meant(RequestHead request) {
    return !bound.isLoopbackAddress()
        || request
            .header("host")
            .map(host -> host.matches("((?i:localhost)|[0-9.]+|\\[[0-9a-fA-F:.%]+])(:[0-9]*)?"))
            .orElse(true);
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

  /** What changes something is asked by the node's own user, and with no body. */
  private void change(RequestHead request, Visit visit) throws IOException {
    if (!meant(request)) {
      send(visit, 403, "", "the Host header is no address of this machine\n");
    } else if (!bound.isLoopbackAddress() && !config.changesBeyondLoopback()) {
      send(
          visit,
          403,
          "",
          "admin.bind is no loopback address, and admin.changes-beyond-loopback is not set\n");
    } else if (!allowed(request.header("authorization").orElse(""))) {
      unauthorized(visit);
    } else if (!request.header("content-length").orElse("0").equals("0")
        || request.header("transfer-encoding").isPresent()) {
      send(visit, 400, "", "all of it stands in the path: no body is read\n");
    } else {
      rails.answer(request.path(), visit);
    }
  }

  private static void unauthorized(Visit visit) throws IOException {
    send(
        visit,
        401,
        "WWW-Authenticate: Bearer\r\n",
        "Authorization: Bearer TOKEN, with the token of this node's runtime file\n");
  }

  private void recording(RequestHead request, Visit visit) throws IOException {
    var recorder = source.recorder();
    if (!bound.isLoopbackAddress() && !config.recordingBeyondLoopback()) {
      send(
          visit,
          403,
          "",
          "a recording tells more than others may know; admin.bind is no loopback address,"
              + " and admin.recording-beyond-loopback is not set\n");
    } else if (!allowed(request.header("authorization").orElse(""))) {
      unauthorized(visit);
    } else if (recorder.isEmpty()) {
      send(visit, 404, "", "no recorder runs: shunt.recorder.enable = false\n");
    } else if (request.method().equals("HEAD")) {
      send(visit, 200, "", "");
    } else {
      visit.stay(DOWNLOAD);
      java.nio.file.Path file;
      try {
        file = recorder.get().dump();
      } catch (IOException e) {
        LOG.warn("what the flight recorder remembers could not be written", e);
        send(visit, 500, "", "the recording could not be written here: " + e.getMessage() + "\n");
        return;
      }
      try {
        visit.send(200, "application/octet-stream", file);
      } finally {
        Files.deleteIfExists(file);
      }
    }
  }

  private boolean allowed(String authorization) {
    return MessageDigest.isEqual(
        authorization.getBytes(StandardCharsets.UTF_8),
        ("Bearer " + token).getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    front.close();
  }
}
