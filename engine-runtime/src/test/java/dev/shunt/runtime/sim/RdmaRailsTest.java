package dev.shunt.runtime.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.spi.PathId;
import dev.shunt.runtime.descriptor.DescriptorLimits;
import dev.shunt.runtime.descriptor.DescriptorReader;
import dev.shunt.runtime.descriptor.Extension;
import dev.shunt.runtime.transport.EchoRoom;
import dev.shunt.transport.rdma.testing.SoftNic;
import dev.shunt.transport.rdma.verbs.Gid;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/**
 * NICs that are lost and come back, under whole engines. That a rail carries nothing before its
 * delay and a check that passed is seen to by what watches each scene.
 */
class RdmaRailsTest {
  private static final Duration LONG = Duration.ofSeconds(20);

  private final Seeds seeds = new Seeds();

  private Scene scene(long seed) {
    var scene = new Scene(seeds, Seeds.Kind.RDMA, seed);
    scene.completes(scene.write(0, 2000));
    return scene;
  }

  /** A NIC of a node, about to be tampered with: whoever suffers by that may say so. */
  private static SoftNic nic(Scene scene, SimNode node, int rail) {
    scene.cluster.harm().rail(node.host(), rail);
    scene.cluster.harm().around(node.host(), rail, scene.cluster.network().hosts());
    return ((RdmaFabric) scene.cluster.fabric()).nic(node, rail);
  }

  private static List<Integer> out(SimNode node) {
    return node.probe().inactiveRails("rdma");
  }

  private static void untilOut(Scene scene, SimNode node, List<Integer> rails) {
    assertTrue(
        scene.cluster.until(() -> out(node).equals(rails), 30 * Cluster.SECOND),
        () -> out(node) + ", not " + rails);
  }

  private static Extension told(SimNode node) {
    return DescriptorReader.read("it", node.probe().descriptor(), DescriptorLimits.DEFAULT)
        .extension()
        .orElseThrow();
  }

  private static List<String> gids(SimNode node) {
    return told(node).transports().get("rdma").rails().stream()
        .map(rail -> rail.attributes().get("gid"))
        .toList();
  }

  /** R2. */
  @Test
  void aLinkThatIsBackIsUsedAfterItsDelayAndACheckByTheAddressThatItHasNow() {
    for (long seed = 1; seed <= 10; seed++) {
      try (var scene = scene(seed)) {
        var nic = nic(scene, scene.a, 0);
        var gid = nic.gid();
        nic.down();
        untilOut(scene, scene.a, List.of(0));
        nic.quietly(new Gid(gid.high(), gid.low() + (1 << 16)));
        nic.deaf(true);
        nic.restore();
        var before = told(scene.a).revision();
        int checks = scene.a.guard().checks();
        for (int i = 0; i < 16; i++) {
          scene.completes(scene.write(0, 2000));
          scene.run(500);
          assertEquals(List.of(0), out(scene.a), "the data path does not work");
        }
        checks = scene.a.guard().checks() - checks;
        assertTrue(
            checks >= 3 && checks <= 9, "each check that fails is a longer delay: " + checks);
        nic.deaf(false);
        untilOut(scene, scene.a, List.of());
        assertEquals(nic.gid().toString(), gids(scene.a).getFirst());
        assertTrue(told(scene.a).revision() > before);
        scene.completes(scene.write(0, 2000));
        scene.reckon();
      }
    }
  }

  @Test
  void aQueueThatBreaksUnderTrafficRecoversByItself() {
    for (long seed = 1; seed <= 20; seed++) {
      try (var scene = scene(seed)) {
        var nic = nic(scene, scene.a, 0);
        var deals = new ArrayList<Deal>();
        for (int i = 0; i < 4; i++) {
          deals.add(scene.write(i * 4000, 4000));
          deals.add(scene.read(i * 4000, 4000, LONG));
        }
        scene.cluster.world().run(scene.cluster.world().dice("blow").below(60_000));
        nic.overrun();
        deals.forEach(scene::completes);
        untilOut(scene, scene.a, List.of());
        assertTrue(scene.cluster.marks().contains(Mark.MADE_ANEW));
        scene.completes(scene.write(0, 4000));
        scene.reckon();
      }
    }
  }

  @Test
  void whatPeersSendGoesByTheKeysThatTheyWereToldLast() {
    for (long seed = 1; seed <= 20; seed++) {
      try (var scene = scene(seed)) {
        var key = told(scene.b).echo().orElseThrow().of("rdma").getFirst();
        nic(scene, scene.b, 0).overrun();
        var deals = new ArrayList<Deal>();
        for (int i = 0; i < 40; i++) {
          deals.add(scene.write(i % 4 * 4000, 2000));
          scene.run(50);
        }
        deals.forEach(scene::completes);
        untilOut(scene, scene.b, List.of());
        assertNotEquals(key, told(scene.b).echo().orElseThrow().of("rdma").getFirst());
        scene.completes(scene.write(0, 4000));
        scene.reckon();
      }
    }
  }

  @Test
  void aBrokenDeviceWaitsForAnOperator() {
    try (var scene = scene(1)) {
      nic(scene, scene.a, 0).fatal();
      untilOut(scene, scene.a, List.of(0));
      scene.run(20_000);
      assertEquals(List.of(0), out(scene.a));
      scene.completes(scene.write(0, 4000));
      scene.a.restore(0);
      untilOut(scene, scene.a, List.of());
      scene.completes(scene.write(0, 4000));
      scene.reckon();
    }
  }

  private static boolean takesItForOut(Scene scene, int rail) {
    return scene.a.probe().peers().stream()
        .flatMap(peer -> peer.ways().stream())
        .anyMatch(way -> way.host().id().equals("rdma") && way.route().remoteInactive(rail));
  }

  private static void untilTold(Scene scene, boolean out) {
    assertTrue(
        scene.cluster.until(() -> takesItForOut(scene, 0) == out, 25 * Cluster.SECOND),
        () -> "a takes the rail of b for out: " + !out);
  }

  /** For longer than it is told of a change. */
  @Test
  void aPeersRailThatIsBackIsUsedThoughTheNewsOfItWasLost() {
    for (long seed = 1; seed <= 3; seed++) {
      try (var scene = scene(seed)) {
        var nic = nic(scene, scene.b, 0);
        nic.down();
        untilTold(scene, true);
        var net = ((RdmaFabric) scene.cluster.fabric()).net();
        net.silence(scene.b.host(), scene.a.host(), 30 * Cluster.SECOND);
        net.silence(scene.a.host(), scene.b.host(), 30 * Cluster.SECOND);
        nic.restore();
        untilOut(scene, scene.b, List.of());
        scene.run(25_000);
        assertTrue(takesItForOut(scene, 0));
        untilTold(scene, false);
        scene.completes(scene.write(0, 4000));
        scene.reckon();
      }
    }
  }

  @Test
  void aPathThatRestsIsUsedAsSoonAsThePeerSaysThatItsRailIsBack() {
    var slow = Map.<String, Object>of("rail-cooldown", "30 s", "rail-max-cooldown", "60 s");
    try (var scene = Scene.of(Seeds.Kind.RDMA, 1, slow)) {
      scene.completes(scene.write(0, 2000));
      var nic = nic(scene, scene.b, 0);
      var peer = scene.a.probe().peers().getFirst();
      var path = new PathId(peer.remote().name(), peer.generation(), 0, 0);
      BooleanSupplier rests =
          () -> scene.a.guard().rests("rdma", path, scene.cluster.world().now());
      for (int i = 0; i < 20 && !rests.getAsBoolean(); i++) {
        nic.qpNumbers().forEach(nic::breakQp);
        scene.completes(scene.write(0, 2000));
        scene.run(20);
      }
      assertTrue(rests.getAsBoolean());
      nic.down();
      untilTold(scene, true);
      assertTrue(rests.getAsBoolean());
      nic.restore();
      untilTold(scene, false);
      assertFalse(rests.getAsBoolean());
      int before = nic.qps();
      scene.completes(scene.write(0, 4000));
      assertTrue(scene.cluster.until(() -> nic.qps() > before, Cluster.SECOND));
      scene.reckon();
    }
  }

  @Test
  void whatWasSubmittedBeforeAllOfAPeersRailsWereMadeAnewGoesByTheirNewKeys() {
    for (long seed = 1; seed <= 10; seed++) {
      try (var scene = scene(seed)) {
        var deals = new ArrayList<Deal>();
        for (int i = 0; i < 4; i++) {
          deals.add(scene.write(i * 4000, 4000));
        }
        nic(scene, scene.b, 0).overrun();
        nic(scene, scene.b, 1).overrun();
        deals.forEach(scene::completes);
        untilOut(scene, scene.b, List.of());
        scene.completes(scene.write(0, 4000));
        scene.reckon();
      }
    }
  }

  /** More echoes than there are places for. */
  @Test
  void anEchoThatNeverEndsKeepsNoLaterCheckFromItsRail() {
    try (var scene = scene(4)) {
      var nic = nic(scene, scene.a, 0);
      for (int i = 0; i <= EchoRoom.PLACES; i++) {
        nic.down();
        untilOut(scene, scene.a, List.of(0));
        // The write of the loopback is done before the first read of an echo.
        nic.swallowAfter(1, 1);
        nic.restore();
        int checks = scene.a.guard().checks();
        assertTrue(
            scene.cluster.until(() -> scene.a.guard().checks() > checks, 30 * Cluster.SECOND));
        untilOut(scene, scene.a, List.of());
      }
      scene.completes(scene.write(0, 4000));
    }
  }
}
