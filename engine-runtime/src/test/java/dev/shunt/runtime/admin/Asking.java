package dev.shunt.runtime.admin;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Asks over a bare socket, so that a test says each byte itself. */
final class Asking {
  private Asking() {}

  static Socket connect(String address) throws IOException {
    int colon = address.lastIndexOf(':');
    var socket = new Socket();
    socket.connect(
        new InetSocketAddress(
            address.substring(0, colon), Integer.parseInt(address.substring(colon + 1))),
        5_000);
    socket.setSoTimeout(20_000);
    return socket;
  }

  static String get(String address, String path, String... headers) throws IOException {
    return ask(address, "GET", path, headers);
  }

  /** The whole answer. */
  static String ask(String address, String method, String path, String... headers)
      throws IOException {
    try (var socket = connect(address)) {
      var text = new StringBuilder(method + " " + path + " HTTP/1.1\r\nConnection: close\r\n");
      for (var header : headers) {
        text.append(header).append("\r\n");
      }
      socket
          .getOutputStream()
          .write(text.append("\r\n").toString().getBytes(StandardCharsets.UTF_8));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }
}
