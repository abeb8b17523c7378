package dev.shunt.transport.rdma;

import dev.shunt.transport.rdma.verbs.VerbsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What to say when memory cannot be registered. */
final class LockedMemory {
  private static final Path LIMITS = Path.of("/proc/self/limits");

  private LockedMemory() {}

  /** The limit that most likely stands in the way, and what to do; or nothing. */
  static String hint(VerbsException failure) {
    if (failure.error() != VerbsException.ENOMEM) {
      return "";
    }
    return "; the limit on locked memory is "
        + limit()
        + ": raise it with ulimit -l, LimitMEMLOCK of a systemd unit, or CAP_IPC_LOCK";
  }

  private static String limit() {
    try (var lines = Files.lines(LIMITS)) {
      return lines
          .filter(line -> line.startsWith("Max locked memory"))
          .findFirst()
          .map(line -> line.replaceAll("\\s+", " ").substring("Max locked memory ".length()))
          .orElse("not known");
    } catch (IOException e) {
      return "not known";
    }
  }
}
