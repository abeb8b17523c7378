package dev.shunt.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** What figures depend on besides the engine. */
final class Machine {
  private static final Path CONGESTION = Path.of("/proc/sys/net/ipv4/tcp_congestion_control");

  private Machine() {}

  static Map<String, Object> describe() {
    var map = new LinkedHashMap<String, Object>();
    map.put("processors", Runtime.getRuntime().availableProcessors());
    map.put("congestion_control", congestionControl());
    map.put("java", Runtime.version().toString());
    map.put("shunt", Main.Version.number());
    return map;
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
