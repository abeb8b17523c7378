package dev.shunt.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What figures depend on besides the engine. */
final class Machine {
  private static final Path CONGESTION = Path.of("/proc/sys/net/ipv4/tcp_congestion_control");

  private static final Path MEMORY = Path.of("/proc/meminfo");

  private Machine() {}

  static Map<String, Object> describe() {
    var map = new LinkedHashMap<String, Object>();
    map.put("processors", Runtime.getRuntime().availableProcessors());
    map.put("congestion_control", congestionControl());
    map.put("java", Runtime.version().toString());
    map.put("shunt", Main.Version.number());
    return map;
  }

  /** What may still be taken without swapping, as far as the system tells. */
  static Optional<String> availableMemory() {
    try (var lines = Files.lines(MEMORY)) {
      return lines
          .filter(line -> line.matches("MemAvailable:\\s+\\d+ kB"))
          .map(line -> Units.bytes(1024.0 * Long.parseLong(line.replaceAll("\\D", ""))))
          .findFirst();
    } catch (IOException | UncheckedIOException _) {
      return Optional.empty();
    }
  }

  /** That of new TCP connections; it halves or doubles a rate over loopback. */
  static String congestionControl() {
    try {
      return Files.readString(CONGESTION).strip();
    } catch (IOException _) {
      return "unknown";
    }
  }
}
