package dev.shunt.runtime.control;

import static dev.shunt.runtime.control.TwoNodes.B;
import static dev.shunt.runtime.control.TwoNodes.ECHO;
import static dev.shunt.runtime.control.TwoNodes.SECOND;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.sim.SimProcess.Death;
import dev.shunt.api.spi.TransportException;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ServeTest {
  private TwoNodes nodes;
  private RawPeer client;

  private void connected(long seed) {
    nodes = new TwoNodes(seed);
    client = new RawPeer(nodes.hostA, "raw");
    client.connect("10.0.0.1", "10.0.0.2", TwoNodes.PORT);
  }

  private static byte[] hex(String payload) {
    return Transcript.bytes(payload, Map.of());
  }

  /** A request of function 200 (the echo), 201, ... with a one-letter attachment. */
  private static byte[] request(int sequence, int function, char letter) {
    return hex(
        "15000000 %02x000000 0d6674ff 08000000 01000000 0840a555 %02x000000 %02x"
            .formatted(sequence, function, (int) letter));
  }

  private static String reply(int sequence, char letter) {
    return "15000000%02x0000000400000001000000eacf0189%02x".formatted(sequence, (int) letter);
  }

  private String got() {
    return HexFormat.of().formatHex(client.received.toByteArray());
  }

  @Test
  void pipelinedRequestsAreAnsweredInTheirOrder() {
    for (long seed = 0; seed < 50; seed++) {
      connected(seed);
      var late = new ArrayList<ControlReply>();
      nodes.b.serve(201, (request, peer, reply) -> late.add(reply));
      var all = new ByteArrayOutputStream();
      all.writeBytes(request(1, 201, 'a'));
      all.writeBytes(request(2, ECHO, 'b'));
      all.writeBytes(request(3, 201, 'c'));
      all.writeBytes(request(4, ECHO, 'd'));
      client.send(all.toByteArray());
      assertTrue(nodes.world.runUntil(() -> nodes.served.size() == 2 && late.size() == 2, SECOND));
      nodes.world.run(SECOND);
      assertEquals("", got(), "the first is not answered yet");
      late.get(1).send(new byte[] {'c'});
      nodes.world.run(SECOND);
      assertEquals("", got());
      late.get(0).send(new byte[] {'a'});
      late.get(0).send(new byte[] {'x'});
      nodes.world.run(SECOND);
      assertEquals(
          reply(1, 'a') + reply(2, 'b') + reply(3, 'c') + reply(4, 'd'), got(), "seed " + seed);
    }
  }

  @Test
  void aHandlerThatAnswersOverAndOverDrownsNobody() {
    connected(1);
    var late = new ArrayList<ControlReply>();
    nodes.b.serve(201, (request, peer, reply) -> late.add(reply));
    client.send(request(0, 201, 'a'));
    client.send(request(1, 201, 'b'));
    assertTrue(nodes.world.runUntil(() -> late.size() == 2, SECOND));
    for (int i = 0; i < 100_000; i++) {
      late.get(0).send(new byte[] {'a'});
    }
    late.get(1).send(new byte[] {'b'});
    nodes.world.run(SECOND);
    assertEquals(reply(0, 'a') + reply(1, 'b'), got());
  }

  @Test
  void aPeerThatAsksAndAsksIsReadNoFurtherThanItMay() {
    connected(1);
    var waiting = new ArrayList<ControlReply>();
    nodes.b.serve(201, (request, peer, reply) -> waiting.add(reply));
    for (int i = 0; i < 30; i++) {
      client.send(request(i, 201, 'q'));
    }
    nodes.world.run(SECOND);
    assertEquals(8, waiting.size(), "rpc.max-pending");
    for (int i = 0; i < 30; i++) {
      int next = i;
      assertTrue(nodes.world.runUntil(() -> waiting.size() > next, SECOND));
      waiting.get(i).send(new byte[] {'r'});
    }
    nodes.world.run(SECOND);
    assertEquals(30 * 21, client.received.size());
  }

  @Test
  void aPeerThatDoesNotReadStopsItselfAndIsDroppedInTheEnd() {
    connected(2);
    nodes.b.serve(
        202,
        (request, peer, reply) -> {
          nodes.served.add("large");
          reply.send(new byte[100_000]);
        });
    client.reads(false);
    for (int i = 0; i < 100; i++) {
      client.send(request(i, 202, 'q'));
    }
    nodes.world.run(SECOND);
    assertTrue(nodes.served.size() <= 3, nodes.served.size() + " answers wait");
    assertEquals(1, nodes.b.inboundConnections());
    nodes.world.run(6 * SECOND);
    assertEquals(0, nodes.b.inboundConnections(), "rpc.progress-timeout");
  }

  @Test
  void aSlowReaderGetsEverything() {
    connected(3);
    nodes.b.serve(202, (request, peer, reply) -> reply.send(new byte[100_000]));
    for (int i = 0; i < 20; i++) {
      client.send(request(i, 202, 'q'));
    }
    for (int i = 0; i < 200; i++) {
      client.reads(i % 2 == 0);
      nodes.world.run(SECOND / 100);
    }
    assertEquals(20 * 100_020, client.received.size());
  }

  @Test
  void aHalfFrameHasADeadlineAndAnIdleConnectionHasNone() {
    for (int sent : List.of(1, 10, 20, 24, 28)) {
      connected(4);
      var frame = hex("15000000 00000000 0d6674ff 08000000 05000000 0840a555 c8000000 0102");
      client.send(request(0, ECHO, 'a'));
      nodes.world.run(100 * SECOND);
      assertEquals(1, nodes.b.inboundConnections(), "it rests between frames");
      client.send(java.util.Arrays.copyOf(frame, sent));
      nodes.world.run(4 * SECOND);
      assertEquals(1, nodes.b.inboundConnections());
      nodes.world.run(2 * SECOND);
      assertEquals(0, nodes.b.inboundConnections(), sent + " bytes");
      assertTrue(client.ended || client.broke);
    }
  }

  @Test
  void aByteAtATimeDoesNotBuyMoreTime() {
    connected(5);
    client.send(hex("15000000 00000000 0d6674ff 08000000 ff000000 0840a555 c8000000"));
    for (int i = 0; i < 6; i++) {
      nodes.world.run(SECOND);
      client.send(new byte[1]);
    }
    nodes.world.run(SECOND);
    assertEquals(0, nodes.b.inboundConnections());
  }

  @Test
  void aLargeRequestThatMovesOnIsNotCutOff() {
    connected(6);
    nodes.network.path("10.0.0.1", "10.0.0.2").bandwidth(30_000);
    var ending = nodes.call(B.subList(0, 1), ECHO, new byte[600_000], 100 * SECOND);
    assertTrue(nodes.until(ending, 100 * SECOND));
    assertEquals(600_000, ending.reply.length, "20 s, with a progress timeout of 5 s");
  }

  @Test
  void aLengthAboveTheLimitIsRefusedInWordsAndCostsNothing() {
    for (var lengths :
        List.of(
            "08000000 ffffffff", "ffffffff 00000000", "ffffffff ffffffff", "08000000 01001000")) {
      connected(7);
      client.send(hex("15000000 2a000000 0d6674ff " + lengths));
      assertTrue(nodes.world.runUntil(() -> client.ended || client.broke, SECOND), lengths);
      var answer = client.received.toByteArray();
      assertEquals("15000e002a000000", HexFormat.of().formatHex(answer, 0, 8), lengths);
      assertTrue(new String(answer, UTF_8).contains("bytes of "), lengths);
      assertEquals(0, nodes.b.inboundConnections());
    }
  }

  @Test
  void aHandlerThatThrowsCostsItsRequestAndNothingElse() {
    connected(8);
    nodes.b.serve(
        203,
        (request, peer, reply) -> {
          throw new IllegalStateException("a defect");
        });
    client.send(request(0, 203, 'a'));
    client.send(request(1, ECHO, 'b'));
    assertTrue(nodes.world.runUntil(() -> got().endsWith(reply(1, 'b')), SECOND));
    assertTrue(new String(client.received.toByteArray(), UTF_8).contains("INTERNAL: "));
  }

  @Test
  void aHandlerThatDoesNotAnswerIsAnsweredFor() {
    connected(9);
    var late = new ArrayList<ControlReply>();
    nodes.b.serve(201, (request, peer, reply) -> late.add(reply));
    var ending = nodes.call(B, 201, new byte[0], 60 * SECOND);
    assertTrue(nodes.until(ending, 11 * SECOND), "rpc.request-timeout");
    assertEquals(FailureCode.DEADLINE, ending.code());
    assertEquals(3, ending.fault.vendorCode());
    late.getFirst().send(new byte[0]);
    nodes.world.run(SECOND);
    assertEquals("after", after());
  }

  private String after() {
    var ending = nodes.call(B, "after", SECOND);
    assertTrue(nodes.until(ending, SECOND));
    return ending.text();
  }

  @Test
  void tooManyConnectionsCostTheOneThatIsLongestIdle() {
    nodes = new TwoNodes(10);
    var peers = new ArrayList<RawPeer>();
    for (int i = 0; i < 70; i++) {
      var peer = new RawPeer(nodes.hostA, "raw " + i);
      peer.connect("10.0.0.1", "10.0.0.2", TwoNodes.PORT);
      peer.send(request(i, ECHO, 'a'));
      peers.add(peer);
      nodes.world.run(SECOND / 100);
      assertTrue(nodes.b.inboundConnections() <= 64);
    }
    nodes.world.run(SECOND);
    for (int i = 0; i < 70; i++) {
      assertEquals(i < 6, peers.get(i).broke || peers.get(i).ended, "peer " + i);
    }
  }

  @Test
  void aCrowdOfHalfFramesShutsNobodyOut() {
    nodes = new TwoNodes(15);
    nodes.b.serve(201, (request, peer, reply) -> {});
    var resting = new RawPeer(nodes.hostA, "resting");
    resting.connect("10.0.0.1", "10.0.0.2", TwoNodes.PORT);
    resting.send(request(0, ECHO, 'a'));
    nodes.world.run(SECOND);
    for (int i = 0; i < 1000; i++) {
      var peer = new RawPeer(nodes.hostA, "half " + i);
      peer.connect("10.0.0.1", "10.0.0.2", TwoNodes.PORT);
      peer.send(hex("150000"));
      nodes.world.run(SECOND / 1000);
      if (i % 100 == 99) {
        var good = new RawPeer(nodes.hostA, "good " + i);
        good.connect("10.0.0.1", "10.0.0.2", TwoNodes.PORT);
        good.send(request(1, ECHO, 'g'));
        assertTrue(nodes.world.runUntil(() -> good.received.size() > 0, SECOND / 100), "at " + i);
      }
    }
    assertEquals(64, nodes.b.inboundConnections());
    assertFalse(resting.broke || resting.ended, "one that ever asked goes after those");
  }

  @Test
  void halfMessagesTakeNoMoreOfTheHeapThanTheyMayAndSmallOnesComeThrough() {
    nodes = new TwoNodes(16);
    var stuck = new ArrayList<RawPeer>();
    for (int i = 0; i < 30; i++) {
      var peer = new RawPeer(nodes.hostA, "half " + i);
      peer.connect("10.0.0.1", "10.0.0.2", TwoNodes.PORT);
      peer.send(
          hex("15000000 %02x000000 0d6674ff 08000000 00001000 0840a555 c8000000".formatted(i)));
      peer.send(new byte[500_000]);
      stuck.add(peer);
    }
    nodes.world.run(SECOND / 2);
    assertTrue(nodes.b.buffered() <= 4 << 20, () -> "" + nodes.b.buffered());
    assertTrue(nodes.b.buffered() > 2 << 20, () -> "" + nodes.b.buffered());
    var small = nodes.call(B, ECHO, new byte[100_000], SECOND);
    assertTrue(nodes.until(small, SECOND));
    assertEquals(100_000, small.reply.length);
    int refused = 0;
    for (var peer : stuck) {
      peer.send(new byte[(1 << 20) - 500_000]);
    }
    nodes.world.run(SECOND);
    for (var peer : stuck) {
      var text = new String(peer.received.toByteArray(), UTF_8);
      refused += text.contains("RESOURCE: ") && text.contains("rpc.max-buffered") ? 1 : 0;
    }
    assertTrue(refused > 15 && refused < 30, refused + " were refused");
    assertEquals(0, nodes.b.buffered());
  }

  @Test
  void aPeerThatDiesLeavesNothing() {
    connected(11);
    nodes.b.serve(201, (request, peer, reply) -> {});
    client.send(request(0, 201, 'a'));
    nodes.world.run(SECOND / 10);
    client.process.die(Death.KILLED);
    nodes.world.run(12 * SECOND);
    assertEquals(0, nodes.b.inboundConnections());
  }

  @Test
  void anAnswerAboveTheLimitIsAnError() {
    nodes = new TwoNodes(12);
    nodes.b.serve(202, (request, peer, reply) -> reply.send(new byte[(1 << 20) + 1]));
    var ending = nodes.call(B, 202, new byte[0], SECOND);
    assertTrue(nodes.until(ending, SECOND));
    assertEquals(FailureCode.RESOURCE, ending.code());
  }

  @Test
  void aTakenPortIsToldAtOnceAndALostRailIsLeftOut() {
    nodes = new TwoNodes(13);
    var other =
        new ControlService(
            "other", TwoNodes.options(), new VirtualPlatform(nodes.world, nodes.hostB, "other"));
    assertThrows(TransportException.class, () -> other.listen(TwoNodes.at("10.0.0.2")));
    var where =
        other.listen(
            List.of(
                new java.net.InetSocketAddress("10.0.0.2", 0),
                new java.net.InetSocketAddress("10.8.8.8", 7000)));
    assertEquals(1, where.size());
    assertTrue(where.getFirst().getPort() > 0);
  }

  @Test
  void whatMustBeQuickWaitsBehindNothingElse() {
    nodes = new TwoNodes(14);
    var held = new ArrayList<ControlReply>();
    nodes.b.serve(4, (request, peer, reply) -> held.add(reply));
    nodes.b.serve(6, (request, peer, reply) -> reply.send(request));
    var where = B.subList(0, 1);
    nodes.b.serve(201, (request, peer, reply) -> held.add(reply));
    for (int i = 0; i < 10; i++) {
      nodes.call(where, 4, new byte[16], 9 * SECOND);
      nodes.call(where, 201, new byte[16], 9 * SECOND);
    }
    nodes.world.run(SECOND);
    assertEquals(8, held.size());
    var probe = nodes.call(where, 6, new byte[0], SECOND / 10);
    assertTrue(nodes.until(probe, SECOND / 10));
    assertEquals(0, probe.reply.length);
    assertFalse(held.isEmpty());
  }
}
