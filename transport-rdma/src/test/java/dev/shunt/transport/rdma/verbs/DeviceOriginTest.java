package dev.shunt.transport.rdma.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeviceOriginTest {
  @TempDir Path system;

  private void file(String name, String text) throws IOException {
    var file = system.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text + "\n");
  }

  @Test
  void aCardIsWhereTheSystemSays() throws IOException {
    file("pci/0000:3b:00.0/numa_node", "1");
    file("mlx5_0/board_id", "MT_0000000008");
    file("mlx5_0/fw_ver", "16.35.4030");
    file("mlx5_0/ports/1/rate", "100 Gb/sec (4X EDR)");
    Files.createSymbolicLink(system.resolve("mlx5_0/device"), system.resolve("pci/0000:3b:00.0"));
    assertEquals(
        new DeviceOrigin(1, "0000:3b:00.0", "MT_0000000008", "16.35.4030"),
        DeviceOrigin.of(system, "mlx5_0"));
    assertEquals("100 Gb/sec (4X EDR)", DeviceOrigin.rate(system, "mlx5_0", 1));
  }

  @Test
  void softwareIsNowhere() throws IOException {
    file("rxe0/fw_ver", "");
    assertEquals(DeviceOrigin.UNKNOWN, DeviceOrigin.of(system, "rxe0"));
    assertEquals(DeviceOrigin.UNKNOWN, DeviceOrigin.of(system, "none"));
    assertEquals("", DeviceOrigin.rate(system, "rxe0", 1));
  }

  @Test
  void aNodeThatIsNotKnownIsNone() throws IOException {
    file("mlx5_0/device/numa_node", "-1");
    assertEquals(-1, DeviceOrigin.of(system, "mlx5_0").numaNode());
    file("mlx5_0/device/numa_node", "what");
    assertEquals(-1, DeviceOrigin.of(system, "mlx5_0").numaNode());
  }
}
