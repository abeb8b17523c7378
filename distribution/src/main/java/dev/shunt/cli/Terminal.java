package dev.shunt.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What standard output and standard error are connected to. */
final class Terminal {
  private Terminal() {}

  /**
   * Whether somebody watches standard error. The JDK tells it only of input and output together, so
   * the kernel is asked where it can be.
   */
  static boolean watchesErrors() {
    return watches(2);
  }

  /** The same of standard output. */
  static boolean watchesOutput() {
    return watches(1);
  }

  private static boolean watches(int number) {
    var descriptor = Path.of("/proc/self/fd/" + number);
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
