package dev.shunt.transport.rdma.verbs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where a device sits in the machine, and what it is, as the system tells it.
 *
 * @param numaNode the node of memory that it is near to; below 0 where that is not known
 * @param bus its address on the bus, or empty
 * @param board its board's name, or empty
 * @param firmware its firmware's version, or empty
 */
public record DeviceOrigin(int numaNode, String bus, String board, String firmware) {
  /** Nothing is known. */
  public static final DeviceOrigin UNKNOWN = new DeviceOrigin(-1, "", "", "");

  /**
   * Reads it.
   *
   * @param system where the system has a folder for each device
   */
  static DeviceOrigin of(Path system, String name) {
    var device = system.resolve(name);
    return new DeviceOrigin(
        number(line(device.resolve("device/numa_node"))),
        bus(device.resolve("device")),
        line(device.resolve("board_id")),
        line(device.resolve("fw_ver")));
  }

  /** How fast a port's link is, such as {@code 100 Gb/sec (4X EDR)}; or empty. */
  static String rate(Path system, String name, int port) {
    return line(system.resolve(name).resolve("ports/" + port + "/rate"));
  }

  private static int number(String text) {
    try {
      return text.isEmpty() ? -1 : Integer.parseInt(text);
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /** A device without a bus, as soft-RoCE's, has no such link. */
  private static String bus(Path device) {
    try {
      return device.toRealPath().getFileName().toString();
    } catch (IOException e) {
      return "";
    }
  }

  private static String line(Path file) {
    try (var lines = Files.lines(file)) {
      return lines.findFirst().orElse("").strip();
    } catch (IOException | java.io.UncheckedIOException e) {
      return "";
    }
  }
}
