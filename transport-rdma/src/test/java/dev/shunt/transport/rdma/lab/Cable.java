package dev.shunt.transport.rdma.lab;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** The cable of the lab's first device, as its script {@code rails} has laid it. */
final class Cable {
  private Cable() {}

  /** Pulls it behind the port: packets are lost, and no event tells. */
  static void pull() {
    ip("link", "set", "port0", "nomaster");
  }

  /** Puts it back. */
  static void plug() {
    ip("link", "set", "port0", "master", "fabric");
  }

  private static void ip(String... arguments) {
    var command = new String[arguments.length + 1];
    command[0] = "ip";
    System.arraycopy(arguments, 0, command, 1, arguments.length);
    try {
      var process = new ProcessBuilder(command).inheritIO().start();
      if (!process.waitFor(20, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IllegalStateException(String.join(" ", command) + " failed");
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(String.join(" ", command), e);
    }
  }
}
