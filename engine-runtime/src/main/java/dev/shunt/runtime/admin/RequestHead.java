package dev.shunt.runtime.admin;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The head of a request of HTTP/1: unchecked input, taken apart.
 *
 * @param path decoded, without the query
 * @param headers by name in lower case; of several of one name the first
 */
record RequestHead(String method, String path, Map<String, String> headers) {
  /** Of the bytes up to the empty line; empty if they are none. */
  static Optional<RequestHead> parse(byte[] bytes, int length) {
    var lines = new String(bytes, 0, length, StandardCharsets.ISO_8859_1).split("\r?\n");
    var first = lines.length == 0 ? new String[0] : lines[0].split(" ");
    if (first.length != 3 || first[0].isEmpty() || !first[2].matches("HTTP/1\\.[01]")) {
      return Optional.empty();
    }
    var headers = new HashMap<String, String>();
    for (int i = 1; i < lines.length; i++) {
      int colon = lines[i].indexOf(':');
      if (colon > 0) {
        headers.putIfAbsent(
            lines[i].substring(0, colon).toLowerCase(Locale.ROOT),
            lines[i].substring(colon + 1).strip());
      } else if (!lines[i].isEmpty()) {
        return Optional.empty();
      }
    }
    try {
      return Optional.ofNullable(new URI(first[1]).getPath())
          .map(path -> new RequestHead(first[0], path, Map.copyOf(headers)));
    } catch (URISyntaxException bad) {
      return Optional.empty();
    }
  }

  Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name));
  }

  /** Where the head ends in the first bytes that came: behind the empty line; else 0. */
  static int end(byte[] bytes, int count) {
    for (int i = 1; i < count; i++) {
      if (bytes[i] == '\n'
          && (bytes[i - 1] == '\n' || i > 2 && bytes[i - 1] == '\r' && bytes[i - 2] == '\n')) {
        return i + 1;
      }
    }
    return 0;
  }
}
