package dev.shunt.transport.rdma;

import static dev.shunt.transport.rdma.Pair.MILLI;
import static dev.shunt.transport.rdma.Pair.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Verdict;
import dev.shunt.transport.rdma.wire.BootstrapCodec;
import dev.shunt.transport.rdma.wire.BootstrapDesc;
import dev.shunt.transport.rdma.wire.BootstrapExtension;
import dev.shunt.transport.rdma.wire.BootstrapExtension.Ready;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The asked side hears when the asker's QPs are connected. */
class ReadyAckTest {
  private static final String GID = "00:00:00:00:00:00:00:00:00:00:ff:ff:c0:00:02:01";

  private static Pair agreed(Map<String, ?> settings) {
    var pair = new Pair(settings);
    pair.a.verdict = new Verdict(Map.of(Connector.READY_ACK, 1));
    return pair;
  }

  private static List<String> listen(Pair pair) {
    var asked = new ArrayList<String>();
    pair.b.onAsked = request -> asked.add(new String(request, StandardCharsets.UTF_8));
    return asked;
  }

  private static BootstrapDesc question(long attempt, Ready ready) {
    var extension = new BootstrapExtension(0xcc, 0xb1, attempt, 4096, false, "").with(ready);
    return new BootstrapDesc(
        "t@mlx5_9", "b@mlx5_2", List.of(5, 6), 0, GID, "", 0, Optional.of(extension));
  }

  private static BootstrapDesc ask(Pair pair, BootstrapDesc question) throws Exception {
    var answers = new ArrayList<byte[]>();
    pair.b.ask(Connector.BOOTSTRAP, BootstrapCodec.encode(question), answers::add);
    pair.await("an answer", () -> !answers.isEmpty());
    return BootstrapCodec.decode(answers.getFirst());
  }

  private static Ready ready(BootstrapDesc desc) {
    return desc.extension().orElseThrow().ready();
  }

  @Test
  void aConnectionIsUsedOnlyWhenThePeerHasConfirmedThatItIsReady() {
    var pair = agreed(Map.of());
    var asked = listen(pair);
    var held = new boolean[] {true};
    pair.b.answers =
        answer -> {
          pair.b.replyDelay = asked.size() == 2 && held[0] ? 2 * SECOND : 0;
          return answer;
        };
    var link = pair.a.connect(pair.b, 0, 0, 5 * SECOND);
    pair.run(SECOND);
    assertEquals(2, asked.size());
    assertTrue(asked.get(0).contains("\"ready_ack\":false"), asked.get(0));
    assertTrue(asked.get(1).contains("\"ready_ack\":true"), asked.get(1));
    assertFalse(pair.a.channels.containsKey(link), "nothing may be posted yet");
    pair.carry(pair.up(link));
  }

  @Test
  void whatIsNeverReadyIsGivenUpByTheAskedSide() throws Exception {
    var pair = agreed(Map.of("endpoint.ready-ack-timeout", "3s"));
    assertEquals(Ready.EXPECTED, ready(ask(pair, question(1, Ready.EXPECTED))));
    assertEquals(Ready.EXPECTED, ready(ask(pair, question(2, Ready.EXPECTED))));
    assertEquals(4, Pair.qps(pair.nicsB));
    assertEquals(Ready.SAID, ready(ask(pair, question(2, Ready.SAID))));
    pair.run(2 * SECOND);
    assertEquals(4, Pair.qps(pair.nicsB));
    pair.run(2 * SECOND);
    assertEquals(2, Pair.qps(pair.nicsB), "only the one that is ready");
    var late = ask(pair, question(1, Ready.SAID));
    assertTrue(late.refused());
    assertEquals("CONNECTION", late.extension().orElseThrow().code());
  }

  @Test
  void whoDoesNotAnnounceItIsNotWaitedFor() throws Exception {
    var pair = agreed(Map.of("endpoint.ready-ack-timeout", "3s"));
    assertEquals(Ready.NONE, ready(ask(pair, question(1, Ready.NONE))));
    pair.run(60 * SECOND);
    assertEquals(2, Pair.qps(pair.nicsB));
  }

  @Test
  void beingReadyMayBeSaidTwice() throws Exception {
    var pair = agreed(Map.of());
    ask(pair, question(1, Ready.EXPECTED));
    var once = ask(pair, question(1, Ready.SAID));
    assertEquals(once, ask(pair, question(1, Ready.SAID)));
    assertFalse(once.refused(), once.replyMessage());
  }

  @Test
  void beingReadyWithOtherQpsIsRefused() throws Exception {
    var pair = agreed(Map.of());
    ask(pair, question(1, Ready.EXPECTED));
    var other = question(1, Ready.SAID);
    var wrong =
        new BootstrapDesc(
            other.localNicPath(),
            other.peerNicPath(),
            List.of(5, 7),
            0,
            GID,
            "",
            0,
            other.extension());
    assertTrue(ask(pair, wrong).refused());
    assertTrue(ask(pair, question(2, Ready.SAID)).refused(), "nor of an attempt that is not known");
    assertFalse(ask(pair, question(1, Ready.SAID)).refused(), "the right one is left alone");
  }

  @Test
  void aPeerThatHasLetGoMeanwhileSaysSoBeforeAnythingIsPosted() {
    var pair = agreed(Map.of());
    var link = new LinkId[1];
    pair.b.onAsked =
        request -> {
          if (new String(request, StandardCharsets.UTF_8).contains("\"ready_ack\":true")) {
            pair.b.transport().fence(link[0], gone -> {});
          }
        };
    link[0] = pair.a.connect(pair.b, 0, 0, 5 * SECOND);
    var fault = pair.refused(link[0]);
    assertEquals(Blame.REMOTE, fault.blame());
    assertEquals(FailureCode.CONNECTION, fault.code());
    assertEquals(0, Pair.qps(pair.nicsA));
    pair.run(SECOND);
    assertEquals(0, Pair.qps(pair.nicsB));
  }

  @Test
  void aPeerThatDoesNotConfirmInTimeLeavesAPathThatCannotBeUsed() {
    var pair = agreed(Map.of());
    var asked = listen(pair);
    pair.b.answers =
        answer -> {
          pair.b.replyDelay = asked.size() == 2 ? 60 * SECOND : 0;
          return answer;
        };
    var fault = pair.refused(pair.a.connect(pair.b, 0, 0, SECOND));
    assertEquals(FailureCode.HANDSHAKE, fault.code());
    assertEquals(Blame.REMOTE, fault.blame());
    assertEquals(0, Pair.qps(pair.nicsA));
  }

  @Test
  void aConfirmationThatIsNoneIsTheProtocolsFault() {
    for (var wrong :
        List.of(
            new String[] {",\"ready_ack\":true", ""},
            new String[] {"\"ready_ack\":true", "\"ready_ack\":false"},
            new String[] {"\"qp_num\":[", "\"qp_num\":[7,"},
            new String[] {"\"local_lid\"", "\"lid\""})) {
      var pair = agreed(Map.of());
      var asked = listen(pair);
      pair.b.answers =
          answer -> {
            var text = new String(answer, StandardCharsets.UTF_8);
            return asked.size() < 2
                ? answer
                : text.replace(wrong[0], wrong[1]).getBytes(StandardCharsets.UTF_8);
          };
      var fault = pair.refused(pair.a.connect(pair.b, 0, 0, SECOND));
      assertEquals(FailureCode.PROTOCOL, fault.code(), wrong[1]);
    }
  }

  @Test
  void aNodeThatDoesNotKnowOfItIsNotTold() {
    var pair = agreed(Map.of());
    var asked = listen(pair);
    // An older version leaves the key out of its answer.
    pair.b.answers =
        answer ->
            new String(answer, StandardCharsets.UTF_8)
                .replace(",\"ready_ack\":false", "")
                .getBytes(StandardCharsets.UTF_8);
    pair.carry(pair.up());
    assertEquals(1, asked.size());
  }

  @Test
  void withoutTheCapabilityNothingIsSaidOfIt() {
    var pair = new Pair();
    var asked = listen(pair);
    pair.carry(pair.up());
    pair.run(MILLI);
    assertEquals(1, asked.size());
    assertFalse(asked.getFirst().contains("ready_ack"), asked.getFirst());
  }
}
