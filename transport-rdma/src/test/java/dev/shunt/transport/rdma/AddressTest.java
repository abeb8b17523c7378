package dev.shunt.transport.rdma;

import static dev.shunt.transport.rdma.Pair.MILLI;
import static dev.shunt.transport.rdma.Pair.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.transport.rdma.testing.SoftNic;
import dev.shunt.transport.rdma.verbs.Gid;
import dev.shunt.transport.rdma.wire.BootstrapCodec;
import dev.shunt.transport.rdma.wire.BootstrapDesc;
import dev.shunt.transport.rdma.wire.BootstrapException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What becomes of an address that the table shows, and that no QP can be connected from. */
class AddressTest {
  private static Gid further(int number) {
    return new Gid(0, 0xffff_cb00_7100L + number);
  }

  private static List<BootstrapDesc> listen(Pair pair) {
    var asked = new ArrayList<BootstrapDesc>();
    pair.b.onAsked =
        request -> {
          try {
            var desc = BootstrapCodec.decode(request);
            if (!desc.extension().orElseThrow().close()) {
              asked.add(desc);
            }
          } catch (BootstrapException e) {
            throw new AssertionError(e);
          }
        };
    return asked;
  }

  private static void refuse(SoftNic nic, int... indexes) {
    for (int index : indexes) {
      nic.refuseAddress(index);
    }
  }

  @Test
  void anotherAddressIsTriedWithFreshQpsAndPublished() {
    var pair = new Pair();
    pair.nicsA[0].addGid(further(1));
    refuse(pair.nicsA[0], 1);
    // The table is read where an address was refused.
    var asked = listen(pair);
    pair.nicsA[0].event(dev.shunt.transport.rdma.verbs.AsyncEvents.GID_CHANGE, 1);
    pair.run(SECOND);
    var link = pair.up();
    pair.carry(link);
    pair.fetch(link);
    assertEquals(2, asked.size());
    assertEquals(List.of(0, 1), asked.stream().map(d -> d.extension().get().round()).toList());
    assertFalse(asked.get(1).qpNumbers().stream().anyMatch(asked.get(0).qpNumbers()::contains));
    assertEquals(further(1).toString(), asked.get(1).localGid());
    assertEquals(List.of("changed mlx5_0 " + further(1)), pair.a.railLog);
    assertEquals(2, Pair.qps(pair.nicsA));
    assertEquals(2, Pair.qps(pair.nicsB), "what the first round had is gone");
    asked.clear();
    pair.up();
    assertEquals(1, asked.size(), "it is known from now on");
  }

  @Test
  void twoFurtherAddressesAreTriedAtMostAndNoneTwice() {
    var pair = new Pair();
    for (int i = 0; i < 4; i++) {
      pair.nicsA[0].addGid(further(i));
    }
    refuse(pair.nicsA[0], 0, 1, 2, 3, 4, 5);
    pair.nicsA[0].event(dev.shunt.transport.rdma.verbs.AsyncEvents.GID_CHANGE, 1);
    pair.run(SECOND);
    var asked = listen(pair);
    var fault = pair.refused(pair.a.connect(pair.b, 0, 0, 5 * SECOND));
    assertEquals(Blame.LOCAL, fault.blame());
    assertTrue(fault.text().contains("RTR"), fault.text());
    assertEquals(3, asked.size());
    assertEquals(3, new HashSet<>(asked.stream().map(BootstrapDesc::localGid).toList()).size());
    pair.run(SECOND);
    assertEquals(0, Pair.qps(pair.nicsA));
    assertEquals(0, Pair.qps(pair.nicsB));
    assertEquals(List.of(), pair.a.railLog, "the address stays");
  }

  @Test
  void whereTheTableHasNoOtherTheFirstRefusalIsTheAnswer() {
    var pair = new Pair();
    refuse(pair.nicsA[0], 0, 1);
    var asked = listen(pair);
    pair.refused(pair.a.connect(pair.b, 0, 0, 5 * SECOND));
    assertEquals(2, asked.size(), "the link-local one is one");
  }

  @Test
  void anAddressThatIsConfiguredIsTheOnlyOne() {
    var pair = new Pair(Map.of("device.gid-index", 1));
    refuse(pair.nicsA[0], 1);
    var asked = listen(pair);
    assertEquals(Blame.LOCAL, pair.refused(pair.a.connect(pair.b, 0, 0, 5 * SECOND)).blame());
    assertEquals(1, asked.size());
  }

  @Test
  void aLinkLocalAddressIsLeftForOneThatReachesFarther() {
    var pair = new Pair();
    var own = pair.nicsA[0].gid();
    pair.carry(pair.up());
    pair.nicsA[0].loseGid();
    pair.run(SECOND);
    assertEquals(1, pair.a.railLog.size(), pair.a.railLog::toString);
    assertTrue(pair.a.railLog.getFirst().startsWith("changed mlx5_0 fe:80:"));
    var link = pair.up();
    pair.nicsA[0].changeGid(own);
    assertEquals(Blame.NEUTRAL, pair.down(link).blame());
    assertEquals("changed mlx5_0 " + own, pair.a.railLog.getLast());
    pair.carry(pair.up());
  }

  @Test
  void anAddressThatWasRefusedIsTriedAgainOnceItWasGone() {
    var pair = new Pair();
    var own = pair.nicsA[0].gid();
    refuse(pair.nicsA[0], 1);
    pair.up();
    assertTrue(pair.a.railLog.getLast().startsWith("changed mlx5_0 fe:80:"));
    pair.nicsA[0].acceptAddresses();
    pair.nicsA[0].loseGid();
    pair.run(SECOND);
    pair.nicsA[0].changeGid(own);
    pair.run(SECOND);
    assertEquals("changed mlx5_0 " + own, pair.a.railLog.getLast());
    pair.carry(pair.up());
  }

  @Test
  void anAddressThatWasRefusedIsTriedAgainOnceTheLinkWasAway() {
    var pair = new Pair();
    var own = pair.nicsA[0].gid();
    refuse(pair.nicsA[0], 1);
    pair.up();
    pair.nicsA[0].acceptAddresses();
    pair.nicsA[0].down();
    pair.run(SECOND);
    pair.nicsA[0].restore();
    pair.run(SECOND);
    assertTrue(pair.a.railLog.contains("changed mlx5_0 " + own), pair.a.railLog::toString);
  }

  @Test
  void whatPeersAskedForEndsWithTheAddressThatTheyKnow() {
    var pair = new Pair();
    pair.carry(pair.up());
    assertEquals(2, Pair.qps(pair.nicsB));
    pair.nicsB[0].changeGid(further(9));
    pair.run(MILLI);
    assertEquals(0, Pair.qps(pair.nicsB));
    pair.carry(pair.up());
  }

  @Test
  void anAddressThatFartherPeersReachIsKeptThoughThereIsAnother() {
    var pair = new Pair();
    pair.nicsA[0].addGid(further(1));
    var link = pair.up();
    pair.nicsA[0].event(dev.shunt.transport.rdma.verbs.AsyncEvents.GID_CHANGE, 1);
    pair.run(SECOND);
    pair.carry(link);
    assertEquals(List.of(), pair.a.railLog);
  }

  @Test
  void anAddressThatWasRefusedIsNotTakenAgainThoughItReachesFarther() {
    var pair = new Pair();
    refuse(pair.nicsA[0], 1);
    var link = pair.up();
    assertTrue(pair.a.railLog.getLast().startsWith("changed mlx5_0 fe:80:"));
    int told = pair.a.railLog.size();
    pair.nicsA[0].event(dev.shunt.transport.rdma.verbs.AsyncEvents.GID_CHANGE, 1);
    pair.run(SECOND);
    pair.carry(link);
    assertEquals(told, pair.a.railLog.size(), pair.a.railLog::toString);
  }

  @Test
  void theAskedSideTriesAnotherAddressBeforeItAnswers() {
    var pair = new Pair();
    refuse(pair.nicsB[0], 1);
    var asked = listen(pair);
    var answers = new ArrayList<String>();
    pair.b.answers =
        answer -> {
          answers.add(new String(answer, StandardCharsets.UTF_8));
          return answer;
        };
    var link = pair.up();
    pair.carry(link);
    assertEquals(1, asked.size());
    assertTrue(answers.getFirst().contains("\"local_gid\":\"fe:80:"), answers.getFirst());
    assertEquals(1, pair.b.railLog.size());
    assertEquals(2, Pair.qps(pair.nicsB));
  }

  @Test
  void theAskedSideSaysWhatFailedWhenItHasTriedAll() {
    var pair = new Pair();
    refuse(pair.nicsB[0], 0, 1);
    var fault = pair.refused(pair.a.connect(pair.b, 0, 0, 5 * SECOND));
    assertEquals(Blame.REMOTE, fault.blame());
    assertTrue(fault.text().contains("invalid argument (22)"), fault.text());
    pair.run(SECOND);
    assertEquals(0, Pair.qps(pair.nicsB));
  }

  @Test
  void anAnswerOfAnEarlierRoundConfiguresNothing() {
    var pair = new Pair();
    refuse(pair.nicsA[0], 1);
    pair.b.answers =
        answer ->
            new String(answer, StandardCharsets.UTF_8)
                .replace(",\"round\":1", "")
                .getBytes(StandardCharsets.UTF_8);
    var fault = pair.refused(pair.a.connect(pair.b, 0, 0, 5 * SECOND));
    assertTrue(fault.text().contains("another attempt"), fault.text());
    assertEquals(1, pair.a.attempts.run, "that of the first round");
  }

  @Test
  void aQuestionOfAnEarlierRoundIsRefusedAndCostsTheLaterNothing() throws Exception {
    var pair = new Pair();
    refuse(pair.nicsA[0], 1);
    var asked = listen(pair);
    var link = pair.up();
    var answers = new ArrayList<byte[]>();
    pair.b.ask(Connector.BOOTSTRAP, BootstrapCodec.encode(asked.getFirst()), answers::add);
    pair.await("an answer", () -> !answers.isEmpty());
    assertTrue(BootstrapCodec.decode(answers.getFirst()).refused());
    pair.carry(link);
  }
}
