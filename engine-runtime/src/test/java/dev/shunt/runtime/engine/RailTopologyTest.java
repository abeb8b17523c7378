package dev.shunt.runtime.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Access;
import dev.shunt.api.Batch;
import dev.shunt.api.Buffer;
import dev.shunt.api.Engine;
import dev.shunt.api.FailureCode;
import dev.shunt.api.Request;
import dev.shunt.api.ShuntException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Two engines whose memory is near to some of their rails. */
class RailTopologyTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final int SIZE = 4 << 20;
  private static final String ONE = "127.0.0.1";
  private static final String TWO = "127.0.0.2";

  private static Engine engine(Map<String, ?> topology, boolean strict) {
    return new RuntimeFactory()
        .builder()
        .set("transports.rdma.enable", false)
        .set("transports.nof.enable", false)
        .set("transports.tcp.rails", List.of(ONE, TWO))
        .set("transports.tcp.slice-size", "64KiB")
        .set("transports.tcp.strict-rails", strict)
        .set("transports.tcp.topology", topology)
        .open();
  }

  private static List<List<String>> ranks(String preferred, String available) {
    return List.of(List.of(preferred), List.of(available));
  }

  private static void write(Engine from, MemorySegment near, Engine to, MemorySegment far)
      throws InterruptedException {
    var segment = from.openSegment(to.name(), SOON);
    near.fill((byte) (near.get(ValueLayout.JAVA_BYTE, 0) + 1));
    from.submit(Batch.of(Request.write(near, segment, far.address()))).await(SOON).orThrow();
    assertEquals(-1, near.mismatch(far));
  }

  private static Set<String> connected(Engine engine) {
    return engine.status().peers().getFirst().paths().stream()
        .filter(path -> path.transport().equals("tcp") && path.state().equals("UP"))
        .map(path -> path.localRail() + " -> " + path.remoteRail())
        .collect(Collectors.toSet());
  }

  @Test
  void preferredRailsOfBothSidesCarryWhatIsNearToThem() throws InterruptedException {
    try (var a = engine(Map.of("cpu:0", ranks(TWO, ONE)), false);
        var b = engine(Map.of("cuda:1", ranks(ONE, TWO)), false)) {
      var near = a.arena().allocate(SIZE, 4096);
      var far = b.arena().allocate(SIZE, 4096);
      assertEquals(Buffer.HOST, a.register(near, Access.LOCAL).location());
      assertEquals("cuda:1", b.register(far, Access.REMOTE_READ_WRITE, "cuda:1").location());
      write(a, near, b, far);
      assertEquals(Set.of(TWO + " -> " + ONE), connected(a));
    }
  }

  @Test
  void memoryOfAnotherPlaceGoesByAllRails() throws InterruptedException {
    try (var a = engine(Map.of("cpu:0", ranks(TWO, ONE)), false);
        var b = engine(Map.of(), false)) {
      var near = a.arena().allocate(SIZE, 4096);
      var far = b.arena().allocate(SIZE, 4096);
      a.register(near, Access.LOCAL, "cpu:1");
      b.register(far, Access.REMOTE_READ_WRITE);
      write(a, near, b, far);
      assertEquals(Set.of(ONE + " -> " + ONE, TWO + " -> " + TWO), connected(a));
    }
  }

  @Test
  void memoryThatNoRailOfATransportIsForGoesByAnother() throws InterruptedException {
    try (var a = engine(Map.of("cpu:0", List.of(List.of("127.0.0.9"), List.of())), false);
        var b = engine(Map.of(), false)) {
      var near = a.arena().allocate(SIZE, 4096);
      var far = b.arena().allocate(SIZE, 4096);
      a.register(near, Access.LOCAL);
      b.register(far, Access.REMOTE_READ_WRITE);
      write(a, near, b, far);
      assertEquals(Set.of(), connected(a), "an unknown name is nobody's");
    }
  }

  @Test
  void aNameThatIsNoRailsIsRefusedWithStrictRails() {
    var thrown =
        assertThrows(
            ShuntException.class, () -> engine(Map.of("*", ranks("127.0.0.11", TWO)), true));
    assertEquals(FailureCode.CONFIGURATION, thrown.code());
    assertTrue(thrown.getMessage().contains("did you mean 127.0.0.1?"), thrown::getMessage);
  }

  private static Engine at(String one, String two) {
    var tcp = new LossyTcp();
    tcp.locations = List.of(one, two);
    return new RuntimeFactory()
        .builder()
        .set("transports.rdma.enable", false)
        .set("transports.nof.enable", false)
        .set("transports.tcp.rails", List.of(ONE, TWO))
        .set("transports.tcp.slice-size", "64KiB")
        .transport(tcp)
        .open();
  }

  @Test
  void withoutAConfiguredTopologyRailsAreNearToTheMemoryOfTheirOwnNode()
      throws InterruptedException {
    try (var a = at("cpu:0", "cpu:1");
        var b = at("cpu:1", "cpu:1")) {
      var near = a.arena().allocate(SIZE, 4096);
      var far = b.arena().allocate(SIZE, 4096);
      a.register(near, Access.LOCAL, "cpu:1");
      assertEquals(Buffer.HOST, b.register(far, Access.REMOTE_READ_WRITE).location());
      write(a, near, b, far);
      assertEquals(
          Set.of(TWO), connected(a).stream().map(p -> p.split(" ")[0]).collect(Collectors.toSet()));
      var anywhere = a.arena().allocate(SIZE, 4096);
      assertEquals(Buffer.ANYWHERE, a.register(anywhere, Access.LOCAL).location());
      write(a, anywhere, b, far);
      assertEquals(
          Set.of(ONE, TWO),
          connected(a).stream().map(p -> p.split(" ")[0]).collect(Collectors.toSet()),
          "memory of which nobody says where it is goes by all rails");
    }
  }

  @Test
  void aPlaceWithoutANameIsRefused() {
    try (var a = engine(Map.of(), false)) {
      var memory = a.arena().allocate(64);
      var thrown = assertThrows(ShuntException.class, () -> a.register(memory, Access.LOCAL, " "));
      assertEquals(FailureCode.REJECTED, thrown.code());
      assertTrue(thrown.getMessage().contains("cpu:0"), thrown::getMessage);
    }
  }
}
