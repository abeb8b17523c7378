package dev.shunt.runtime.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Failure;
import dev.shunt.api.FailureCode;
import dev.shunt.api.Outcome;
import dev.shunt.api.sim.SimProcess.Death;
import dev.shunt.api.spi.Remote;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** I1: a peer is killed, and another process of its address comes, older than it was. */
class RestartTest {
  private static final int RESTARTS = 20;

  private final Seeds seeds = new Seeds();

  @Test
  void anOlderProcessOnTheSameAddressIsMetAfreshOverTcp() {
    restarts(Seeds.Kind.TCP, 1, false);
  }

  @Test
  void anOlderProcessOnTheSameAddressAndPortsIsMetAfreshOverTcp() {
    restarts(Seeds.Kind.TCP, 2, true);
  }

  @Test
  void anOlderProcessOnTheSameAddressIsMetAfreshOverRdma() {
    restarts(Seeds.Kind.RDMA, 3, false);
  }

  /** The world watches that no key of an older registration lets anything in. */
  private void restarts(Seeds.Kind kind, long seed, boolean samePorts) {
    try (var scene = new Scene(seeds, kind, seed)) {
      scene.completes(scene.write(0, 4000));
      for (int i = 0; i < RESTARTS; i++) {
        boolean older = i % 2 == 0;
        long before = scene.b.generation();
        // Some die with writes to them under way.
        var cutShort = scene.write(8000, 16_000, Duration.ofSeconds(3));
        scene.cluster.world().run(i * 3_000L);
        scene.cluster.story().died(scene.b);
        scene.b.die(Death.KILLED);
        scene.run(5);
        scene.b.start(older ? 1 : 2, !older || kind == Seeds.Kind.RDMA, samePorts);
        assertTrue(scene.cluster.until(scene.b::ready, Cluster.SECOND));
        assertNotEquals(before, scene.b.generation());
        long back = scene.now();

        var failure = refused(scene);
        // Who asked while nobody was there is told so at once, until a probe says otherwise.
        while (failure.code() == FailureCode.UNREACHABLE && scene.now() - back < 1000) {
          scene.run(50);
          failure = refused(scene);
        }
        assertEquals(FailureCode.STALE_GENERATION, failure.code(), failure.describe());
        scene.done(cutShort);

        scene.reopen();
        scene.completes(scene.write(0, 4000));
        assertTrue(scene.now() - back < 1000, "it took " + (scene.now() - back) + " ms");
        var known = scene.a.probe().peers();
        assertEquals(1, known.size());
        var met = assertInstanceOf(Remote.Node.class, known.getFirst().remote());
        assertEquals(scene.b.generation(), met.generation());
        assertEquals(older ? 1 : 2, met.verdict().version(Setup.NEWER));
      }
      scene.reckon();
    }
  }

  private static Failure refused(Scene scene) {
    var old = scene.done(scene.write(0, 4000, Duration.ofSeconds(3)));
    return assertInstanceOf(Outcome.Error.class, old.outcomes[0]).failure();
  }
}
