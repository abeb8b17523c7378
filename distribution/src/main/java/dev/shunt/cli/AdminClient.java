package dev.shunt.cli;

import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import dev.shunt.runtime.admin.RuntimeEntry;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/**
 * Asks a node over its HTTP for operators.
 *
 * @param name the node's name, or where it is asked
 * @param address {@code host:port}
 * @param pid its process, or 0 if that is not known
 * @param token what a recording, and a change, is asked for with
 * @param timeout how long it may take to answer
 */
record AdminClient(
    String name, String address, long pid, Optional<String> token, Duration timeout) {
  /** For what a node makes first, such as a recording. */
  private static final Duration MAKING = Duration.ofSeconds(60);

  private static final Duration USUAL = Duration.ofSeconds(3);
  private static final int MOST_TEXT = 4096;

  static AdminClient of(RuntimeEntry entry) {
    return new AdminClient(
        entry.name(), entry.admin(), entry.pid(), Optional.of(entry.token()), USUAL);
  }

  /** One that is not found by its name. */
  static AdminClient at(String address, Optional<String> token) {
    return new AdminClient(address, address, 0, token, USUAL);
  }

  /** The same node with another time to answer. */
  AdminClient within(Duration time) {
    return new AdminClient(name, address, pid, token, time);
  }

  /**
   * Gets something.
   *
   * @param most bytes; more are refused
   * @throws ShuntException with UNREACHABLE if nobody answers, with another code if it is refused
   */
  byte[] get(String path, int most) {
    return ask("GET", path, timeout, in -> bounded(in, most));
  }

  /**
   * Has something changed.
   *
   * @param patience how long that may take
   * @param most bytes of the answer; more are refused
   * @throws ShuntException with UNREACHABLE if nobody answers, with another code if it is refused
   */
  byte[] post(String path, Duration patience, int most) {
    return ask("POST", path, patience, in -> bounded(in, most));
  }

  private static byte[] bounded(InputStream in, int most) throws IOException {
    var body = in.readNBytes(most + 1);
    if (body.length > most) {
      throw new IOException("it answers with more than " + most + " bytes");
    }
    return body;
  }

  /** Gets something into a stream, and tells how many bytes that were. */
  long copy(String path, OutputStream to) {
    var patience = timeout.compareTo(MAKING) > 0 ? timeout : MAKING;
    return ask("GET", path, patience, in -> in.transferTo(to));
  }

  /** Whether it answers, whatever it says. */
  void reach() {
    try {
      connect("/health/live", timeout).getResponseCode();
    } catch (IOException | IllegalArgumentException e) {
      throw silent(e, timeout);
    }
  }

  private interface Taker<T> {
    T take(InputStream in) throws IOException;
  }

  private <T> T ask(String method, String path, Duration patience, Taker<T> taker) {
    try {
      var connection = connect(path, patience);
      connection.setRequestMethod(method);
      if (connection.getResponseCode() != 200) {
        throw refused(connection);
      }
      try (var in = connection.getInputStream()) {
        return taker.take(in);
      }
    } catch (IOException | IllegalArgumentException e) {
      throw silent(e, patience);
    }
  }

  private HttpURLConnection connect(String path, Duration patience) throws IOException {
    var url = URI.create("http://" + address + path).toURL();
    var connection = (HttpURLConnection) url.openConnection(Proxy.NO_PROXY);
    connection.setConnectTimeout(millis(timeout));
    connection.setReadTimeout(millis(patience));
    connection.setInstanceFollowRedirects(false);
    token.ifPresent(t -> connection.setRequestProperty("Authorization", "Bearer " + t));
    return connection;
  }

  private static int millis(Duration time) {
    return Math.clamp(time.toMillis(), 1, Integer.MAX_VALUE);
  }

  /** What to throw when it does not answer in time. */
  ShuntException late(Duration patience) {
    return silent("nothing came within " + Units.nanos(patience.toNanos()), null);
  }

  private ShuntException silent(Exception e, Duration patience) {
    return e instanceof SocketTimeoutException ? late(patience) : silent(Reasons.of(e), e);
  }

  private ShuntException silent(String why, Exception cause) {
    var who = name.equals(address) ? "the node" : name;
    return new ShuntException(
        FailureCode.UNREACHABLE, who + " does not answer at " + address + ": " + why, cause);
  }

  private ShuntException refused(HttpURLConnection connection) throws IOException {
    var text = "";
    try (var in = connection.getErrorStream()) {
      if (in != null) {
        text = new String(in.readNBytes(MOST_TEXT), StandardCharsets.UTF_8).strip();
      }
    }
    return new ShuntException(
        FailureCode.REJECTED,
        name + " answers " + connection.getResponseCode() + (text.isEmpty() ? "" : ": " + text));
  }
}
