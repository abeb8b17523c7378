package dev.shunt.runtime.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.ConfigFactory;
import dev.shunt.api.EngineFactory;
import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import dev.shunt.runtime.config.ConfigLayers;
import dev.shunt.runtime.config.ConfigLoader;
import dev.shunt.runtime.discovery.Given;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever can be configured can be given in code. */
class ConfiguredInCodeTest {
  @TempDir Path folder;

  @Test
  void aWholeEngineIsConfiguredInCodeKeyByKey() {
    var defaults = ConfigLoader.inspect(ConfigLayers.of(ConfigFactory.empty()), Given.NONE);
    var builder = EngineFactory.installed().builder();
    int keys = 0;
    for (var entry : defaults.merged().getConfig("shunt").entrySet()) {
      builder.set(entry.getKey(), entry.getValue().unwrapped());
      keys++;
    }
    assertTrue(keys > 60, "only " + keys);
    try (var engine = builder.set("transports.rdma.enable", false).open()) {
      assertTrue(engine.name().startsWith("127.0.0.1:"), engine.name());
    }
  }

  @Test
  void codeWinsOverAFileAndANodesOwnSectionInIt() throws IOException {
    int free;
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      free = socket.getLocalPort();
    }
    var file = folder.resolve("cluster.conf");
    Files.writeString(
        file, "shunt { name = n, control.port = 1, nodes.n { control.port = 2, rpc { } } }");
    var builder = EngineFactory.installed().builder().file(file);
    builder.set("control.port", 3).set("control.port", free).set("close-timeout", Duration.ZERO);
    try (var engine = builder.set("control.bind", List.of("127.0.0.1")).open()) {
      assertEquals("127.0.0.1:" + free, engine.name());
    }
  }

  @Test
  void whatIsWrongInAFileIsToldToAProgramToo() throws IOException {
    var file = Files.writeString(folder.resolve("a.conf"), "include \"b.conf\"\n");
    var builder = EngineFactory.installed().builder();
    var refused = assertThrows(ShuntException.class, () -> builder.file(file));
    assertEquals(FailureCode.CONFIGURATION, refused.code());
    assertTrue(refused.getMessage().contains("a.conf:1"), refused.getMessage());
  }

  @Test
  void aKeyThatIsNoPathIsRefused() {
    var builder = EngineFactory.installed().builder().set("control..port", 3);
    var refused = assertThrows(ShuntException.class, builder::open);
    assertEquals(FailureCode.CONFIGURATION, refused.code());
  }
}
