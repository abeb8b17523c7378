package dev.shunt.runtime.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.Outcome;
import dev.shunt.runtime.transfer.core.Counter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * A channel is killed in the middle of transfers: every slice ends exactly once, which the guard
 * around the transport sees to, and every request ends well, by another channel; but for writes to
 * targets, which nobody can fence.
 */
class LostChannelTest {
  private static final int SEEDS = 100;

  private final Seeds seeds = new Seeds();

  @Test
  void aStreamThatIsCutEndsEachSliceOnce() {
    kill(
        Seeds.Kind.TCP,
        scene ->
            scene.cluster.network().path(scene.a.host().rail(0), scene.b.host().rail(0)).cut());
  }

  @Test
  void aQueuePairThatBreaksEndsEachSliceOnce() {
    kill(Seeds.Kind.RDMA, scene -> ((RdmaFabric) scene.cluster.fabric()).breakAll(scene.a, 0));
  }

  @Test
  void aQueuePairWhosePeerBreaksEndsEachSliceOnce() {
    kill(Seeds.Kind.RDMA, scene -> ((RdmaFabric) scene.cluster.fabric()).breakAll(scene.b, 0));
  }

  @Test
  void aQueueOfATargetThatIsCutEndsEachSliceOnce() {
    int unknown = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      try (var scene = new Scene(seeds, Seeds.Kind.NOF, seed)) {
        scene.completes(scene.write(0, 1024));
        var deals = new ArrayList<Deal>();
        for (int i = 0; i < 5; i++) {
          deals.add(scene.write(i * 4096, 4096));
          deals.add(scene.read(i * 4096, 4096, Duration.ofSeconds(10)));
        }
        scene.cluster.world().run(scene.cluster.world().dice("blow").below(60_000));
        ((SimTarget) scene.to).dropAll();
        for (var deal : deals) {
          var outcome = scene.done(deal).outcomes[0];
          boolean write = deal.pieces.getFirst().write;
          if (outcome instanceof Outcome.Error(var failure) && write) {
            assertEquals(FailureCode.UNKNOWN_EFFECT, failure.code());
            unknown++;
          } else {
            assertInstanceOf(Outcome.Completed.class, outcome);
          }
        }
        scene.reckon();
      }
    }
    assertTrue(unknown > SEEDS / 2, "only " + unknown + " writes were hit in the middle");
  }

  private void kill(Seeds.Kind kind, Consumer<Scene> blow) {
    int hit = 0;
    int lost = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      try (var scene = new Scene(seeds, kind, seed)) {
        scene.completes(scene.write(0, 1000));
        var deals = new ArrayList<Deal>();
        for (int i = 0; i < 5; i++) {
          deals.add(scene.write(i * 4000, 4000));
        }
        scene.cluster.world().run(scene.cluster.world().dice("blow").below(60_000));
        hit += scene.a.guard().posted() > 0 ? 1 : 0;
        blow.accept(scene);
        for (var deal : List.copyOf(deals)) {
          scene.completes(deal);
        }
        lost += scene.count(Counter.CHANNELS_DOWN) > 0 ? 1 : 0;
        scene.reckon();
      }
    }
    assertTrue(hit > SEEDS / 2, "only " + hit + " were hit in the middle");
    assertTrue(lost > SEEDS / 2, "only " + lost + " lost a channel");
  }
}
