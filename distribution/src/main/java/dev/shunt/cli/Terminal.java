package dev.shunt.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What standard error is connected to. */
final class Terminal {
  private Terminal() {}

  /**
   * Whether somebody watches standard error. The JDK tells it only of input and output together, so
   * the kernel is asked where it can be.
   */
  static boolean watchesErrors() {
    var descriptor = Path.of("/proc/self/fd/2");
    try {
      if (Files.isSymbolicLink(descriptor)) {
        var target = Files.readSymbolicLink(descriptor).toString();
        return target.startsWith("/dev/pts/")
            || target.startsWith("/dev/tty")
            || target.equals("/dev/console");
      }
    } catch (IOException _) {
      return false;
    }
    return System.console() != null && System.console().isTerminal();
  }
}
