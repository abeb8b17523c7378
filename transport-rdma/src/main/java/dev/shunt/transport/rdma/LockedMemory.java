package dev.shunt.transport.rdma;

import dev.shunt.transport.rdma.verbs.VerbsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/** What to say when memory cannot be registered. */
final class LockedMemory {
  private static final Path PROCESS = Path.of("/proc/self");
  private static final String UNLIMITED = "unlimited";

  private LockedMemory() {}

  /**
   * The limit that most likely stands in the way, and what to do; or nothing.
   *
   * @param need bytes that were to be locked
   */
  static String hint(VerbsException failure, long need) {
    return hint(failure, need, PROCESS);
  }

  static String hint(VerbsException failure, long need, Path process) {
    if (failure.error() != VerbsException.ENOMEM) {
      return "";
    }
    var limit = limit(process);
    if (limit.equals(UNLIMITED)) {
      return "; locked memory is not limited, so the device or the system is out of something else";
    }
    return "; the limit on locked memory is "
        + (limit.isEmpty() ? "not known" : limit + " bytes")
        + locked(process).map(bytes -> ", " + bytes + " are locked").orElse("")
        + ", and this needs "
        + need
        + " more: raise it with ulimit -l, LimitMEMLOCK of a systemd unit, --ulimit memlock of a"
        + " container, or CAP_IPC_LOCK";
  }

  /** The soft limit, which is what counts. */
  private static String limit(Path process) {
    return line(process.resolve("limits"), "Max locked memory")
        .map(rest -> rest.strip().split("\\s+")[0])
        .orElse("");
  }

  /** Pages that devices pinned are counted here, on kernels that tell them at all. */
  private static Optional<Long> locked(Path process) {
    var status = process.resolve("status");
    var parts = Arrays.asList(kibibytes(line(status, "VmLck:")), kibibytes(line(status, "VmPin:")));
    return parts.stream().anyMatch(part -> part < 0)
        ? Optional.empty()
        : Optional.of(parts.stream().mapToLong(Long::longValue).sum() << 10);
  }

  private static long kibibytes(Optional<String> line) {
    try {
      return line.map(rest -> Long.parseLong(rest.strip().split("\\s+")[0])).orElse(-1L);
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  private static Optional<String> line(Path file, String name) {
    try (var lines = Files.lines(file)) {
      return lines
          .filter(line -> line.startsWith(name))
          .findFirst()
          .map(line -> line.substring(name.length()));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
