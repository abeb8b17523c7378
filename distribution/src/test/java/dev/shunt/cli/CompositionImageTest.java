package dev.shunt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shunt.api.Access;
import dev.shunt.api.Batch;
import dev.shunt.api.Engine;
import dev.shunt.api.Notification;
import dev.shunt.api.Request;
import dev.shunt.api.Segment;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Processes from the image on which policies and capabilities are on or off, each met by nodes of
 * each kind. Of any two switches of one side each two positions occur, and each kind meets each, so
 * that the same holds of one switch here and another one there.
 */
class CompositionImageTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int SIZE = 200_000;

  /** Ten: as many as there are choices of three out of five, which is what a kind is made by. */
  private static final List<String> SWITCHES =
      List.of(
          "plugins.exclude=[failover]",
          "peer-health.enable=false",
          "control.extension=false",
          "capabilities.\"control.error_reply\"=off",
          "capabilities.\"control.fence\"=off",
          "capabilities.\"link.echo\"=off",
          "capabilities.\"tcp.stream\"=off",
          "capabilities.\"tcp.crc32c\"=on",
          "failover.unfenced=fail",
          "control.echo-interval=100ms");

  private final Deadline deadline = Deadline.in(Duration.ofMinutes(5));
  private final List<AutoCloseable> rest = new ArrayList<>();

  @AfterEach
  void endAll() throws Exception {
    for (var each : rest.reversed()) {
      each.close();
    }
  }

  /** None, all, and five between them. */
  private static List<List<String>> kinds() {
    var kinds = new ArrayList<>(List.of(List.<String>of(), SWITCHES));
    for (int row = 0; row < 5; row++) {
      var kind = new ArrayList<String>();
      int column = 0;
      for (int i = 0; i < 5; i++) {
        for (int j = i + 1; j < 5; j++) {
          for (int k = j + 1; k < 5; k++) {
            if (row == i || row == j || row == k) {
              kind.add(SWITCHES.get(column));
            }
            column++;
          }
        }
      }
      kinds.add(kind);
    }
    return kinds;
  }

  private record Node(Engine engine, MemorySegment memory) {}

  private Node open(List<String> kind) {
    var engine =
        Settings.of(Optional.empty(), List.of("transports.rdma.enable=false"), kind).open();
    rest.add(engine);
    var memory = engine.arena().allocate(2L * SIZE, 4096);
    engine.register(memory, Access.LOCAL);
    return new Node(engine, memory);
  }

  private PeerProcess serve(List<String> kind) {
    var arguments = new ArrayList<>(List.of("--memory", "1MiB"));
    arguments.addAll(List.of("--set", "transports.rdma.enable=false"));
    for (var setting : kind) {
      arguments.addAll(List.of("--set", setting));
    }
    var process = PeerProcess.start(List.of(Image.SHUNT), arguments);
    rest.add(process);
    return process;
  }

  private void meet(Node node, Segment peer, int seed) throws InterruptedException {
    var there = peer.buffers().getFirst().address();
    var out = node.memory.asSlice(0, SIZE);
    var back = node.memory.asSlice(SIZE);
    Payload.fill(out, seed);
    node.engine
        .submit(
            Batch.of(Request.write(out, peer, there))
                .thenNotify(new Notification("of a test", "" + seed))
                .within(PATIENCE))
        .await(PATIENCE)
        .orThrow();
    // Asked and answered by notifications: one each way.
    var questions = new Questions(node.engine, peer);
    assertEquals(Payload.checksum(out), questions.checksum(0, SIZE, deadline));
    node.engine
        .submit(Batch.of(Request.read(back, peer, there)).within(PATIENCE))
        .await(PATIENCE)
        .orThrow();
    assertEquals(-1, out.mismatch(back));
  }

  @Test
  void eachKindOfNodeGetsOnWithEach() throws Exception {
    var kinds = kinds();
    var here = kinds.stream().map(this::open).toList();
    int pairs = 0;
    for (var kind : kinds) {
      var name = serve(kind).awaitReady(deadline);
      for (int i = 0; i < here.size(); i++) {
        try {
          meet(here.get(i), here.get(i).engine.openSegment(name, PATIENCE), ++pairs);
        } catch (RuntimeException | AssertionError failed) {
          throw new AssertionError(kinds.get(i) + " here, " + kind + " there", failed);
        }
      }
      rest.removeLast().close();
    }
    System.out.println("composition: " + pairs + " pairs of nodes");
  }
}
