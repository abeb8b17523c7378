package dev.shunt.runtime.control.golden;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Access;
import dev.shunt.runtime.agent.Platform.Running;
import dev.shunt.runtime.agent.ThreadPlatform;
import dev.shunt.runtime.control.ControlOptions;
import dev.shunt.runtime.control.ControlService;
import dev.shunt.runtime.control.PlainFunctions;
import dev.shunt.runtime.control.core.DataCodec;
import dev.shunt.runtime.control.core.DataDesk;
import dev.shunt.runtime.descriptor.DescribedBuffer;
import dev.shunt.runtime.descriptor.Descriptor;
import dev.shunt.runtime.descriptor.DescriptorLimits;
import dev.shunt.runtime.descriptor.DescriptorWriter;
import dev.shunt.runtime.descriptor.Topology;
import dev.shunt.runtime.memory.RegisteredBuffer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What TENT's clients sent, sent to a real control plane with real memory: the answers are TENT's.
 */
class GoldenServingTest {
  private static final int LENGTH = 1 << 20;

  private final ServedMemory memory = new ServedMemory();
  private final RegisteredBuffer buffer = memory.register(LENGTH, Access.REMOTE_READ_WRITE);
  private final List<String> notified = new CopyOnWriteArrayList<>();
  private ControlService service;
  private InetSocketAddress where;
  private Running running;

  @BeforeEach
  void start() {
    var platform = new ThreadPlatform("golden-");
    service = new ControlService("control", ControlOptions.defaults(), platform);
    where = service.listen(List.of(new InetSocketAddress("127.0.0.1", 0))).getFirst();
    service.serveData(new DataDesk(memory.table(), DataCodec.MAX_RECEIVED, DataCodec.MAX_SENT));
    PlainFunctions.install(
        service,
        "127.0.0.1:15100",
        () -> describe(buffer.address()),
        (name, message) -> notified.add(name + "/" + message),
        segment -> {});
    running = platform.start(service);
  }

  @AfterEach
  void stop() throws InterruptedException {
    running.stop(agent -> {});
    assertTrue(running.join(10_000_000_000L));
    assertEquals(0, buffer.holders(), "nothing holds the memory");
  }

  private static byte[] describe(long base) {
    var described =
        new DescribedBuffer(
            base, LENGTH, Access.REMOTE_READ_WRITE, "cpu:0", List.of(7), List.of(), Map.of());
    var descriptor =
        new Descriptor(
            "127.0.0.1:15100",
            "00000000-0000-4000-8000-000000000001:0123456789abcdef0123456789abcdef",
            "127.0.0.1:15100",
            List.of(described),
            List.of(),
            Topology.HOST_ONLY.text(),
            Optional.empty());
    return DescriptorWriter.write(descriptor, DescriptorLimits.DEFAULT).getBytes(UTF_8);
  }

  private void replay(String name) throws IOException {
    for (var section : Recording.load(name, buffer.address()).sections()) {
      new GoldenClient(where).play(name, section);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "segment-desc",
        "write-read",
        "notified-writes",
        "probe-notify",
        "unknown-functions",
        "bootstrap-refused",
        "data-bounds",
        "framing-errors",
        "staging",
        "forms",
        "error-texts-debug",
        "error-texts-release"
      })
  void theAnswersAreThoseOfTent(String recording) throws IOException {
    replay(recording);
  }

  @Test
  void theDescriptorHasTheBytesOfTents() {
    var recording = Recording.load("segment-desc");
    assertEquals(
        new String(recording.texts().get("desc1"), UTF_8),
        new String(describe(recording.base()), UTF_8));
  }

  @Test
  void aNotificationThatComesTwiceIsDeliveredTwice() throws IOException {
    replay("notified-writes");
    assertEquals(
        List.of("benchmark/140737168515072", "benchmark/140737168515072"), List.copyOf(notified));
  }

  @Test
  void whatWasWrittenIsThere() throws IOException {
    replay("data-bounds");
    for (int i = 0; i < 64; i++) {
      assertEquals((byte) (0x40 + i), at(4096 + i));
    }
    for (int i = 0; i < 4096; i++) {
      assertEquals((byte) (0x40 + i), at(8192 + i));
    }
    assertEquals(
        "abcd", new String(new byte[] {at(12288), at(12289), at(12290), at(12291)}, UTF_8));
    assertEquals(4, at(12292), "no more than was announced");
    assertEquals((byte) (LENGTH - 2), at(LENGTH - 2));
  }

  private byte at(long offset) {
    return buffer.memory().get(java.lang.foreign.ValueLayout.JAVA_BYTE, offset);
  }
}
