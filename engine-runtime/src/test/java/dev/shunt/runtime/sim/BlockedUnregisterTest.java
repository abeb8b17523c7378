package dev.shunt.runtime.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * J5, over RDMA: memory is given back when the last slice that uses it has ended, and not before.
 */
class BlockedUnregisterTest {
  private static final int SEEDS = 50;

  /** A QP does not give up while the path is held. */
  private static final Map<String, Object> PATIENT = Map.of("endpoint.send-timeout", 14);

  @Test
  void unregisteringDuringABlockedTransferWaitsForItsLastSlice() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      unregistered(seed);
    }
  }

  private void unregistered(long seed) {
    try (var scene = Scene.of(Seeds.Kind.RDMA, seed, PATIENT)) {
      scene.completes(scene.write(0, 1000));
      hold(scene, true);
      var deal = scene.write(0, 4000);
      scene.run(20);
      long address = scene.a.ground().memory().address() + Ground.LOCAL;
      var buffer = scene.a.probe().buffers().covering(address, 1).orElseThrow();
      assertTrue(buffer.holders() > 0, "seed " + seed);
      var freed = new ArrayList<Boolean>();
      buffer.close().thenRun(() -> freed.add(buffer.holders() == 0));
      scene.run(50);
      assertEquals(0, freed.size(), "seed " + seed);
      hold(scene, false);
      scene.done(deal);
      assertInstanceOf(Outcome.Completed.class, deal.outcomes[0], "seed " + seed);
      scene.run(20);
      assertEquals(List.of(true), freed, "seed " + seed + ": after the end of what used it");
      assertEquals(0, buffer.holders());
    }
  }

  private static void hold(Scene scene, boolean hold) {
    var fabric = (RdmaFabric) scene.cluster.fabric();
    for (int rail = 0; rail < 2; rail++) {
      var path = fabric.path(scene.a, scene.b, rail);
      if (hold) {
        path.hold();
      } else {
        path.release();
      }
    }
  }
}
