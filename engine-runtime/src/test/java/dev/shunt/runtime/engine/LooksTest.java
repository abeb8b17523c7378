package dev.shunt.runtime.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Access;
import dev.shunt.api.Engine;
import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Insight;
import dev.shunt.api.spi.TransportException;
import dev.shunt.runtime.admin.StatusJson;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What operators see of a transport's inside, and of a rail that they have looked at. */
class LooksTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  private final LossyTcp tcp = new LossyTcp();

  private Engine engine() {
    return new RuntimeFactory()
        .builder()
        .set("transports.rdma.enable", false)
        .set("transports.nof.enable", false)
        .transport(tcp)
        .open();
  }

  @Test
  void whatATransportShowsIsInTheStatus() {
    tcp.insights = List.of(new Insight("device", "d0", Map.of("board", "b"), Map.of("qps", 7L)));
    try (var engine = engine()) {
      var status = engine.status();
      var details =
          status.transports().stream()
              .filter(it -> it.id().equals("tcp"))
              .findFirst()
              .orElseThrow()
              .details();
      assertEquals("d0", details.getFirst().name());
      var json = new String(StatusJson.bytes(status), StandardCharsets.UTF_8);
      assertTrue(
          json.contains(
              "\"details\":[{\"kind\":\"device\",\"name\":\"d0\",\"facts\":{\"board\":\"b\"},"
                  + "\"counts\":{\"qps\":7}}]"),
          json);
    }
  }

  @Test
  void tooMuchIsCutAndWhatThrowsShowsNothing() {
    tcp.insights = Collections.nCopies(300, new Insight("device", "d", Map.of(), Map.of()));
    try (var engine = engine()) {
      assertEquals(256, details(engine));
      tcp.insights = null;
      assertEquals(0, details(engine));
    }
  }

  private static int details(Engine engine) {
    return engine.status().transports().stream().mapToInt(it -> it.details().size()).sum();
  }

  @Test
  void memoryThatOneRailRefusesIsNotRegisteredAndTheReasonIsTold() {
    try (var engine = engine()) {
      tcp.refusal =
          Optional.of(new TransportException(FailureCode.RESOURCE, "beyond the limit of 64 KiB"));
      var memory = engine.arena().allocate(4096);
      var thrown = assertThrows(ShuntException.class, () -> engine.register(memory, Access.LOCAL));
      assertEquals(FailureCode.RESOURCE, thrown.code());
      assertTrue(thrown.getMessage().contains("beyond the limit of 64 KiB"), thrown::getMessage);
      tcp.refusal = Optional.empty();
      assertEquals(4096, engine.register(memory, Access.LOCAL).length(), "nothing was left of it");
    }
  }

  @Test
  void aRailIsLookedAtAndLeftAsItIs() throws InterruptedException {
    try (var engine = engine()) {
      var rail = engine.status().transports().getFirst().rails().getFirst().name();
      assertEquals("", engine.checkRail("tcp", rail).await(SOON).problem());
      tcp.found =
          Optional.of(
              new Fault(Fault.Blame.LOCAL, FailureCode.DEVICE, Fault.Effect.NONE, "no light"));
      assertEquals("no light", engine.checkRail("tcp", rail).await(SOON).problem());
      assertEquals("ACTIVE", engine.status().transports().getFirst().rails().getFirst().state());
      var thrown = assertThrows(ShuntException.class, () -> engine.checkRail("tcp", "none")).code();
      assertEquals(FailureCode.REJECTED, thrown);
    }
  }
}
