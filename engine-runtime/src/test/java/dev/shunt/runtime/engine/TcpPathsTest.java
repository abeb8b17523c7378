package dev.shunt.runtime.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Access;
import dev.shunt.api.Batch;
import dev.shunt.api.Engine;
import dev.shunt.api.Request;
import dev.shunt.api.ShuntException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Two engines that find one another over TCP in other ways than by an IPv4 address each. */
class TcpPathsTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final int SIZE = 3 << 20;
  private static final String CHECKSUMS = "capabilities.tcp.crc32c";

  @Test
  void overIpv6() throws InterruptedException {
    var settings =
        Map.<String, Object>of("transports.tcp.rails", List.of("::1"), "control.bind", "::1");
    pair(settings, settings, Map.of("tcp.stream", 2));
  }

  @Test
  void byAWildcardAddressAndTheNameThatItAdvertises() throws InterruptedException {
    var rail = Map.of("address", "0.0.0.0", "name", "any", "advertise", "localhost");
    var settings = Map.<String, Object>of("transports.tcp.rails", List.of(rail));
    pair(settings, settings, Map.of("tcp.stream", 2));
  }

  @Test
  void overSeveralStreamsOfSeveralRails() throws InterruptedException {
    var settings =
        Map.<String, Object>of(
            "transports.tcp.rails",
            List.of("127.0.0.1", "127.0.0.2"),
            "transports.tcp.streams",
            3,
            "transports.tcp.slice-size",
            "64KiB");
    pair(settings, settings, Map.of("tcp.stream", 2));
  }

  @Test
  void withChecksumsWhereBothAskForThemAndWithoutWhereOneDoes() throws InterruptedException {
    var asks = Map.<String, Object>of(CHECKSUMS, "on");
    var none = Map.<String, Object>of();
    pair(asks, asks, Map.of("tcp.stream", 2, "tcp.crc32c", 1));
    pair(asks, none, Map.of("tcp.stream", 2));
    pair(none, asks, Map.of("tcp.stream", 2));
  }

  @Test
  void aPeerWithoutTheChecksumsThatAreRequiredIsRefusedWithBothRanges() {
    var refused =
        assertThrows(
            ShuntException.class,
            () -> pair(Map.of(CHECKSUMS, "required"), Map.of(), Map.of("tcp.crc32c", 1)));
    assertTrue(refused.getMessage().contains("tcp.crc32c"), refused.getMessage());
    assertTrue(refused.getMessage().contains("offered there"), refused.getMessage());
  }

  @Test
  void withAPeerThatSpeaksOneVersionLess() throws InterruptedException {
    var older = Map.<String, Object>of("capabilities.tcp.stream.highest", 1);
    pair(older, Map.of(), Map.of("tcp.stream", 1));
    pair(Map.of(), older, Map.of("tcp.stream", 1));
  }

  private static void pair(
      Map<String, Object> ofA, Map<String, Object> ofB, Map<String, Integer> agreed)
      throws InterruptedException {
    try (var a = engine(ofA);
        var b = engine(ofB)) {
      var near = a.arena().allocate(SIZE, 4096).fill((byte) 7);
      var far = b.arena().allocate(SIZE, 4096);
      a.register(near, Access.LOCAL);
      b.register(far, Access.REMOTE_READ_WRITE);
      move(a, b, near, far);
      var peer = a.status().peers().stream().filter(it -> it.name().equals(b.name())).findFirst();
      var versions = peer.orElseThrow().capabilities();
      for (var id : List.of("tcp.stream", "tcp.crc32c")) {
        assertEquals(agreed.getOrDefault(id, 0), versions.getOrDefault(id, 0), id);
      }
    }
  }

  private static void move(Engine a, Engine b, MemorySegment near, MemorySegment far)
      throws InterruptedException {
    var segment = a.openSegment(b.name(), SOON);
    a.submit(Batch.of(Request.write(near, segment, far.address()))).await(SOON).orThrow();
    assertEquals(-1, near.mismatch(far));
    far.fill((byte) 9);
    a.submit(Batch.of(Request.read(near, segment, far.address()))).await(SOON).orThrow();
    assertEquals(-1, near.mismatch(far));
  }

  private static Engine engine(Map<String, Object> settings) {
    var builder = new RuntimeFactory().builder().set("transports.rdma.enable", false);
    settings.forEach(
        (key, value) -> builder.set(key, key.equals("control.bind") ? List.of(value) : value));
    return builder.open();
  }
}
