package dev.shunt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Access;
import dev.shunt.api.Batch;
import dev.shunt.api.Delivery;
import dev.shunt.api.Engine;
import dev.shunt.api.Notification;
import dev.shunt.api.Request;
import dev.shunt.api.Segment;
import dev.shunt.api.ShuntException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Two nodes with two rails each, on links of their own, one of which becomes a black hole: that of
 * the address by which the nodes have met.
 */
class ControlRailCutImageTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int SIZE = 64 << 10;
  private static int number = 61;

  private final Deadline deadline = Deadline.in(Duration.ofMinutes(3));
  private final List<AutoCloseable> rest = new ArrayList<>();
  private Namespace space;
  private Namespace.Link first;
  private Namespace.Link second;
  private Engine engine;
  private Segment peer;
  private Questions questions;
  private MemorySegment memory;

  @BeforeEach
  void makeLinks() throws Exception {
    space = new Namespace(number++);
    rest.add(space);
    first = space.link(number++);
    second = space.link(number++);
  }

  @AfterEach
  void endAll() throws Exception {
    for (var each : rest.reversed()) {
      each.close();
    }
  }

  private static List<String> settings(String control, String... rails) {
    return List.of(
        "transports.rdma.enable=false",
        "control.bind=[" + control + "]",
        "transports.tcp.rails=[\"" + String.join("\",\"", rails) + "\"]",
        "transports.tcp.stall-limit=400ms",
        "transports.tcp.connect-timeout=400ms",
        "rpc.connect-timeout=2s",
        "rpc.request-timeout=2s",
        "rpc.notify-timeout=2s");
  }

  private void meet(boolean bothAddresses) throws InterruptedException {
    var control = "\"" + first.there() + "\"";
    if (bothAddresses) {
      control += ",\"" + second.there() + "\"";
    }
    var arguments = new ArrayList<>(List.of("--memory", "1MiB"));
    for (var setting : settings(control, first.there(), second.there())) {
      arguments.addAll(List.of("--set", setting));
    }
    var process = PeerProcess.start(space.command(Image.SHUNT), arguments);
    rest.add(process);
    var here = "\"" + first.here() + "\",\"" + second.here() + "\"";
    engine =
        Settings.of(Optional.empty(), List.of(), settings(here, first.here(), second.here()))
            .open();
    rest.add(engine);
    memory = engine.arena().allocate(SIZE, 4096);
    engine.register(memory, Access.LOCAL);
    peer = engine.openSegment(process.awaitReady(deadline), PATIENCE);
    assertTrue(peer.name().startsWith(first.there()), peer.name());
    questions = new Questions(engine, peer);
    for (int i = 0; i < 8; i++) {
      write(i);
    }
  }

  private void write(int seed) throws InterruptedException {
    Payload.fill(memory, seed);
    var request = Request.write(memory, peer, peer.buffers().getFirst().address());
    engine.submit(Batch.of(request).within(PATIENCE)).await(PATIENCE).orThrow();
  }

  private void isThere() throws InterruptedException {
    assertEquals(Payload.checksum(memory), asked(deadline));
  }

  /** A word that was on the way over a link when it was cut is lost, and asked for again. */
  private String asked(Deadline until) throws InterruptedException {
    while (true) {
      try {
        return questions.checksum(0, SIZE, Deadline.in(Duration.ofSeconds(6)));
      } catch (ShuntException lost) {
        until.left("an answer");
      }
    }
  }

  /** Whether a path from a link has carried something. */
  private boolean carried(String link) {
    return engine.status().peers().stream()
        .flatMap(known -> known.paths().stream())
        .anyMatch(path -> path.localRail().equals(link) && path.carriedBytes() > 0);
  }

  private long count(String counter) {
    return engine.status().counters().get(counter);
  }

  @Test
  void transfersFencesAndNotificationsGoOnByTheOther() throws Exception {
    meet(true);
    isThere();
    var fences = count("fences");
    int seed = 50;
    for (var until = Deadline.in(PATIENCE); !carried(first.here()); seed++) {
      write(seed);
      until.left("a connection of the link that is cut then");
    }
    space.drop(first);
    seed = 100;
    for (; count("slices-redone") == 0 && seed < 200; seed++) {
      write(seed);
      isThere();
    }
    assertTrue(count("slices-redone") > 0, "nothing went by the link that was cut");
    assertTrue(count("fences") > fences, "a write was redone, and its old attempt not refused");
    write(seed);
    isThere();
    space.pass();
    var until = System.nanoTime() + 2_000_000_000L;
    while (System.nanoTime() - until < 0) {
      isThere();
    }
    write(seed + 1);
    isThere();
  }

  /** The scene is a real one: by one address alone no word gets through. */
  @Test
  void withOneControlAddressNoWordGetsThrough() throws Exception {
    meet(false);
    space.drop(first);
    var sent = engine.send(peer, new Notification("a", "b"), Duration.ofSeconds(3)).await(PATIENCE);
    assertTrue(!(sent instanceof Delivery.Delivered), sent.toString());
    var soon = Deadline.in(Duration.ofSeconds(5));
    assertThrows(ShuntException.class, () -> asked(soon));
  }
}
