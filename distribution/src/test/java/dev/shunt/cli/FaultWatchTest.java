package dev.shunt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Engine;
import dev.shunt.api.EngineFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class FaultWatchTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  private static Engine engine() {
    return EngineFactory.installed()
        .builder()
        .set("transports.tcp.rails", List.of("127.0.0.1", "127.0.0.2"))
        .set("transports.rdma.enable", false)
        .set("transports.nof.enable", false)
        .open();
  }

  private static void drainAndRestore(Engine engine) throws InterruptedException {
    engine.drainRail("tcp", "127.0.0.2").await(SOON);
    assertEquals("ACTIVE", engine.restoreRail("tcp", "127.0.0.2").await(SOON).state());
  }

  @Test
  void aRailThatIsLostAndComesBackIsMarkedInThatOrder() throws Exception {
    try (var engine = engine();
        var other = engine();
        var watch = FaultWatch.begin(engine.name())) {
      var start = Instant.now();
      drainAndRestore(engine);
      drainAndRestore(other);
      var marks = watch.end(start, Duration.ofMinutes(5));
      assertEquals("", marks.problem());
      var kinds = marks.list().stream().map(Mark::kind).toList();
      assertEquals(
          List.of(Mark.Kind.LOST, Mark.Kind.NEWS, Mark.Kind.BACK), kinds, marks.toString());
      var first = marks.list().getFirst();
      assertTrue(first.text().startsWith("rail tcp/127.0.0.2 is drained: "), first.text());
      assertEquals("rail tcp/127.0.0.2 is in use again", marks.list().getLast().text());
      assertTrue(first.at() > 0 && first.at() <= marks.list().getLast().at(), marks.toString());
      assertEquals(0, marks.more());
    }
  }

  @Test
  void whatLiesOutsideIsLeftOutAndOfManyTheFirstAreKept() throws Exception {
    try (var engine = engine();
        var watch = FaultWatch.begin(engine.name())) {
      var start = Instant.now();
      // Each time it is drained, recovering and active.
      int times = FaultWatch.MOST / 3 + 1;
      for (int i = 0; i < times; i++) {
        drainAndRestore(engine);
      }
      var marks = watch.end(start, Duration.ofMinutes(5));
      assertEquals(FaultWatch.MOST, marks.list().size());
      assertEquals(3 * times - FaultWatch.MOST, marks.more());
    }
    try (var engine = engine();
        var watch = FaultWatch.begin(engine.name())) {
      drainAndRestore(engine);
      var later = Instant.now().plusSeconds(1);
      assertEquals(List.of(), watch.end(later, Duration.ofMinutes(5)).list());
    }
  }
}
