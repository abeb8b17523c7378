package dev.shunt.transport.rdma;

import static dev.shunt.transport.rdma.Pair.MILLI;
import static dev.shunt.transport.rdma.Pair.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Access;
import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.RetireReason;
import dev.shunt.transport.rdma.testing.TestMemory;
import dev.shunt.transport.rdma.testing.TestSlice;
import dev.shunt.transport.rdma.wire.BootstrapCodec;
import dev.shunt.transport.rdma.wire.BootstrapDesc;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** With a plain peer there is one connection on a path, whoever asks for it, and it serves both. */
class PlainPeerTest {
  private final Pair pair = new Pair();
  private final TestMemory shared = Pair.memory(pair.a, Access.REMOTE_READ_WRITE, 3);

  private LinkId connect() {
    return pair.a.connect(pair.b, 0, 0, 0, 5 * SECOND);
  }

  private void close(LinkId link) {
    pair.a.channels.get(link).retire(RetireReason.CLOSED, pair.world.now());
    pair.down(link);
    pair.run(MILLI);
  }

  /** Our write into the peer's memory. */
  private void carry(LinkId link, TentPeer peer) {
    var channel = pair.a.channels.get(link);
    for (int i = 0; i < 2 * peer.lanes; i++) {
      peer.memory.fill((byte) 0);
      var slice =
          new TestSlice(
              true,
              pair.from,
              0,
              TentPeer.SIZE,
              pair.from.keys().getFirst(),
              peer.memory.address(),
              peer.region.rkey(),
              Long.MAX_VALUE);
      channel.post(slice, pair.world.now());
      channel.flush(pair.world.now());
      assertNull(pair.report(slice));
      assertEquals(-1, pair.from.memory().asSlice(0, TentPeer.SIZE).mismatch(peer.memory));
    }
  }

  /** The peer's write into ours. */
  private void serve(TentPeer peer) {
    peer.memory.fill((byte) 9);
    assertEquals(0, peer.write(shared));
    assertEquals(9, shared.memory().get(ValueLayout.JAVA_BYTE, TentPeer.SIZE - 1));
  }

  @Test
  void itsConnectionsHaveAsManyQpsAsThePeerHasLanes() {
    var peer = new TentPeer(pair, 6);
    var link = pair.up(connect());
    assertEquals(List.of(2, 6), peer.asked.stream().map(d -> d.qpNumbers().size()).toList());
    assertEquals(6, pair.nicsA[0].qps());
    carry(link, peer);
    close(link);
    pair.up(connect());
    assertEquals(6, peer.asked.getLast().qpNumbers().size());
    assertEquals(6, pair.nicsA[0].qps());
  }

  @Test
  void itsNumberIsKnownFromItsOwnQuestionToo() {
    var peer = new TentPeer(pair, 6);
    peer.open();
    pair.await("the peer's connection", () -> peer.end.connected);
    assertEquals(6, pair.nicsA[0].qps());
    carry(pair.up(connect()), peer);
    assertEquals(List.of(6), peer.asked.stream().map(d -> d.qpNumbers().size()).toList());
  }

  @Test
  void itsQpsArePairedByTheirPlace() {
    var peer = new TentPeer(pair, 3);
    pair.up(connect());
    assertEquals(peer.asked.getLast().qpNumbers(), peer.end.peers);
    for (int i = 0; i < 3; i++) {
      assertEquals(pair.nicsA[0].qpNumbers().get(i), peer.end.peers.get(i));
    }
  }

  @Test
  void thePeerUsesTheConnectionThatWeAskedFor() {
    var peer = new TentPeer(pair, 2);
    var link = pair.up(connect());
    serve(peer);
    carry(link, peer);
  }

  @Test
  void thePeersConnectionGivesWayToOursOnce() {
    for (boolean retries : List.of(true, false)) {
      var peer = new TentPeer(pair, 2);
      peer.retries = retries;
      peer.open();
      pair.await("the peer's connection", () -> peer.end.connected);
      serve(peer);
      var link = pair.up(connect());
      assertEquals(retries ? 1 : 2, peer.asked.size());
      assertEquals(2, pair.nicsA[0].qps(), "one connection");
      carry(link, peer);
      serve(peer);
      close(link);
      peer.restart();
    }
  }

  @Test
  void eachRoundHasQpsThatNoOtherHad() {
    var peer = new TentPeer(pair, 2);
    peer.retries = false;
    peer.open();
    pair.await("the peer's connection", () -> peer.end.connected);
    pair.up(connect());
    var first = peer.asked.get(0).qpNumbers();
    assertFalse(peer.asked.get(1).qpNumbers().stream().anyMatch(first::contains));
  }

  @Test
  void aRefusalThatNothingCuresIsTakenAtOnce() {
    var peer = new TentPeer(pair, 2);
    peer.refuses = "Device is not ready: b@mlx5_2";
    var fault = pair.refused(connect());
    assertEquals(Blame.REMOTE, fault.blame());
    assertTrue(fault.text().contains("Device is not ready"), fault.text());
    assertEquals(1, peer.asked.size());
    assertEquals(0, pair.nicsA[0].qps());
  }

  @Test
  void aPeerThatKeepsLettingGoOfOthersIsAskedTwice() {
    var peer = new TentPeer(pair, 2);
    peer.refuses = "Endpoint retired for reconnection from peer";
    pair.refused(connect());
    assertEquals(2, peer.asked.size());
    assertEquals(0, pair.nicsA[0].qps());
  }

  @Test
  void whoeverIsFirstBothSettleOnOneConnection() {
    long seed = System.nanoTime();
    var random = new Random(seed);
    for (int round = 0; round < 300; round++) {
      var text = "seed " + seed + ", round " + round;
      var peer = new TentPeer(pair, 1 + random.nextInt(3));
      peer.retries = random.nextBoolean();
      pair.b.replyDelay = random.nextInt(4) * MILLI;
      pair.a.replyDelay = random.nextInt(4) * MILLI;
      pair.a.attempts.delay = random.nextInt(3) * MILLI;
      var link = new LinkId[1];
      int ours = random.nextInt(6);
      int theirs = random.nextInt(6);
      for (int at = 0; at < 6; at++) {
        if (at == ours) {
          link[0] = connect();
        }
        if (at == theirs) {
          peer.open();
        }
        pair.run(MILLI);
      }
      pair.run(SECOND);
      // The number of QPs may have to be learned, and a connection may give way to another.
      for (int i = 0; i < 3 && !pair.a.channels.containsKey(link[0]); i++) {
        link[0] = connect();
        pair.run(SECOND);
      }
      for (int i = 0; i < 3 && pair.a.downs.containsKey(link[0]); i++) {
        link[0] = connect();
        pair.run(SECOND);
      }
      assertTrue(pair.a.channels.containsKey(link[0]), text);
      assertFalse(pair.a.downs.containsKey(link[0]), text + ": " + pair.a.downs.get(link[0]));
      assertEquals(peer.lanes, pair.nicsA[0].qps(), text + ": QPs of ours");
      assertEquals(pair.nicsA[0].qpNumbers(), peer.end.peers, text);
      carry(link[0], peer);
      serve(peer);
      close(link[0]);
      peer.restart();
      pair.run(SECOND);
      assertEquals(0, pair.nicsA[0].qps(), text);
    }
  }

  @Test
  void whileWeAskThePeerIsAnsweredWithTheQpsThatItWasToldOf() {
    var peer = new TentPeer(pair, 2);
    pair.b.replyDelay = 100 * MILLI;
    long begin = pair.world.now();
    var link = connect();
    peer.open();
    pair.await("the peer's connection", () -> peer.end.connected);
    pair.run(10 * MILLI);
    carry(pair.up(link), peer);
    assertTrue(pair.world.now() - begin < 90 * MILLI, "our own answer was not waited for");
    pair.run(SECOND);
    assertFalse(pair.a.downs.containsKey(link), "nor does it harm, since it says the same");
    serve(peer);
  }

  @Test
  void anAnswerWithOtherQpsThanThePeersOwnQuestionEndsTheConnection() {
    var peer = new TentPeer(pair, 2);
    pair.b.replyDelay = 100 * MILLI;
    pair.b.answers =
        answer ->
            new String(answer, java.nio.charset.StandardCharsets.UTF_8)
                .replace("\"qp_num\":[", "\"qp_num\":[4711,")
                .getBytes(java.nio.charset.StandardCharsets.UTF_8);
    var link = connect();
    peer.open();
    pair.up(link);
    assertEquals(Blame.NEUTRAL, pair.down(link).blame());
  }

  @Test
  void theSameQuestionAgainGetsTheSameAnswer() throws Exception {
    var peer = new TentPeer(pair, 2);
    var link = pair.up(connect());
    var question =
        new BootstrapDesc(
            "b@mlx5_2",
            "a@mlx5_0",
            peer.end.numbers(),
            0,
            pair.nicsB[0].gid().toString(),
            "",
            77,
            java.util.Optional.empty());
    var answers = new ArrayList<byte[]>();
    pair.a.ask(Connector.BOOTSTRAP, BootstrapCodec.encode(question), answers::add);
    pair.await("an answer", () -> !answers.isEmpty());
    assertEquals(
        peer.asked.getFirst().qpNumbers(), BootstrapCodec.decode(answers.getFirst()).qpNumbers());
    assertEquals(2, pair.nicsA[0].qps());
    carry(link, peer);
  }

  @Test
  void aPeerThatStartedAnewTakesThePlaceOfOurs() {
    var peer = new TentPeer(pair, 2);
    var link = pair.up(connect());
    peer.restart();
    peer.open();
    assertEquals(Blame.NEUTRAL, pair.down(link).blame());
    pair.await("the peer's connection", () -> peer.end.connected);
    pair.run(MILLI);
    serve(peer);
    assertEquals(2, pair.nicsA[0].qps());
    carry(pair.up(connect()), peer);
    serve(peer);
  }

  @Test
  void aSecondOneOnTheSamePathIsNotAskedFor() {
    var peer = new TentPeer(pair, 2);
    var link = pair.up(connect());
    var fault = pair.refused(connect());
    assertEquals(FailureCode.BUSY, fault.code());
    assertEquals(Blame.NEUTRAL, fault.blame());
    assertEquals(1, peer.asked.size());
    carry(link, peer);
  }

  @Test
  void aSecondTryAfterAFailedOneIsFreeToBegin() {
    var peer = new TentPeer(pair, 2);
    peer.refuses = "not now";
    pair.refused(connect());
    peer.refuses = "";
    carry(pair.up(connect()), peer);
  }

  @Test
  void ofAPeersOwnMemoryNothingIsReachedWhereItIsNotAllowed() {
    var peer = new TentPeer(pair, 2);
    pair.up(connect());
    var readOnly = Pair.memory(pair.a, Access.REMOTE_READ, 4);
    assertTrue(peer.write(readOnly) != 0);
    assertEquals(Map.of(), pair.a.refusals);
  }
}
