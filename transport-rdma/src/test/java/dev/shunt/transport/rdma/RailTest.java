package dev.shunt.transport.rdma;

import static dev.shunt.transport.rdma.Pair.MILLI;
import static dev.shunt.transport.rdma.Pair.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Access;
import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.RetireReason;
import dev.shunt.api.spi.TransportException;
import dev.shunt.transport.rdma.testing.TestNode;
import dev.shunt.transport.rdma.testing.TestSlice;
import dev.shunt.transport.rdma.verbs.AsyncEvents;
import dev.shunt.transport.rdma.verbs.Gid;
import dev.shunt.transport.rdma.verbs.VerbsException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What becomes of rails and connections when devices and peers fail. */
class RailTest {
  @Test
  void aPortThatFailsTakesItsChannelsAndNoOthers() {
    var pair = new Pair();
    var first = pair.up();
    var second = pair.up(pair.a.connect(pair.b, 1, 1, SECOND));
    var slice = pair.a.post(first, true, pair.from, pair.to, 0, 100_000);
    pair.nicsA[0].down();
    assertEquals(Blame.LOCAL, pair.down(first).blame());
    assertEquals(Blame.LOCAL, pair.report(slice).blame(), "our rail's fault, and no peer's");
    assertEquals(List.of("inactive mlx5_0: PORT_ERR"), pair.a.railLog);
    pair.carry(second);
    var refused = pair.refused(pair.a.connect(pair.b, 0, 0, SECOND));
    assertEquals(Blame.LOCAL, refused.blame());
    assertEquals(List.of(), pair.b.railLog);
  }

  @Test
  void aPortThatComesBackIsToldOnce() {
    var pair = new Pair();
    pair.nicsA[0].down();
    pair.run(MILLI);
    pair.nicsA[0].restore();
    pair.nicsA[0].event(AsyncEvents.PORT_ACTIVE, 1);
    pair.run(MILLI);
    assertEquals("returned mlx5_0", pair.a.railLog.getLast());
    assertEquals(2, pair.a.railLog.size());
    pair.carry(pair.up());
  }

  @Test
  void aPassiveSideWhosePortFailsLetsGo() {
    var pair = new Pair();
    var link = pair.up();
    pair.nicsB[0].down();
    pair.run(MILLI);
    assertEquals(0, pair.nicsB[0].qps());
    assertEquals(Blame.REMOTE, pair.down(link).blame());
  }

  @Test
  void anotherGidIsPublishedAndItsConnectionsAreMadeAnew() {
    var pair = new Pair();
    var link = pair.up();
    pair.nicsA[0].changeGid(new Gid(0x2001_0db8_0000_0000L, 1));
    assertEquals(Blame.NEUTRAL, pair.down(link).blame());
    assertEquals(
        List.of("changed mlx5_0 20:01:0d:b8:00:00:00:00:00:00:00:00:00:00:00:01"), pair.a.railLog);
    pair.carry(pair.up());
    pair.nicsA[0].event(AsyncEvents.GID_CHANGE, 1);
    pair.run(MILLI);
    assertEquals(1, pair.a.railLog.size(), "the same GID is no news");
  }

  @Test
  void aBrokenQpRetiresItsConnectionOnly() {
    var pair = new Pair();
    var first = pair.up();
    var second = pair.up();
    pair.nicsA[0].breakQp(pair.nicsA[0].qpNumbers().getFirst());
    pair.down(first);
    pair.carry(second);
    assertEquals(List.of(), pair.a.railLog);
  }

  @Test
  void aDeviceThatIsBrokenStaysSo() {
    var pair = new Pair();
    var link = pair.up();
    pair.nicsA[0].event(AsyncEvents.DEVICE_FATAL, 0);
    pair.down(link);
    pair.nicsA[0].event(AsyncEvents.PORT_ACTIVE, 1);
    pair.run(MILLI);
    assertEquals(List.of("inactive mlx5_0: DEVICE_FATAL"), pair.a.railLog);
  }

  @Test
  void anEventThatIsNotKnownChangesNothing() {
    var pair = new Pair();
    var link = pair.up();
    pair.nicsA[0].event(77, 0);
    pair.nicsA[0].event(AsyncEvents.QP_FATAL, 12345);
    pair.nicsA[0].event(AsyncEvents.PORT_ERR, 9);
    pair.run(MILLI);
    assertEquals(List.of(), pair.a.railLog);
    pair.carry(link);
  }

  @Test
  void aPostThatTheDeviceRejectsHasNoEffect() {
    var pair = new Pair();
    var link = pair.up();
    pair.nicsA[0].refusePosts(1);
    var slice = pair.a.post(link, true, pair.from, pair.to, 0, 100);
    var fault = pair.report(slice);
    assertEquals(Blame.LOCAL, fault.blame());
    assertEquals(Fault.Effect.NONE, fault.effect());
    pair.down(link);
  }

  @Test
  void anIdleConnectionToADeadPeerEnds() {
    var pair = new Pair();
    var link = pair.up();
    pair.carry(link);
    pair.run(20 * SECOND);
    assertFalse(pair.a.downs.containsKey(link), "a living peer is left alone");
    pair.processB.die(dev.shunt.api.sim.SimProcess.Death.KILLED);
    assertEquals(Blame.REMOTE, pair.down(link).blame());
  }

  @Test
  void aPlainPeerIsSentNoKeepAlive() {
    var pair = new Pair();
    var link = pair.up(pair.a.connect(pair.b, 0, 0, 0, SECOND));
    pair.processB.die(dev.shunt.api.sim.SimProcess.Death.KILLED);
    pair.run(60 * SECOND);
    assertFalse(pair.a.downs.containsKey(link), "nothing was sent that could fail");
  }

  @Test
  void theRunOfSlicesThatTheDeviceRejectsHasNoEffectBehindTheFirst() {
    var pair = new Pair();
    var channel = pair.a.channels.get(pair.up());
    var slices = new ArrayList<TestSlice>();
    pair.nicsA[0].refusePosts(1);
    while (channel.room() > 0) {
      slices.add(pair.a.postOnly(channel, true, pair.from, pair.to, slices.size() * 64L, 64));
    }
    assertEquals(17, slices.size(), "it ends with the first run, which the next one sends out");
    channel.flush(pair.world.now());
    for (var slice : slices) {
      assertEquals(Fault.Effect.NONE, pair.report(slice).effect());
    }
    pair.down(channel.link().id());
  }

  @Test
  void whatIsNotFlushedWhenItsChannelEndsNeverGoesOut() {
    var pair = new Pair();
    var channel = pair.a.channels.get(pair.up());
    var slice = pair.a.postOnly(channel, true, pair.from, pair.to, 0, 64);
    channel.retire(RetireReason.EVICTED, pair.world.now());
    assertEquals(Fault.Effect.NONE, pair.a.reports.get(slice).effect(), "in this very call");
    channel.flush(pair.world.now());
    pair.down(channel.link().id());
    assertTrue(pair.from.memory().asSlice(0, 64).mismatch(pair.to.memory().asSlice(0, 64)) >= 0);
  }

  @Test
  void aRunOfSlicesStaysWithinTheDepthOfItsQp() {
    var pair = new Pair(Map.of("endpoint.num-qps", 2, "endpoint.max-qp-wr", 8));
    var channel = pair.a.channels.get(pair.up());
    fabricSlow(pair);
    var slices = new ArrayList<TestSlice>();
    for (int run = 0; run < 3; run++) {
      for (int i = 0; i < (run < 2 ? 5 : 6); i++) {
        slices.add(pair.a.postOnly(channel, true, pair.from, pair.to, slices.size() * 64L, 64));
      }
      channel.flush(pair.world.now());
    }
    assertEquals(0, channel.room(), "both QPs are full, of runs that did not fit into one");
    for (var slice : slices) {
      assertEquals(null, pair.report(slice));
    }
    assertEquals(16, channel.room());
  }

  @Test
  void keepAlivesAndSlicesShareAQueue() {
    var pair = new Pair(Map.of("endpoint.max-qp-wr", 2, "endpoint.keep-alive-interval", "10ms"));
    var link = pair.up();
    fabricSlow(pair);
    for (int round = 0; round < 50; round++) {
      pair.run(7 * MILLI);
      var channel = pair.a.channels.get(link);
      assertEquals(4, channel.room());
      TestSlice last = null;
      while (channel.room() > 0) {
        last = pair.a.post(link, true, pair.from, pair.to, 0, 10);
      }
      assertEquals(null, pair.report(last));
      pair.await("all of them", () -> channel.room() == 4);
    }
  }

  @Test
  void channelsOfOneLaneNeverOverrunTheirQueue() {
    var pair = new Pair(Map.of("device.max-cqe", 8));
    var first = pair.a.channels.get(pair.up());
    var second = pair.a.channels.get(pair.up());
    assertEquals(8, first.room());
    for (int i = 0; first.room() > 0; i++) {
      pair.a.post((i % 2 == 0 ? first : second).link().id(), true, pair.from, pair.to, 0, 10);
    }
    assertEquals(0, second.room());
    pair.await("all of them", () -> pair.a.reports.size() == 8);
    assertEquals(8, second.room());
    assertEquals(List.of(), pair.a.railLog);
  }

  private static void fabricSlow(Pair pair) {
    pair.fabric.path(pair.nicsA[0], pair.nicsB[0]).delay(3 * MILLI, MILLI);
  }

  @Test
  void whatNeverDrainsIsKeptAndTooMuchOfItEndsTheRail() {
    var pair = new Pair(Map.of("endpoint.quarantine", 2, "endpoint.drain-timeout", "1s"));
    pair.nicsA[0].keepFlushes(true);
    pair.fabric.path(pair.nicsA[0], pair.nicsB[0]).blackhole();
    for (int i = 1; i <= 3; i++) {
      var link = pair.up();
      var slice = pair.a.post(link, true, pair.from, pair.to, 0, 100);
      pair.a.channels.get(link).retire(RetireReason.STALLED, pair.world.now());
      pair.run(3 * SECOND);
      assertFalse(pair.a.reports.containsKey(slice), "the device may still use its memory");
      assertFalse(pair.a.downs.containsKey(link));
      assertEquals(2 * i, pair.nicsA[0].qps(), "nothing is freed by force");
    }
    assertEquals(1, pair.a.railLog.size());
    assertTrue(pair.a.railLog.getFirst().contains("quarantine"), pair.a.railLog.getFirst());
  }

  @Test
  void aCompletionThatNeverComesHoldsItsSliceUntilTheLaneCloses() {
    var pair = new Pair();
    var link = pair.up();
    pair.nicsA[0].swallowCompletions(1);
    var lost = pair.a.post(link, true, pair.from, pair.to, 0, 100);
    pair.carry(link);
    pair.a.channels.get(link).retire(RetireReason.STALLED, pair.world.now());
    pair.run(60 * SECOND);
    assertFalse(pair.a.reports.containsKey(lost));
    pair.a.close();
    assertEquals(Fault.Effect.POSSIBLE, pair.a.reports.get(lost).effect());
    assertTrue(pair.a.downs.containsKey(link));
  }

  @Test
  void closingLeavesNothingOnTheDevices() {
    var pair = new Pair();
    var link = pair.up();
    pair.up(pair.a.connect(pair.b, 1, 1, SECOND));
    pair.a.connect(pair.b, 0, 1, SECOND);
    pair.a.post(link, true, pair.from, pair.to, 0, 100_000);
    pair.a.close();
    pair.b.close();
    for (var nic : pair.fabric.nics()) {
      assertEquals(0, nic.resources(), nic.name());
    }
  }

  @Test
  void memoryThatCannotBeLockedIsToldWithLimitAndRemedy() {
    var pair = new Pair();
    pair.nicsA[0].refuseRegistrations(VerbsException.ENOMEM);
    var thrown = assertThrows(TransportException.class, () -> Pair.memory(pair.a, Access.LOCAL, 3));
    assertEquals(FailureCode.RESOURCE, thrown.code());
    assertTrue(thrown.getMessage().contains(Pair.MEMORY + " bytes"), thrown.getMessage());
    assertTrue(thrown.getMessage().contains("locked memory"), thrown.getMessage());
  }

  @Test
  void whatOperatorsSeeIsWhatThereIs() {
    var pair = new Pair();
    pair.up();
    pair.nicsA[0].event(77, 0);
    pair.run(MILLI);
    var seen = pair.a.transport().insights();
    assertEquals(
        List.of(
            "device mlx5_0", "port mlx5_0", "device mlx5_1", "port mlx5_1", "events asynchronous"),
        seen.stream().map(it -> it.kind() + " " + it.name()).toList());
    var device = seen.getFirst();
    assertEquals(2, device.counts().get("qps-rts"));
    assertEquals(1, device.counts().get("regions"));
    assertEquals(Pair.MEMORY, device.counts().get("registered-bytes"));
    assertEquals("ACTIVE", seen.get(1).facts().get("state"));
    assertEquals(pair.nicsA[0].gid().toString(), seen.get(1).facts().get("gid"));
    assertEquals(Map.of("event 77", 1L), seen.getLast().counts());
    assertEquals(2, pair.b.transport().insights().getFirst().counts().get("qps-rts"));
    pair.nicsA[0].down();
    pair.run(MILLI);
    seen = pair.a.transport().insights();
    assertEquals("DOWN", seen.get(1).facts().get("state"));
    assertEquals(0, seen.get(1).counts().get("active"));
  }

  @Test
  void contextsOfOneDeviceAreShownUnderNamesOfTheirOwn() {
    var pair = new Pair();
    pair.nicsA[0].ports(2);
    var node = start(pair, Map.of());
    assertEquals(List.of("mlx5_0 0", "mlx5_0:2 1", "mlx5_1 2"), names(node));
    var found = new ArrayList<Optional<Fault>>();
    node.check(1, true, 10 * Pair.SECOND, found);
    for (int i = 0; i < 10_000 && found.isEmpty(); i++) {
      node.turn();
      pair.world.run(MILLI / 10);
    }
    assertEquals(List.of(Optional.empty()), found);
    var seen = node.transport().insights().stream().map(it -> it.kind() + " " + it.name()).toList();
    assertEquals(Set.copyOf(seen).size(), seen.size(), seen::toString);
    assertTrue(seen.contains("device mlx5_0 of mlx5_0:2"), seen::toString);
    assertTrue(seen.contains("device mlx5_1"), seen::toString);
  }

  @Test
  void aRailThatIsLeftOutIsShownWithTheReason() {
    var pair = new Pair();
    pair.nicsA[0].down();
    var seen = start(pair, Map.of()).transport().insights();
    var leftOut = seen.stream().filter(it -> it.kind().equals("left-out")).findFirst();
    assertEquals("mlx5_0", leftOut.orElseThrow().name());
    assertTrue(leftOut.get().facts().get("because").contains("not active"));
  }

  private static TestNode start(Pair pair, Map<String, ?> settings) {
    return new TestNode(
        "c",
        0xc1,
        pair.fabric.verbs(pair.world.process("c"), pair.nicsA),
        pair.world::now,
        new HashMap<>(),
        settings);
  }

  private static List<String> names(TestNode node) {
    return node.rails().stream().map(rail -> rail.name() + " " + rail.index()).toList();
  }

  @Test
  void devicesThatAreNotAskedForAreLeftAlone() {
    var pair = new Pair();
    assertEquals(List.of("mlx5_0 0", "mlx5_1 1"), names(start(pair, Map.of())));
    assertEquals(
        List.of("mlx5_1 0"), names(start(pair, Map.of("devices", List.of("mlx5_1", "none")))));
  }

  @Test
  void aRailThatCannotBeHadIsLeftOutOrRefused() {
    var pair = new Pair();
    pair.nicsA[0].down();
    assertEquals(List.of("mlx5_1 0"), names(start(pair, Map.of())));
    var strict =
        assertThrows(TransportException.class, () -> start(pair, Map.of("strict-rails", true)));
    assertTrue(strict.getMessage().contains("of mlx5_0 is not active"), strict.getMessage());
    pair.nicsA[1].maxMessage(1 << 20);
    var none = assertThrows(TransportException.class, () -> start(pair, Map.of()));
    assertEquals(FailureCode.NO_RAIL, none.code());
    assertEquals(List.of("mlx5_1 0"), names(start(pair, Map.of("max-slice", "1MiB"))));
    var index =
        assertThrows(
            TransportException.class,
            () -> start(pair, Map.of("max-slice", "1MiB", "device.gid-index", 2)));
    assertEquals(FailureCode.NO_RAIL, index.code());
  }
}
