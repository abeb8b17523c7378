package dev.shunt.runtime.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * {@code shunt.admin}.
 *
 * @param enable whether the node answers HTTP for operators
 * @param bind the IP address to listen on
 * @param port to listen on, 0 for a free one
 * @param runtimeDirectory where the address is written; empty for the usual place
 * @param stuckAfter how long a thread may make no progress
 * @param recordingBeyondLoopback whether recordings are given out where others can ask
 * @param changesBeyondLoopback whether rails are drained and restored for who asks from there
 */
public record AdminConfig(
    boolean enable,
    String bind,
    int port,
    Optional<Path> runtimeDirectory,
    Duration stuckAfter,
    boolean recordingBeyondLoopback,
    boolean changesBeyondLoopback) {
  static AdminConfig of(Values values) {
    var bind = values.text("admin.bind");
    if (!Addresses.isIp(bind)) {
      values.wrong("admin.bind", "'" + bind + "' is no IP address; the port goes to admin.port");
    }
    return new AdminConfig(
        values.flag("admin.enable"),
        bind,
        values.number("admin.port", 0, 65_535),
        directory(values),
        values.time("admin.stuck-after", Duration.ofSeconds(2)),
        values.flag("admin.recording-beyond-loopback"),
        values.flag("admin.changes-beyond-loopback"));
  }

  private static Optional<Path> directory(Values values) {
    var text = values.text("admin.runtime-dir");
    try {
      return text.isBlank() ? Optional.empty() : Optional.of(Path.of(text).toAbsolutePath());
    } catch (InvalidPathException e) {
      values.wrong("admin.runtime-dir", "'" + text + "' is no path: " + e.getReason());
      return Optional.empty();
    }
  }
}
