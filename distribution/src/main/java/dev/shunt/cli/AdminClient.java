package dev.shunt.cli;

import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import dev.shunt.runtime.admin.RuntimeEntry;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Asks a node over its HTTP for operators.
 *
 * @param name the node's name, or where it is asked
 * @param address {@code host:port}
 * @param pid its process, or 0 if that is not known
 * @param token what a recording is asked for with
 */
record AdminClient(String name, String address, long pid, Optional<String> token) {
  private static final int CONNECT_MILLIS = 5_000;
  private static final int READ_MILLIS = 60_000;
  private static final int MOST_TEXT = 4096;

  static AdminClient of(RuntimeEntry entry) {
    return new AdminClient(entry.name(), entry.admin(), entry.pid(), Optional.of(entry.token()));
  }

  /**
   * Gets something.
   *
   * @param most bytes; more are refused
   * @throws ShuntException with UNREACHABLE if nobody answers, with another code if it is refused
   */
  byte[] get(String path, int most) {
    return ask(
        path,
        in -> {
          var body = in.readNBytes(most + 1);
          if (body.length > most) {
            throw new IOException("it answers with more than " + most + " bytes");
          }
          return body;
        });
  }

  /** Gets something into a stream, and tells how many bytes that were. */
  long copy(String path, OutputStream to) {
    return ask(path, in -> in.transferTo(to));
  }

  private interface Taker<T> {
    T take(InputStream in) throws IOException;
  }

  private <T> T ask(String path, Taker<T> taker) {
    try {
      var url = URI.create("http://" + address + path).toURL();
      var connection = (HttpURLConnection) url.openConnection(Proxy.NO_PROXY);
      connection.setConnectTimeout(CONNECT_MILLIS);
      connection.setReadTimeout(READ_MILLIS);
      connection.setInstanceFollowRedirects(false);
      token.ifPresent(t -> connection.setRequestProperty("Authorization", "Bearer " + t));
      if (connection.getResponseCode() != 200) {
        throw refused(connection);
      }
      try (var in = connection.getInputStream()) {
        return taker.take(in);
      }
    } catch (IOException | IllegalArgumentException e) {
      throw new ShuntException(
          FailureCode.UNREACHABLE, name + " does not answer at " + address + ": " + text(e), e);
    }
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
        name
            + " answers "
            + connection.getResponseCode()
            + (text.isEmpty() ? "" : ": " + text.replaceAll("\\p{Cntrl}", " ")));
  }

  private static String text(Exception e) {
    return e.getMessage() == null ? e.toString() : e.getMessage();
  }
}
