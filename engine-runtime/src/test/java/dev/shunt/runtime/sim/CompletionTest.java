package dev.shunt.runtime.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Buffer;
import dev.shunt.api.FailureCode;
import dev.shunt.api.Outcome;
import dev.shunt.api.Rejection;
import dev.shunt.api.sim.SimPath;
import dev.shunt.runtime.transfer.core.Counter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What COMPLETED, done and settled mean, told by whole engines over TCP. */
class CompletionTest {
  private static final Duration LONG = Duration.ofSeconds(10);
  private static final Map<String, Object> PATIENT = Map.of("stall-limit", "30 s");

  private final Seeds seeds = new Seeds();

  /** C1. Each write is compared at the moment in which it is COMPLETED. */
  @Test
  void fourHundredWritesAreWholeWhenTheyAreCompletedAndABadOneHarmsNone() {
    try (var scene = new Scene(seeds, Seeds.Kind.TCP, 1)) {
      for (int i = 0; i < 400; i++) {
        scene.completes(scene.write(i % 2 * 64, 16_000));
      }
      long up = scene.count(Counter.CHANNELS_UP);
      int beyond = Ground.SHARED_LENGTH - 100;
      var wrong = scene.piece(Piece.Kind.WRONG, true, scene.a, scene.b, beyond, 200);
      var deal = scene.done(scene.submit(List.of(wrong), LONG));
      var failure = assertInstanceOf(Outcome.Error.class, deal.outcomes[0]).failure();
      assertEquals(FailureCode.REJECTED, failure.code());
      long address = scene.b.ground().memory().address() + beyond;
      assertEquals(
          new Rejection.RemoteOutOfRange(scene.b.segment(), address, 200),
          failure.rejection().orElseThrow());
      scene.completes(scene.write(0, 16_000));
      assertEquals(0, scene.count(Counter.CHANNELS_DOWN));
      assertEquals(up, scene.count(Counter.CHANNELS_UP));
      scene.reckon();
    }
  }

  /** C1, where only the peer can tell that the request is bad. */
  @Test
  void aRequestThatThePeerRefusesLeavesItsConnectionInStep() {
    try (var scene = new Scene(seeds, Seeds.Kind.TCP, 2)) {
      scene.completes(scene.write(Ground.SWING, 4000));
      var deal = scene.done(withOldKey(scene, () -> scene.write(Ground.SWING, 400, LONG)));
      var failure = assertInstanceOf(Outcome.Error.class, deal.outcomes[0]).failure();
      assertEquals(FailureCode.REMOTE_RANGE, failure.code());
      assertFalse(failure.remoteEffect());
      assertTrue(failure.message().contains("open the segment again"), failure.message());
      scene.completes(scene.write(Ground.SHARED, 16_000));
      scene.reopen();
      scene.completes(scene.write(Ground.SWING, 4000));
      assertEquals(0, scene.count(Counter.CHANNELS_DOWN));
      scene.reckon();
    }
  }

  /** Its slices are under way while the memory that they are for is registered anew. */
  private static Deal withOldKey(Scene scene, Supplier<Deal> submit) {
    var paths = new ArrayList<SimPath>();
    for (int i = 0; i < 2; i++) {
      for (int j = 0; j < 2; j++) {
        paths.add(scene.cluster.network().path(scene.a.host().rail(i), scene.b.host().rail(j)));
      }
    }
    paths.forEach(SimPath::hold);
    var deal = submit.get();
    registerAnew(scene);
    paths.forEach(SimPath::release);
    return deal;
  }

  private static void registerAnew(Scene scene) {
    var closing = scene.b.swing().close();
    assertTrue(scene.cluster.until(closing::isDone, Cluster.SECOND));
    scene.b.ground().clean(Ground.SWING, Ground.SWING_LENGTH, scene.cluster.nextVersion());
    var old = scene.b.swing();
    scene.b.registerSwing();
    assertTrue(scene.cluster.until(() -> scene.b.swing() != old, Cluster.SECOND));
  }

  /** C2. */
  @Test
  void aSliceThatOutlastsItsDeadlineDrainsAndItsLateEndChangesCountersOnly() {
    try (var scene = Scene.of(Seeds.Kind.TCP, 3, PATIENT)) {
      scene.completes(scene.write(0, 1000));
      hold(scene, true);
      long start = scene.now();
      var deal = scene.write(0, 400, Duration.ofMillis(100));
      scene.done(deal);
      assertEquals(100, scene.now() - start);
      assertInstanceOf(Outcome.TimedOut.class, deal.outcomes[0]);
      assertEquals(400, scene.count(Counter.DRAINING_BYTES));
      long completed = scene.count(Counter.SLICES_COMPLETED);
      var local = localBuffer(scene);
      var closing = local.close();
      scene.run(399);
      assertFalse(deal.settled);
      assertFalse(closing.isDone());
      assertEquals(Buffer.State.DRAINING, local.state());
      hold(scene, false);
      assertTrue(scene.cluster.until(closing::isDone, 100 * Cluster.MILLI));
      assertTrue(deal.settled);
      assertEquals(0, scene.count(Counter.DRAINING_BYTES));
      assertEquals(1, scene.count(Counter.LATE_REPORTS));
      assertEquals(completed, scene.count(Counter.SLICES_COMPLETED));
      scene.cluster.story().checkHistory();
      assertEquals(
          0,
          scene.a.probe().peers().getFirst().home().orElseThrow().route().queuedRequests().get());
    }
  }

  private static dev.shunt.runtime.memory.RegisteredBuffer localBuffer(Scene scene) {
    long address = scene.a.ground().memory().address() + Ground.LOCAL;
    return scene.a.probe().buffers().covering(address, 1).orElseThrow();
  }

  private static void hold(Scene scene, boolean hold) {
    for (int i = 0; i < 2; i++) {
      var path = scene.cluster.network().path(scene.a.host().rail(i), scene.b.host().rail(i));
      if (hold) {
        path.hold();
      } else {
        path.release();
      }
    }
  }

  /** C2, where it never ends. */
  @Test
  void whatNeverEndsIsQuarantinedAndCounted() {
    try (var scene = new Scene(seeds, Seeds.Kind.RDMA, 4)) {
      scene.completes(scene.write(0, 1000));
      ((RdmaFabric) scene.cluster.fabric()).swallow(scene.a, 0, 1);
      var deal = scene.write(0, 400, Duration.ofMillis(100));
      scene.done(deal);
      assertInstanceOf(Outcome.TimedOut.class, deal.outcomes[0]);
      assertTrue(scene.cluster.until(() -> deal.settled, 5 * Cluster.SECOND));
      assertTrue(deal.transfer.settled().poll().orElseThrow().quarantined());
      assertEquals(400, scene.count(Counter.QUARANTINED_BYTES));
      assertEquals(0, scene.count(Counter.DRAINING_BYTES));
      assertEquals(1, localBuffer(scene).holders());
      scene.completes(scene.write(0, 4000));
      scene.reckon();
    }
  }

  /** C3. */
  @Test
  void aBatchEndsWithItsLastSliceAndNothingIsWrittenAfterItsMemoryIsFree() {
    int early = 0;
    for (int rail = 0; rail < 2; rail++) {
      early += endsWithItsLastSlice(rail) ? 1 : 0;
    }
    assertTrue(early > 0, "by one rail or the other slice 3 fails long before the last one ends");
  }

  private static boolean endsWithItsLastSlice(int slowRail) {
    try (var scene = Scene.of(Seeds.Kind.TCP, 5, PATIENT)) {
      scene.completes(scene.write(Ground.SWING, 4000));
      var pieces = new ArrayList<Piece>();
      for (int i = 0; i < 8; i++) {
        int at = i == 3 ? Ground.SWING : i * 500;
        pieces.add(scene.piece(Piece.Kind.GOOD, false, scene.a, scene.b, at, 400));
      }
      var from = scene.b.host().rail(slowRail);
      var slow = scene.cluster.network().path(from, scene.a.host().rail(slowRail));
      slow.hold();
      var deal = withOldKey(scene, () -> scene.submit(pieces, LONG));
      var freed = new ArrayList<Long>();
      deal.transfer
          .done()
          .whenDone(_ -> localBuffer(scene).close().thenRun(() -> freed.add(scene.now())));
      scene.run(50);
      assertFalse(deal.done());
      boolean early = scene.count(Counter.ATTEMPTS_FAILED) > 0;
      slow.release();
      scene.done(deal);
      assertInstanceOf(Outcome.Error.class, deal.outcomes[3]);
      for (int i = 0; i < 8; i++) {
        assertTrue(i == 3 || deal.outcomes[i] instanceof Outcome.Completed, "request " + i);
      }
      scene.run(10);
      assertEquals(1, freed.size());
      return early;
    }
  }

  /** C3, where the batch ends by its deadline while a slice is still to land. */
  @Test
  void memoryIsNotFreeBeforeTheLastSliceHasDrained() {
    try (var scene = Scene.of(Seeds.Kind.TCP, 6, PATIENT)) {
      scene.completes(scene.write(0, 4000));
      var slow = scene.cluster.network().path(scene.b.host().rail(1), scene.a.host().rail(1));
      slow.hold();
      var deal = scene.read(0, 4000, Duration.ofMillis(20));
      var freed = new ArrayList<Long>();
      long start = scene.now();
      deal.transfer
          .done()
          .whenDone(_ -> localBuffer(scene).close().thenRun(() -> freed.add(scene.now())));
      scene.done(deal);
      assertInstanceOf(Outcome.TimedOut.class, deal.outcomes[0]);
      scene.run(30);
      assertEquals(List.of(), freed);
      assertTrue(scene.a.guard().posted() > 0);
      slow.release();
      scene.run(10);
      assertEquals(1, freed.size());
      assertTrue(freed.getFirst() - start >= 50, freed.toString());
      assertEquals(0, scene.a.guard().posted());
    }
  }

  /** C5. */
  @Test
  void aNotificationThatIsBoundToABatchFollowsItsData() {
    try (var scene = Scene.of(Seeds.Kind.TCP, 7, PATIENT)) {
      scene.completes(scene.write(0, 4000));
      // The data's way is held on one rail; the control plane's connection is there already.
      var slow = scene.cluster.network().path(scene.a.host().rail(1), scene.b.host().rail(1));
      slow.hold();
      var piece = scene.piece(Piece.Kind.GOOD, true, scene.a, scene.b, 0, 4000);
      var deal = scene.cluster.story().submit(scene.a, List.of(piece), LONG, true);
      scene.run(200);
      assertFalse(scene.cluster.marks().contains(Mark.BATCH_NOTIFICATION));
      slow.release();
      scene.completes(deal);
      scene.run(5);
      assertTrue(scene.cluster.marks().contains(Mark.BATCH_NOTIFICATION));
      scene.reckon();
    }
  }

  /** C6. */
  @Test
  void lookingAtAFailureAThousandTimesChangesNothing() {
    try (var scene = new Scene(seeds, Seeds.Kind.TCP, 8)) {
      scene.completes(scene.write(Ground.SWING, 400));
      var deal = scene.done(withOldKey(scene, () -> scene.write(Ground.SWING, 400, LONG)));
      var first = deal.transfer.done().poll().orElseThrow().outcomes().getFirst();
      assertInstanceOf(Outcome.Error.class, first);
      long failed = scene.count(Counter.ATTEMPTS_FAILED);
      long slices = scene.cluster.slices();
      for (int i = 0; i < 1000; i++) {
        assertSame(first, deal.transfer.done().poll().orElseThrow().outcomes().getFirst());
        scene.cluster.world().run(10_000);
      }
      assertEquals(failed, scene.count(Counter.ATTEMPTS_FAILED));
      assertEquals(slices, scene.cluster.slices());
      scene.reckon();
    }
  }
}
