package dev.shunt.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.RemoteRail;
import dev.shunt.api.spi.RetireReason;
import dev.shunt.api.spi.TransportException;
import dev.shunt.api.spi.Verdict;
import dev.shunt.transport.tcp.core.Answer;
import dev.shunt.transport.tcp.core.FrameBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TransportTest {
  private static final long LENGTH = 20_000;

  @Test
  void anotherProcessAtThatAddressIsFoundOut() {
    var town = new Town(1, 2, "");
    var other = new Remote.Node("b", 0xb0, new Verdict(Map.of("tcp.stream", 1)));
    var fault = refused(town, town.a.connect(other, 0, 0, town.b.rail(0), Node.SECOND));
    assertEquals(FailureCode.STALE_GENERATION, fault.code());
    assertEquals(Fault.Blame.NEUTRAL, fault.blame());
    assertTrue(fault.text().contains(Long.toString(0xb1)), fault.text());
  }

  @Test
  void nothingIsSentToAPeerThatDidNotAgree() {
    var town = new Town(1, 2, "");
    var plain = new Remote.Node("b", 0xb1, Verdict.PLAIN);
    var fault = refused(town, town.a.connect(plain, 0, 0, town.b.rail(0), Node.SECOND));
    assertEquals(FailureCode.CAPABILITY, fault.code());
    assertTrue(town.network.paths().isEmpty());
  }

  @Test
  void anotherRailAtThatAddressIsFoundOut() {
    var town = new Town(1, 2, "");
    var mixedUp = new RemoteRail("one", 1, town.b.rail(0).attributes());
    var fault = refused(town, town.a.connect(town.b.remote(), 0, 0, mixedUp, Node.SECOND));
    assertEquals(FailureCode.PROTOCOL, fault.code());
    assertEquals(Fault.Blame.REMOTE, fault.blame());
  }

  @Test
  void whatARemotePublishedIsReadWithCare() {
    var published =
        List.<Map<String, String>>of(
            Map.of(),
            Map.of("address", "10.0.0.2"),
            Map.of("address", "10.0.0.2", "port", "x"),
            Map.of("address", "10.0.0.2", "port", "0"),
            Map.of("address", "10.0.0.2", "port", "65536"),
            Map.of("address", "not a name", "port", "80"),
            Map.of("address", "10.0.0.256", "port", "80"),
            Map.of("address", "", "port", "80"));
    for (var attributes : published) {
      var rail = new RemoteRail("r", 0, attributes);
      var town = new Town(1, 1, "");
      var fault = refused(town, town.a.connect(town.b.remote(), 0, 0, rail, Node.SECOND));
      assertEquals(FailureCode.PROTOCOL, fault.code(), attributes.toString());
    }
  }

  @Test
  void aConnectToSilenceEndsAtItsDeadline() {
    var town = new Town(1, 2, "");
    town.network.path("10.0.0.1", "10.0.0.2").blackhole();
    long deadline = town.world.now() + Node.SECOND;
    var id = town.a.connect(town.b.remote(), 0, 0, town.b.rail(0), Node.SECOND);
    var fault = refused(town, id);
    assertEquals(FailureCode.HANDSHAKE, fault.code());
    assertEquals(Fault.Blame.REMOTE, fault.blame());
    assertTrue(town.world.now() <= deadline + 10_000, "late");
  }

  @Test
  void aBlackHoleIsKnownBeforeTheDeadlineOfTheConnect() {
    var town = new Town(1, 2, "connect-timeout = 2s");
    town.network.path("10.0.0.1", "10.0.0.2").blackhole();
    long since = town.world.now();
    var id = town.a.connect(town.b.remote(), 0, 0, town.b.rail(0), 30 * Node.SECOND);
    var fault = refused(town, id);
    assertEquals(FailureCode.HANDSHAKE, fault.code());
    assertEquals(Fault.Blame.REMOTE, fault.blame());
    assertTrue(town.world.now() - since < 2.1 * Node.SECOND, "late");
  }

  @Test
  void aPeerThatStandsStillIsSilentAndItsPathIsNotCharged() {
    var town = new Town(1, 2, "handshake-timeout = 2s");
    town.b.process.freeze();
    long since = town.world.now();
    var id = town.a.connect(town.b.remote(), 0, 0, town.b.rail(0), 30 * Node.SECOND);
    var fault = refused(town, id);
    assertEquals(FailureCode.UNREACHABLE, fault.code());
    assertEquals(Fault.Blame.NEUTRAL, fault.blame());
    assertTrue(town.world.now() - since < 2.1 * Node.SECOND, "late");
  }

  @Test
  void aHandshakeThatIsCutIsThePaths() {
    var town = new Town(1, 1, "");
    town.b.process.freeze();
    var id = town.a.connect(town.b.remote(), 0, 0, town.b.rail(0), 30 * Node.SECOND);
    town.world.run(Node.SECOND);
    town.network.path("10.0.0.1", "10.0.0.2").cut();
    var fault = refused(town, id);
    assertEquals(FailureCode.HANDSHAKE, fault.code());
    assertEquals(Fault.Blame.REMOTE, fault.blame());
  }

  @Test
  void anAnswerThatGrantsWhatWasNotAskedForIsRefused() {
    var welcome = Answer.Status.WELCOME;
    var strange =
        List.of(
            new Answer(1, 1, 0, welcome, 1000, 0xb1, 4096),
            new Answer(1, 1, 0, welcome, 0, 0xb1, 4096),
            new Answer(1, 1, 0, welcome, 8, 0xb1, 0),
            new Answer(1, 1, 0, welcome, 8, 0xb1, 1L << 40),
            new Answer(1, 1, 1, welcome, 8, 0xb1, 4096),
            new Answer(1, 1, 0, Answer.Status.UNKNOWN, 8, 0xb1, 4096));
    for (var answer : strange) {
      var town = new Town(1, 1, "");
      var buffer = new FrameBuffer(Arena.ofAuto().allocate(256));
      answer.encode(buffer, 0);
      assertEquals(FailureCode.PROTOCOL, answered(town, buffer.memory()).code(), answer.toString());
    }
    var nonsense = Arena.ofAuto().allocate(256);
    assertEquals(FailureCode.PROTOCOL, answered(new Town(1, 1, ""), nonsense).code());
  }

  /** What a node makes of somebody who answers its preamble so. */
  private static Fault answered(Town town, MemorySegment bytes) {
    var process = town.hostB.start("other");
    var loop = town.hostB.wires(process).open("loop");
    process.actor("other", loop::poll);
    var server =
        loop.listen(
            new InetSocketAddress("10.0.0.2", 0),
            (wire, _) -> {
              wire.write(bytes, 0, Answer.LENGTH);
              return new Stranger();
            });
    loop.wake();
    var port = Integer.toString(server.address().getPort());
    var rail = new RemoteRail("r", 0, Map.of("address", "10.0.0.2", "port", port));
    town.network.partial(0);
    return refused(town, town.a.connect(town.b.remote(), 0, 0, rail, Node.SECOND));
  }

  @Test
  void aPeerThatIsNotThereIsToldAndOneThatComesIsReached() {
    var town = new Town(1, 1, "");
    var host = town.network.host("c", "10.0.0.3");
    var config = Town.config("rails = [{ address = \"10.0.0.3\", port = 4000 }]");
    var rail = new RemoteRail("r", 0, Map.of("address", "10.0.0.3", "port", "4000"));
    var later = new Remote.Node("c", 0xc1, new Verdict(Map.of("tcp.stream", 2)));
    var fault = refused(town, town.a.connect(later, 0, 0, rail, Node.SECOND));
    assertEquals(FailureCode.CONNECTION, fault.code());
    assertEquals(Fault.Blame.REMOTE, fault.blame());
    var node = new Node(town.world, host, 0xc1, 1, config);
    var id = town.a.connect(later, 0, 0, rail, Node.SECOND);
    var channel = town.a.lanes.get(0).await(id);
    assertTrue(town.completes(town.post(channel, node, 1, LENGTH)));
  }

  @Test
  void streamsOfARailAreBoundedAndComeBack() {
    var town = new Town(1, 1, "max-inbound-streams = 2");
    var first = town.up(town.a, town.b, 0, 0);
    town.up(town.a, town.b, 0, 0);
    var fault = refused(town, town.a.connect(town.b, 0, 0));
    assertEquals(FailureCode.CONNECTION, fault.code());
    assertTrue(fault.text().contains("max-inbound-streams"), fault.text());
    town.up(town.a, town.b, 0, 1);
    first.retire(RetireReason.EVICTED, town.world.now());
    town.world.run(Node.SECOND);
    town.up(town.a, town.b, 0, 0);
  }

  @Test
  void aRequestThatStandsStillLetsGoOfItsMemory() {
    var town = new Town(1, 2, "inbound-progress-timeout = 2s");
    var channel = town.up(town.a, town.b, 0, 0);
    var write = town.post(channel, town.b, 1, 100_000);
    assertTrue(town.until(() -> town.b.memory.leases == 1));
    town.network.path("10.0.0.1", "10.0.0.2").hold();
    town.world.run(Node.SECOND);
    assertEquals(1, town.b.memory.leases);
    town.world.run(3 * Node.SECOND);
    assertEquals(0, town.b.memory.leases);
    town.network.path("10.0.0.1", "10.0.0.2").release();
    assertTrue(town.until(write::ended));
    assertEquals(Fault.Effect.POSSIBLE, write.fault.effect());
  }

  @Test
  void anIdleStreamStays() {
    var town = new Town(1, 2, "inbound-progress-timeout = 2s, handshake-timeout = 1s");
    var channel = town.up(town.a, town.b, 0, 0);
    town.world.run(100 * Node.SECOND);
    assertTrue(town.completes(town.post(channel, town.b, 1, LENGTH)));
  }

  @Test
  void aRetiredChannelReportsItsSlicesThenItsEndAndNothingFromWithinTheCall() {
    var town = new Town(1, 1, "");
    var channel = town.up(town.a, town.b, 0, 0);
    var write = town.post(channel, town.b, 1, 100_000);
    channel.retire(RetireReason.STALLED, town.world.now());
    assertFalse(write.ended());
    assertEquals(0, channel.room());
    channel.retire(RetireReason.CLOSED, town.world.now());
    channel.flush(town.world.now());
    assertFalse(channel.fence(new LinkId(0xa1, 99), town.world.now()));
    assertTrue(town.until(() -> Town.isDown(town.a, 0, channel.link().id())));
    assertEquals(Fault.Blame.NEUTRAL, write.fault.blame());
    assertEquals(FailureCode.CONNECTION, write.fault.code());
  }

  @Test
  void aClosedLaneLeavesNothingUnanswered() {
    var town = new Town(1, 1, "");
    var channel = town.up(town.a, town.b, 0, 0);
    var write = town.post(channel, town.b, 1, 100_000);
    var dialing = town.a.connect(town.b, 0, 1);
    town.world.run(10_000);
    var lane = town.a.lanes.get(0);
    lane.driver().close(town.world.now());
    assertTrue(write.ended());
    assertEquals(FailureCode.CLOSED, lane.down.get(channel.link().id()).code());
    assertEquals(FailureCode.CLOSED, lane.failed.get(dialing).code());
    var late = town.a.connect(town.b, 0, 1);
    assertEquals(FailureCode.CLOSED, refused(town, late).code());
    town.world.run(Node.SECOND);
    assertEquals(0, town.b.memory.leases);
  }

  @Test
  void aNodeThatClosesSaysSo() {
    var town = new Town(1, 1, "");
    var channel = town.up(town.a, town.b, 0, 0);
    town.b.lanes.get(0).driver().close(town.world.now());
    town.b.transport.close();
    assertTrue(town.until(() -> Town.isDown(town.a, 0, channel.link().id())));
    var fault = town.a.lanes.get(0).down.get(channel.link().id());
    assertEquals(FailureCode.CONNECTION, fault.code());
    assertTrue(fault.text().contains("closes"), fault.text());
  }

  @Test
  void aRailThatCannotBeHadIsLeftOut() {
    var town = new Town(1, 1, "");
    var host = town.network.host("c", "10.0.0.3");
    var some = Town.config("", "10.0.9.9", "10.0.0.3");
    var node = new Node(town.world, host, 0xc1, 2, some);
    assertEquals(1, node.rails.size());
    assertEquals("10.0.0.3", node.rails.getFirst().name());
    assertEquals(0, node.rails.getFirst().index());
    assertTrue(town.completes(town.post(town.up(town.a, node, 0, 0), node, 1, LENGTH)));

    var strict = Town.config("strict-rails = true", "10.0.9.9", "10.0.0.3");
    assertThrows(TransportException.class, () -> new Node(town.world, host, 0xc2, 2, strict));
    var none = Town.config("", "10.0.9.9", "10.0.9.8");
    assertThrows(TransportException.class, () -> new Node(town.world, host, 0xc3, 2, none));
  }

  @Test
  void nodesThatFloodEachOtherDoNotStandStill() {
    for (long seed = 1; seed <= 20; seed++) {
      var town = new Town(seed, 1, "depth = 32");
      var toB = town.up(town.a, town.b, 0, 0);
      var toA = town.up(town.b, town.a, 0, 0);
      var writes = new ArrayList<Write>();
      while (toB.room() > 0) {
        writes.add(town.post(toB, town.b, 1, LENGTH));
        writes.add(town.post(toA, town.a, 2, LENGTH));
      }
      assertEquals(64, writes.size());
      for (var write : writes) {
        assertTrue(town.completes(write), "seed " + seed);
      }
    }
  }

  private static Fault refused(Town town, LinkId id) {
    var lane = town.a.lanes.get(0);
    assertTrue(town.until(() -> lane.failed.containsKey(id) || lane.up.containsKey(id)));
    assertTrue(lane.failed.containsKey(id), "it is up");
    return lane.failed.get(id);
  }
}
