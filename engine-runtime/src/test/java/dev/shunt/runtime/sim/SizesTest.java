package dev.shunt.runtime.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Access;
import dev.shunt.api.Batch;
import dev.shunt.api.Engine.SegmentResult;
import dev.shunt.api.Outcome;
import dev.shunt.api.Request;
import dev.shunt.api.Segment;
import dev.shunt.api.Transfer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** C7: sizes around a slice's, nothing at all, and very many requests. */
class SizesTest {
  private static final int SIZE = 1 << 20;
  private static final Duration SOON = Duration.ofSeconds(5);

  private final Scene scene =
      Scene.of(
          Seeds.Kind.TCP,
          1,
          Map.of("slice-size", "64 KiB", "max-slice", "64 KiB", "window-bytes", "1 MiB"));
  private final MemorySegment local = Arena.ofAuto().allocate(SIZE, 4096);
  private final MemorySegment remote = Arena.ofAuto().allocate(SIZE, 4096);
  private final Segment segment = open();

  private Segment open() {
    Pattern.fill(local, 0, SIZE, 77);
    var one = scene.a.engine().registerAsync(local, Access.LOCAL);
    var two = scene.b.engine().registerAsync(remote, Access.REMOTE_READ_WRITE);
    assertTrue(scene.cluster.until(() -> one.isDone() && two.isDone(), Cluster.SECOND));
    var opening = scene.a.engine().openSegmentAsync(scene.b.segment(), SOON);
    assertTrue(scene.cluster.until(opening::isDone, Cluster.SECOND));
    var result = opening.poll().orElseThrow();
    return assertInstanceOf(SegmentResult.Opened.class, result).segment();
  }

  private Transfer.Result end(List<Request> requests) {
    var transfer = scene.a.engine().submit(Batch.of(requests).within(SOON).orBusy());
    assertTrue(scene.cluster.until(() -> transfer.settled().isDone(), 6 * Cluster.SECOND));
    return transfer.done().poll().orElseThrow();
  }

  @Test
  void eachSizeArrivesWholeAndIsReadBack() {
    try (scene) {
      for (int size : new int[] {0, 1, 65_535, 65_536, 65_537, 200_000}) {
        remote.fill((byte) 0);
        var write = Request.write(local.asSlice(5, size), segment, remote.address() + 9);
        assertEquals(size, end(List.of(write)).orThrow().bytes());
        assertEquals(-1, local.asSlice(5, size).mismatch(remote.asSlice(9, size)));
        assertEquals(0, remote.get(java.lang.foreign.ValueLayout.JAVA_BYTE, 9 + size));
        int back = 512 << 10;
        local.asSlice(back, size).fill((byte) 0);
        end(List.of(Request.read(local.asSlice(back, size), segment, remote.address() + 9)))
            .orThrow();
        assertEquals(-1, local.asSlice(back, size).mismatch(remote.asSlice(9, size)));
      }
    }
  }

  @Test
  void nothingEndsAtOnceAndWell() {
    try (scene) {
      var none = scene.a.engine().submit(Batch.of(List.of()));
      assertTrue(none.done().isDone() && none.settled().isDone());
      assertTrue(none.done().poll().orElseThrow().completed());
      var empty = Request.write(local.asSlice(0, 0), segment, remote.address());
      var transfer = scene.a.engine().submit(Batch.of(empty, empty));
      assertTrue(transfer.done().isDone() && transfer.settled().isDone());
      assertEquals(
          List.of(new Outcome.Completed(0), new Outcome.Completed(0)),
          transfer.done().poll().orElseThrow().outcomes());
    }
  }

  @Test
  void ofVeryManyRequestsTheOneThatIsWrongFailsAlone() {
    try (scene) {
      var requests = new ArrayList<Request>();
      for (int i = 0; i < 4096; i++) {
        long at = i == 2345 ? SIZE - 10 : i * 100L;
        requests.add(Request.write(local.asSlice(i * 100L, 100), segment, remote.address() + at));
      }
      var outcomes = end(requests).outcomes();
      for (int i = 0; i < 4096; i++) {
        assertTrue(
            i == 2345
                ? outcomes.get(i) instanceof Outcome.Error
                : outcomes.get(i) instanceof Outcome.Completed,
            "request " + i + ": " + outcomes.get(i));
      }
      assertEquals(-1, local.asSlice(0, 234_500).mismatch(remote.asSlice(0, 234_500)));
    }
  }
}
