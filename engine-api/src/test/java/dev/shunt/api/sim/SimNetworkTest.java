package dev.shunt.api.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.TransportException;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimNetworkTest {
  private static final long SECOND = 1_000_000_000L;
  private static final int PORT = 7000;

  private World world;
  private SimNetwork network;
  private SimHost hostA;
  private SimHost hostB;
  private Peer a;
  private Peer b;

  private void build(long seed) {
    world = new World(seed);
    network = new SimNetwork(world);
    hostA = network.host("a", "10.0.0.1", "10.0.1.1");
    hostB = network.host("b", "10.0.0.2", "10.0.1.2");
    a = new Peer(hostA, "a#1");
    b = new Peer(hostB, "b#1");
    b.listen("0.0.0.0", PORT);
  }

  private void connected(long seed) {
    build(seed);
    a.connect("10.0.0.1", "10.0.0.2", PORT);
    assertTrue(world.runUntil(() -> !b.wires.isEmpty() && a.events.contains("connected"), SECOND));
  }

  private void fill() {
    var dice = new Dice(99);
    for (long i = 0; i < a.outbox.byteSize(); i += 8) {
      a.outbox.set(ValueLayout.JAVA_LONG, i, dice.next());
    }
  }

  private long differences(long bytes) {
    long count = 0;
    for (long i = 0; i < bytes; i++) {
      if (a.outbox.get(ValueLayout.JAVA_BYTE, i) != b.inbox.get(ValueLayout.JAVA_BYTE, i)) {
        count++;
      }
    }
    return count;
  }

  @Test
  void bytesArriveInOrderWhateverTheSeed() {
    for (long seed = 0; seed < 200; seed++) {
      connected(seed);
      fill();
      network.path("10.0.0.1", "10.0.0.2").lose(20);
      a.send(300_000 + seed);
      long end = 300_000 + seed;
      assertTrue(world.runUntil(() -> b.received == end, 600 * SECOND), "seed " + seed);
      assertEquals(0, differences(end), "seed " + seed);
    }
  }

  @Test
  void aSeedReplays() {
    assertEquals(hash(11), hash(11));
    assertNotEquals(hash(11), hash(12));
  }

  @Test
  void aSeedIsTheSameInEveryJvm() {
    // Changes with the network's own code, and with nothing else.
    assertEquals("f9614a3144e887b8", Long.toHexString(hash(11)));
  }

  private long hash(long seed) {
    connected(seed);
    a.send(200_000);
    b.send(100_000);
    assertTrue(world.runUntil(() -> a.received == 100_000 && b.received == 200_000, SECOND));
    return world.trace().hash();
  }

  @Test
  void aReaderThatRestsHoldsTheWriterUp() {
    connected(1);
    b.take(false);
    a.send(1 << 20);
    world.run(SECOND);
    assertTrue(a.sent > 0 && a.sent <= 128 << 10, "sent " + a.sent);
    assertEquals(0, b.received);
    b.take(true);
    assertTrue(world.runUntil(() -> b.received == 1 << 20, SECOND));
  }

  @Test
  void nobodyListensThenItIsRefused() {
    build(1);
    a.connect("10.0.0.1", "10.0.0.2", PORT + 1);
    assertTrue(world.runUntil(() -> a.broke != null, SECOND));
    assertTrue(a.broke.getMessage().contains("refused"), a.broke.getMessage());
  }

  @Test
  void aBlackHoleAnswersNothingUntilTheKernelGivesUp() {
    build(1);
    network.path("10.0.0.1", "10.0.0.2").blackhole();
    a.connect("10.0.0.1", "10.0.0.2", PORT);
    world.run(126 * SECOND);
    assertEquals(List.of(), a.events);
    world.run(2 * SECOND);
    assertEquals(List.of("failed"), a.events);
  }

  @Test
  void aConnectThroughAHealedBlackHoleSucceedsAtTheNextTry() {
    build(1);
    network.path("10.0.0.1", "10.0.0.2").blackhole();
    a.connect("10.0.0.1", "10.0.0.2", PORT);
    world.run(SECOND / 2);
    network.path("10.0.0.1", "10.0.0.2").heal();
    assertTrue(world.runUntil(() -> a.events.contains("connected"), SECOND));
  }

  @Test
  void anAddressThatIsNobodysIsRefusedAtOnce() {
    build(1);
    assertEquals(
        FailureCode.DEVICE,
        assertThrows(TransportException.class, () -> a.connect("10.0.0.9", "10.0.0.2", PORT))
            .code());
    assertEquals(
        FailureCode.RESOURCE,
        assertThrows(TransportException.class, () -> b.listen("10.0.0.2", PORT)).code());
  }

  @Test
  void whatTheNetworkHoldsArrivesLateEvenIfTheSenderHasGivenUp() {
    connected(1);
    var path = network.path("10.0.0.1", "10.0.0.2");
    path.hold();
    a.send(1000);
    world.run(SECOND);
    a.wires.getFirst().abort();
    world.run(SECOND);
    assertEquals(0, b.received);
    path.release();
    assertTrue(world.runUntil(() -> b.broke != null, SECOND));
    assertEquals(1000, b.received);
  }

  @Test
  void whatABlackHoleSwallowedIsSentAgainUnlessTheSenderHasGivenUp() {
    connected(1);
    var path = network.path("10.0.0.1", "10.0.0.2");
    path.blackhole();
    a.send(1000);
    world.run(SECOND);
    path.heal();
    assertTrue(world.runUntil(() -> b.received == 1000, 2 * SECOND));
    path.blackhole();
    a.send(1000);
    world.run(SECOND / 10);
    a.wires.getFirst().abort();
    world.run(SECOND);
    path.heal();
    world.run(60 * SECOND);
    assertEquals(1000, b.received);
  }

  @Test
  void aClosedWireStillDeliversWhatWasWritten() {
    connected(1);
    a.send(3000);
    world.runUntil(() -> a.sent == 3000, SECOND);
    a.wires.getFirst().close();
    assertTrue(world.runUntil(() -> b.ended, SECOND));
    assertEquals(3000, b.received);
  }

  @Test
  void aCutBreaksBothEnds() {
    connected(1);
    network.path("10.0.0.1", "10.0.0.2").cut();
    world.run(SECOND);
    assertTrue(a.broke != null && b.broke != null);
    assertEquals(0, network.open().size());
    a.connect("10.0.0.1", "10.0.0.2", PORT);
    assertTrue(world.runUntil(() -> b.wires.size() == 2, SECOND));
  }

  @Test
  void anEndThatForgotItsConnectionAnswersWithAReset() {
    connected(1);
    ((SimWire) a.wires.getFirst()).halfOpen();
    world.run(SECOND);
    assertTrue(a.broke != null);
    assertEquals(null, b.broke);
    b.send(10);
    world.run(SECOND);
    assertTrue(b.broke != null);
  }

  @Test
  void aCorruptPacketHasOneBitWrong() {
    connected(1);
    fill();
    network.path("10.0.0.1", "10.0.0.2").corrupt(1);
    a.send(5000);
    assertTrue(world.runUntil(() -> b.received == 5000, SECOND));
    assertEquals(1, differences(5000));
  }

  @Test
  void aDuplicateConnectIsAcceptedAndIsNobody() {
    build(1);
    network.path("10.0.0.1", "10.0.0.2").duplicateConnects(1);
    a.connect("10.0.0.1", "10.0.0.2", PORT);
    world.run(SECOND);
    assertEquals(2, b.events.stream().filter("accepted"::equals).count());
    assertTrue(b.broke != null);
    a.send(100);
    world.run(SECOND);
    assertEquals(100, b.received);
  }

  @Test
  void theKernelOfAFrozenProcessTakesBytesUpToItsBuffer() {
    connected(1);
    b.process.freeze();
    a.send(1 << 20);
    world.run(SECOND);
    long taken = a.sent;
    assertTrue(taken > 0 && taken <= 128 << 10);
    assertEquals(0, b.received);
    a.connect("10.0.0.1", "10.0.0.2", PORT);
    world.run(SECOND);
    assertEquals(2, a.events.stream().filter("connected"::equals).count());
    b.process.thaw();
    assertTrue(world.runUntil(() -> b.received == 1 << 20, SECOND));
  }

  @Test
  void aKilledProcessEndsItsStreamsAndItsPortIsFree() {
    connected(1);
    b.process.die(SimProcess.Death.KILLED);
    world.run(SECOND);
    assertTrue(a.ended);
    b = new Peer(hostB, "b#2");
    b.listen("0.0.0.0", PORT);
    a.connect("10.0.0.1", "10.0.0.2", PORT);
    assertTrue(world.runUntil(() -> b.events.contains("accepted"), SECOND));
  }

  @Test
  void aHostWithoutPowerIsSilentAndItsSuccessorResets() {
    connected(1);
    hostB.powerOff(b.process);
    a.send(1000);
    world.run(3 * SECOND);
    assertFalse(a.ended);
    assertEquals(null, a.broke);
    b = new Peer(hostB, "b#2");
    assertTrue(world.runUntil(() -> a.broke != null, 10 * SECOND));
  }

  @Test
  void anUnpluggedRailIsSilentWhileTheOtherWorks() {
    connected(1);
    hostA.rail(0).unplug();
    a.send(1000);
    a.connect("10.0.1.1", "10.0.1.2", PORT);
    world.run(SECOND);
    assertEquals(0, b.received);
    assertEquals(2, b.events.stream().filter("accepted"::equals).count());
    hostA.rail(0).plug();
    assertTrue(world.runUntil(() -> b.received == 1000, 10 * SECOND));
  }

  @Test
  void theLogHearsOfEachByteThatIsRead() {
    connected(1);
    var total = new long[1];
    world
        .memory()
        .add(
            (who, into, offset, length, now) -> {
              assertTrue(into == b.inbox);
              assertEquals(total[0], offset);
              assertEquals(world.now(), now);
              total[0] += length;
            });
    a.send(100_000);
    assertTrue(world.runUntil(() -> b.received == 100_000, SECOND));
    assertEquals(100_000, total[0]);
  }

  @Test
  void bandwidthAndLatencyAreKept() {
    connected(1);
    var path = network.path("10.0.0.1", "10.0.0.2");
    path.delay(SECOND, 0);
    path.bandwidth(100_000);
    long start = world.now();
    a.send(4000);
    assertTrue(world.runUntil(() -> b.received == 4000, 10 * SECOND));
    long took = world.now() - start;
    assertTrue(took > SECOND + SECOND / 25 && took < SECOND + SECOND / 20, "took " + took);
  }
}
