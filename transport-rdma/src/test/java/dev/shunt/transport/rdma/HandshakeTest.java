package dev.shunt.transport.rdma;

import static dev.shunt.transport.rdma.Pair.MILLI;
import static dev.shunt.transport.rdma.Pair.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.transport.rdma.wire.BootstrapCodec;
import dev.shunt.transport.rdma.wire.BootstrapDesc;
import dev.shunt.transport.rdma.wire.BootstrapExtension;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How two sides come together, and what they refuse. */
class HandshakeTest {
  private static final String GID = "00:00:00:00:00:00:00:00:00:00:ff:ff:c0:00:02:01";

  private static BootstrapDesc ask(Pair pair, byte[] request) throws Exception {
    var answers = new ArrayList<byte[]>();
    pair.b.ask(Connector.BOOTSTRAP, request, answers::add);
    pair.await("an answer", () -> !answers.isEmpty());
    pair.run(SECOND);
    assertEquals(1, answers.size());
    return BootstrapCodec.decode(answers.getFirst());
  }

  private static BootstrapDesc plain(List<Integer> qps, String nic, String gid) {
    return new BootstrapDesc("t@mlx5_9", nic, qps, 0, gid, "", 0, Optional.empty());
  }

  private static BootstrapDesc extended(long peerGeneration, long attempt, int mtu) {
    return new BootstrapDesc(
        "t@mlx5_9",
        "b@mlx5_2",
        List.of(5, 6),
        0,
        GID,
        "",
        0,
        Optional.of(new BootstrapExtension(0xcc, peerGeneration, attempt, mtu, false, "")));
  }

  private static void refused(Pair pair, BootstrapDesc request, String why) throws Exception {
    var answer = ask(pair, BootstrapCodec.encode(request));
    assertTrue(answer.refused(), "refused");
    assertTrue(answer.replyMessage().contains(why), answer.replyMessage());
    assertEquals(List.of(), answer.qpNumbers());
    assertEquals(0, Pair.qps(pair.nicsB), "QPs that are left over");
  }

  @Test
  void everyRefusalIsAWholeAnswerWithAReason() throws Exception {
    var pair = new Pair();
    var nonsense = ask(pair, "{\"qp_num\":7}".getBytes(StandardCharsets.UTF_8));
    assertTrue(nonsense.replyMessage().contains("qp_num is not an array"));
    refused(pair, plain(List.of(5), "b@mlx5_7", GID), "no NIC b@mlx5_7");
    refused(pair, plain(List.of(5), "nobody", GID), "no NIC nobody");
    refused(pair, plain(List.of(), "b@mlx5_2", GID), "qp_num is empty");
    refused(pair, plain(List.of(5), "b@mlx5_2", "fe80::1"), "local_gid is no GID");
    refused(pair, extended(0xb0, 1, 4096), "STALE_GENERATION");
    refused(pair, extended(0xb1, 1, 1500), "shunt.mtu is 1500");
    pair.nicsB[0].down();
    pair.run(MILLI);
    refused(pair, plain(List.of(5), "b@mlx5_2", GID), "inactive");
  }

  @Test
  void aRefusalNamesItsCodeToAShuntNodeOnly() throws Exception {
    var pair = new Pair();
    var stale = ask(pair, BootstrapCodec.encode(extended(0xb0, 1, 4096)));
    assertEquals("STALE_GENERATION", stale.extension().orElseThrow().code());
    assertEquals(0xb1, stale.extension().orElseThrow().peerGeneration());
    var plain = ask(pair, BootstrapCodec.encode(plain(List.of(), "b@mlx5_2", GID)));
    assertEquals(Optional.empty(), plain.extension());
  }

  @Test
  void whoAgreedOnItIsToldWhatExactlyWasRefused() throws Exception {
    var pair = new Pair(Map.of("endpoint.endpoint-store-cap", 1));
    assertEquals("STALE_GENERATION", refusal(pair, coded(0xb0, 1, 4096, "b@mlx5_2", GID)));
    assertEquals("RAIL_NOT_FOUND", refusal(pair, coded(0xb1, 2, 4096, "b@mlx5_7", GID)));
    assertEquals("WRONG_PATH", refusal(pair, coded(0xb1, 3, 4096, "nobody", GID)));
    assertEquals("MALFORMED", refusal(pair, coded(0xb1, 4, 1500, "b@mlx5_2", GID)));
    assertEquals("MALFORMED", refusal(pair, coded(0xb1, 5, 4096, "b@mlx5_2", "fe80::1")));
    pair.nicsB[0].down();
    pair.run(MILLI);
    assertEquals("ENDPOINT_UNAVAILABLE", refusal(pair, coded(0xb1, 6, 4096, "b@mlx5_2", GID)));
    assertEquals("NO_RAIL", refusal(pair, uncoded("b@mlx5_7")), "as without the capability");
    pair = new Pair(Map.of("endpoint.endpoint-store-cap", 1));
    assertFalse(ask(pair, BootstrapCodec.encode(coded(0xb1, 7, 4096, "b@mlx5_2", GID))).refused());
    pair.nicsB[0].refuseModifies(2);
    assertEquals(
        "FRESH_ENDPOINT_UNAVAILABLE", refusal(pair, coded(0xb1, 8, 4096, "b@mlx5_2", GID)));
    pair.b.transport().fence(new dev.shunt.api.spi.LinkId(0xcc, 9), gone -> {});
    assertEquals("FENCED", refusal(pair, coded(0xb1, 9, 4096, "b@mlx5_2", GID)));
    pair.b.close();
    assertEquals("CLOSING", refusal(pair, coded(0xb1, 10, 4096, "b@mlx5_2", GID)));
  }

  private static String refusal(Pair pair, BootstrapDesc request) throws Exception {
    var answer = ask(pair, BootstrapCodec.encode(request));
    assertTrue(answer.refused());
    return answer.extension().orElseThrow().code();
  }

  private static BootstrapDesc coded(
      long peerGeneration, long attempt, int mtu, String nic, String gid) {
    var extension = new BootstrapExtension(0xcc, peerGeneration, attempt, mtu, false, "", true);
    return new BootstrapDesc("t@mlx5_9", nic, List.of(5), 0, gid, "", 0, Optional.of(extension));
  }

  private static BootstrapDesc uncoded(String nic) {
    var extension = new BootstrapExtension(0xcc, 0xb1, 9, 4096, false, "");
    return new BootstrapDesc("t@mlx5_9", nic, List.of(5), 0, GID, "", 0, Optional.of(extension));
  }

  @Test
  void aPlainPeerGetsAnAnswerThatAPlainPeerWouldGive() throws Exception {
    var pair = new Pair();
    var answer = ask(pair, BootstrapCodec.encode(plain(List.of(5, 6, 7), "b@mlx5_2", GID)));
    assertFalse(answer.refused(), answer.replyMessage());
    assertEquals(3, answer.qpNumbers().size());
    assertEquals("b@mlx5_2", answer.localNicPath());
    assertEquals("t@mlx5_9", answer.peerNicPath());
    assertEquals(pair.nicsB[0].gid().toString(), answer.localGid());
    assertEquals(Optional.empty(), answer.extension());
  }

  @Test
  void theSameQuestionGetsTheSameAnswer() throws Exception {
    var pair = new Pair();
    var request = BootstrapCodec.encode(extended(0xb1, 1, 4096));
    assertEquals(ask(pair, request), ask(pair, request));
    assertEquals(2, Pair.qps(pair.nicsB));
  }

  @Test
  void aPlainPeerThatStartsAnewIsGivenAFreshConnectionAtOnce() throws Exception {
    var pair = new Pair();
    var first = BootstrapCodec.encode(plain(List.of(5), "b@mlx5_2", GID));
    var second = BootstrapCodec.encode(plain(List.of(6), "b@mlx5_2", GID));
    var before = ask(pair, first);
    var after = ask(pair, second);
    assertFalse(after.refused(), after.replyMessage());
    assertNotEquals(before.qpNumbers(), after.qpNumbers(), "QPs are used once");
    assertEquals(1, Pair.qps(pair.nicsB), "the old one is gone");
  }

  @Test
  void whereAnOldConnectionWentAndNoFreshOneIsToBeHadThePeerIsToldBoth() throws Exception {
    var pair = new Pair();
    ask(pair, BootstrapCodec.encode(plain(List.of(5), "b@mlx5_2", GID)));
    pair.nicsB[0].refuseModifies(3);
    var answer = ask(pair, BootstrapCodec.encode(plain(List.of(6), "b@mlx5_2", GID)));
    assertTrue(answer.replyMessage().contains("an older endpoint went"), answer.replyMessage());
    assertTrue(answer.replyMessage().contains("INIT"), answer.replyMessage());
    assertEquals(0, Pair.qps(pair.nicsB));
  }

  @Test
  void aQuestionThatIsRefusedCostsNothingThatWasThere() throws Exception {
    var pair = new Pair();
    var plain = BootstrapCodec.encode(plain(List.of(5), "b@mlx5_2", GID));
    var node = BootstrapCodec.encode(coded(0xb1, 1, 4096, "b@mlx5_2", GID));
    var plains = ask(pair, plain).qpNumbers();
    var nodes = ask(pair, node).qpNumbers();
    assertTrue(ask(pair, BootstrapCodec.encode(plain(List.of(), "b@mlx5_2", GID))).refused());
    assertTrue(
        ask(pair, BootstrapCodec.encode(plain(List.of(6), "b@mlx5_2", "fe80::1"))).refused());
    var newer = new BootstrapExtension(0xcd, 0xb1, 1, 1500, false, "", true);
    var wrong =
        new BootstrapDesc("t@mlx5_9", "b@mlx5_2", List.of(5), 0, GID, "", 0, Optional.of(newer));
    assertEquals("MALFORMED", refusal(pair, wrong));
    assertEquals(2, Pair.qps(pair.nicsB));
    assertEquals(plains, ask(pair, plain).qpNumbers(), "the same connection is still there");
    assertEquals(nodes, ask(pair, node).qpNumbers(), "the same connection is still there");
  }

  @Test
  void whoLeavesCutsItsPeersOffAndRefusesThemNothing() throws Exception {
    var pair = new Pair();
    var link = pair.up();
    pair.fabric.path(pair.nicsA[0], pair.nicsB[0]).hold();
    var slice = pair.a.post(link, true, pair.from, pair.to, 0, 100_000);
    long notice = pair.b.transport().leave();
    // Eight tries of 4.096 us * 2^14 each are what its peers' devices take at least.
    assertTrue(notice >= 8 * 67_108_864L, notice + " ns");
    pair.fabric.path(pair.nicsA[0], pair.nicsB[0]).release();
    assertEquals(0, Pair.qps(pair.nicsB));
    assertEquals(dev.shunt.api.spi.Fault.Blame.REMOTE, pair.report(slice).blame());
    refused(pair, extended(0xb1, 1, 4096), "closes");
    assertEquals(0, pair.b.transport().leave(), "nobody is left to find out");
  }

  @Test
  void towardAPlainPeerTheMessageHasNothingOfOurs() {
    var pair = new Pair();
    var asked = new ArrayList<String>();
    pair.b.onAsked = request -> asked.add(new String(request, StandardCharsets.UTF_8));
    var link = pair.up(pair.a.connect(pair.b, 0, 0, 0, 5 * SECOND));
    pair.carry(link);
    pair.a.channels.get(link).retire(dev.shunt.api.spi.RetireReason.CLOSED, pair.world.now());
    pair.down(link);
    pair.run(10 * SECOND);
    assertEquals(1, asked.size(), "the handshake, and no word of its end");
    assertFalse(asked.getFirst().contains("shunt"), asked.getFirst());
  }

  @Test
  void theLowerMtuIsUsedByBothSides() {
    var pair = new Pair();
    pair.nicsB[0].mtu(3);
    pair.nicsB[0].event(dev.shunt.transport.rdma.verbs.AsyncEvents.GID_CHANGE, 1);
    pair.run(MILLI);
    var link = pair.up();
    pair.carry(link);
    pair.fetch(link);
    var other = new Pair();
    other.nicsA[0].mtu(2);
    other.nicsA[0].event(dev.shunt.transport.rdma.verbs.AsyncEvents.GID_CHANGE, 1);
    other.run(MILLI);
    link = other.up();
    other.carry(link);
    other.fetch(link);
  }

  @Test
  void aPortThatTellsAnMtuThatVerbsDoNotHaveIsNotConnected() throws Exception {
    var pair = new Pair();
    pair.nicsB[0].mtu(0);
    pair.nicsB[0].event(dev.shunt.transport.rdma.verbs.AsyncEvents.GID_CHANGE, 1);
    pair.run(MILLI);
    refused(pair, extended(0xb1, 1, 4096), "path MTU 0");
    pair.nicsA[0].mtu(6);
    pair.nicsA[0].event(dev.shunt.transport.rdma.verbs.AsyncEvents.GID_CHANGE, 1);
    pair.run(MILLI);
    var fault = pair.refused(pair.a.connect(pair.b, 0, 0, SECOND));
    assertEquals(Fault.Blame.LOCAL, fault.blame());
    assertTrue(fault.text().contains("path MTU 6"), fault.text());
  }

  @Test
  void theSameQuestionWhileItIsBeingAnsweredWaitsForTheSameAnswer() throws Exception {
    var pair = new Pair();
    pair.b.attempts.delay = 100 * MILLI;
    var answers = new ArrayList<String>();
    for (int i = 0; i < 3; i++) {
      pair.b.ask(
          Connector.BOOTSTRAP,
          BootstrapCodec.encode(extended(0xb1, 1, 4096)),
          answer -> answers.add(new String(answer, StandardCharsets.UTF_8)));
    }
    pair.run(50 * MILLI);
    assertEquals(List.of(), answers);
    pair.run(SECOND);
    assertEquals(3, answers.size());
    assertEquals(1, answers.stream().distinct().count());
    assertFalse(
        BootstrapCodec.decode(answers.getFirst().getBytes(StandardCharsets.UTF_8)).refused());
    assertEquals(2, Pair.qps(pair.nicsB));
  }

  @Test
  void aNodeThatClosesRefusesWhatStillComes() throws Exception {
    var pair = new Pair();
    pair.b.close();
    refused(pair, extended(0xb1, 1, 4096), "closes");
    refused(pair, plain(List.of(5), "b@mlx5_2", GID), "closes");
  }

  @Test
  void anAnswerThatComesLateConfiguresNothing() {
    var pair = new Pair();
    pair.b.replyDelay = 3 * SECOND;
    pair.b.dropLate = false;
    var first = pair.a.connect(pair.b, 0, 0, SECOND);
    var silent = pair.refused(first);
    assertEquals(FailureCode.UNREACHABLE, silent.code());
    assertEquals(Fault.Blame.NEUTRAL, silent.blame(), "silence charges no path");
    pair.b.replyDelay = 0;
    var second = pair.up();
    pair.run(5 * SECOND);
    pair.carry(second);
    assertEquals(2, Pair.qps(pair.nicsA), "only the second attempt's QPs");
    assertFalse(pair.a.channels.containsKey(first));
    assertEquals(1, pair.a.attempts.run, "the late answer was not even tried");
  }

  @Test
  void anAnswerForAnotherAttemptConfiguresNothing() {
    var pair = new Pair();
    pair.b.answers =
        reply ->
            replaced(reply, "\"attempt\":\"0000000000000001\"", "\"attempt\":\"0000000000000002\"");
    assertEquals(
        FailureCode.STALE_GENERATION, pair.refused(pair.a.connect(pair.b, 0, 0, SECOND)).code());
    assertEquals(0, pair.a.attempts.run);
  }

  @Test
  void anAnswerThatDoesNotFitIsTheProtocolsFault() {
    for (var wrong :
        List.of(
            new String[] {"\"local_nic_path\":\"b@mlx5_2\"", "\"local_nic_path\":\"b@mlx5_3\""},
            new String[] {"\"peer_nic_path\":\"a@mlx5_0\"", "\"peer_nic_path\":\"a@mlx5_1\""},
            new String[] {"\"qp_num\":[", "\"qp_num\":[7,"},
            new String[] {"\"local_gid\":\"00:", "\"local_gid\":\"zz:"},
            new String[] {"\"mtu\":4096", "\"mtu\":4095"},
            new String[] {"\"reply_msg\"", "\"reply\""})) {
      var pair = new Pair();
      pair.b.answers = reply -> replaced(reply, wrong[0], wrong[1]);
      var fault = pair.refused(pair.a.connect(pair.b, 0, 0, SECOND));
      assertEquals(FailureCode.PROTOCOL, fault.code(), wrong[1]);
      assertEquals(0, Pair.qps(pair.nicsA), wrong[1]);
    }
  }

  private static byte[] replaced(byte[] reply, String what, String by) {
    var text = new String(reply, StandardCharsets.UTF_8);
    assertTrue(text.contains(what), text);
    return text.replace(what, by).getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void aHundredAttemptsAtOnceAreEachAnsweredOnceAndLeaveNothing() {
    var pair = new Pair();
    var links = new ArrayList<dev.shunt.api.spi.LinkId>();
    for (int i = 0; i < 100; i++) {
      links.add(pair.a.connect(pair.b, i % 2, i % 2, 5 * SECOND));
    }
    for (var link : links) {
      pair.up(link);
      pair.a.channels.get(link).retire(dev.shunt.api.spi.RetireReason.EVICTED, pair.world.now());
    }
    pair.run(20 * SECOND);
    assertEquals(0, Pair.qps(pair.nicsA));
    assertEquals(0, Pair.qps(pair.nicsB), "the peer was told");
  }

  @Test
  void aStepThatBlocksPastTheDeadlineIsAnsweredInTimeAndFreedLater() {
    var pair = new Pair();
    pair.a.attempts.delay = 10 * SECOND;
    long begin = pair.world.now();
    var link = pair.a.connect(pair.b, 0, 0, SECOND);
    pair.refused(link);
    assertTrue(pair.world.now() - begin <= SECOND + MILLI);
    pair.run(SECOND);
    assertEquals(2, Pair.qps(pair.nicsA), "in the hand of the call that blocks");
    pair.run(10 * SECOND);
    assertEquals(0, Pair.qps(pair.nicsA));
    assertEquals(0, Pair.qps(pair.nicsB));
  }

  @Test
  void aFenceWaitsForAHandshakeThatIsUnderWay() {
    var pair = new Pair();
    pair.b.attempts.delay = SECOND;
    var link = pair.a.connect(pair.b, 0, 0, 5 * SECOND);
    pair.run(100 * MILLI);
    var fenced = new ArrayList<Boolean>();
    pair.b.transport().fence(link, fenced::add);
    pair.run(100 * MILLI);
    assertEquals(List.of(), fenced, "its QPs are still in hand");
    pair.refused(link);
    assertEquals(List.of(true), fenced);
    assertEquals(0, Pair.qps(pair.nicsB));
  }

  @Test
  void aQpThatCannotBeDestroyedIsNoFence() {
    var pair = new Pair();
    var link = pair.up();
    pair.nicsB[0].refuseCloses(2);
    var fenced = new ArrayList<Boolean>();
    pair.b.transport().fence(link, fenced::add);
    assertEquals(List.of(false), fenced);
  }

  @Test
  void aQpThatCannotBeConnectedFailsTheHandshakeHere() {
    var pair = new Pair(Map.of("device.gid-index", 1));
    var link = pair.a.connect(pair.b, 0, 0, 5 * SECOND);
    pair.nicsA[0].refuseModifies(1);
    var fault = pair.refused(link);
    assertEquals(Fault.Blame.LOCAL, fault.blame());
    assertTrue(fault.text().contains("RTR"), fault.text());
    pair.run(10 * SECOND);
    assertEquals(0, Pair.qps(pair.nicsA));
    assertEquals(0, Pair.qps(pair.nicsB), "the peer was told");
  }

  @Test
  void theOldestConnectionOfPeersMakesRoom() {
    var pair = new Pair(Map.of("endpoint.endpoint-store-cap", 2));
    var links = new ArrayList<dev.shunt.api.spi.LinkId>();
    for (int i = 0; i < 2; i++) {
      links.add(pair.up());
    }
    pair.up(pair.a.connect(pair.b, 1, 0, SECOND));
    assertEquals(4, pair.nicsB[0].qps());
    assertEquals(Fault.Blame.REMOTE, pair.down(links.getFirst()).blame());
    pair.carry(links.get(1));
  }
}
