package dev.shunt.transport.rdma;

import static dev.shunt.transport.rdma.Pair.MILLI;
import static dev.shunt.transport.rdma.Pair.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Verdict;
import dev.shunt.transport.rdma.wire.BootstrapCodec;
import dev.shunt.transport.rdma.wire.BootstrapDesc;
import dev.shunt.transport.rdma.wire.BootstrapExtension;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Links for notifications: who gets one, how many there are, and what goes when. */
class NotifyLinksTest extends NotifyPair {
  @Test
  void aPeerThatIsAnotherProcessOrTakesNothingIsToldApart() {
    assertEquals(
        FailureCode.STALE_GENERATION, refused(pair.a.openPort(pair.b, 0xb0, 0, 0, SECOND)).code());
    var mute = new Pair();
    mute.a.notifying(0);
    var link = mute.a.openPort(mute.b, 0, 0, SECOND);
    mute.await("an answer", () -> mute.a.notifications.refusals.containsKey(link));
    assertTrue(mute.a.notifications.refusals.get(link).text().contains("takes no"));
    assertEquals(0, Pair.qps(mute.nicsA) + Pair.qps(mute.nicsB));
    pair.b.replyDelay = 3 * SECOND;
    var silent = refused(pair.a.openPort(pair.b, 0, 0, SECOND));
    assertEquals(FailureCode.UNREACHABLE, silent.code());
    assertEquals(Blame.NEUTRAL, silent.blame());
    pair.run(10 * SECOND);
    assertEquals(0, Pair.qps(pair.nicsA) + Pair.qps(pair.nicsB), "the peer was told");
  }

  @Test
  void aFenceOfALinkWaitsUntilItIsGone() {
    var port = up();
    var sent = post(port, "one");
    pair.await("its report", () -> a.reports() == 1);
    assertEquals(List.of(sent), a.delivered);
    var fenced = new ArrayList<Boolean>();
    pair.b.transport().fence(port.link().id(), fenced::add);
    assertEquals(List.of(), fenced);
    pair.await("the answer", () -> !fenced.isEmpty());
    assertEquals(List.of(true), fenced);
    assertEquals(List.of("one"), b.arrived);
    assertEquals(0, pair.nicsB[0].qps());
  }

  @Test
  void whatAKilledNodeHadGoesWithItsLinksForData() {
    pair.a.verdict = new Verdict(Map.of(Connector.TRIES, 1));
    up();
    pair.up();
    assertEquals(3, Pair.qps(pair.nicsB));
    pair.killA();
    pair.run(200 * SECOND);
    assertEquals(0, Pair.qps(pair.nicsB));
  }

  @Test
  void aQuestionThatIsRefusedCostsNothingOfAnOlderProcess() {
    var port = up();
    var link = pair.up();
    strange("a", 0xff, 1, "no gid at all");
    pair.run(SECOND);
    assertEquals(3, Pair.qps(pair.nicsB));
    post(port, "one");
    pair.await("its arrival", () -> b.arrived.equals(List.of("one")));
    pair.carry(link);
  }

  @Test
  void aNewerProcessOfANodeThatAsksForDataEndsTheLinksOfTheOneBefore() {
    var port = up();
    pair.b.ask(
        Connector.BOOTSTRAP,
        BootstrapCodec.encode(
            new BootstrapDesc(
                "a@mlx5_0",
                "b@mlx5_2",
                List.of(5),
                0,
                pair.nicsA[0].gid().toString(),
                "",
                0,
                Optional.of(new BootstrapExtension(0xff, 0xb1, 1, 4096, false, "")))),
        answer -> {});
    post(port, "lost");
    pair.await("its end", () -> a.downs.containsKey(port));
  }

  @Test
  void ourOwnLinksAreBounded() {
    var it = new NotifyPair(Map.of("notify.links", 2));
    var first = it.up();
    it.up(it.pair.a.openPort(it.pair.b, 1, 0, SECOND));
    assertEquals(
        FailureCode.RESOURCE, it.refused(it.pair.a.openPort(it.pair.b, 1, 1, SECOND)).code());
    it.retire(first);
    it.pair.run(SECOND);
    it.up();
  }

  @Test
  void theOldestLinkOfPeersMakesRoom() {
    var it = new NotifyPair(Map.of("notify.links", 2));
    var first = it.up();
    var second = it.up();
    it.strange("t", 0xcc, 1);
    it.post(first, "lost");
    it.pair.await("the end of the oldest", () -> it.a.downs.containsKey(first));
    it.post(second, "arrives");
    it.pair.await("the other is left", () -> it.b.arrived.equals(List.of("arrives")));
  }

  @Test
  void linksThatEndUntakenAreBoundedToo() {
    var it = new NotifyPair(Map.of("notify.links", 2));
    it.b.takes = () -> false;
    for (int i = 0; i < 2; i++) {
      var port = it.up();
      it.post(port, Integer.toString(i));
      int reports = i + 1;
      it.pair.await("its report", () -> it.a.reports() == reports);
      it.retire(port);
      it.pair.run(10 * MILLI);
    }
    assertTrue(
        it.refused(it.pair.a.openPort(it.pair.b, 0, 0, SECOND)).text().contains("nobody took"));
    it.b.takes = () -> true;
    it.pair.run(SECOND);
    assertEquals(List.of("0", "1"), it.b.arrived);
    it.up();
  }

  @Test
  void whatAnEarlierProcessOfTheSenderHadGoes() {
    up();
    up();
    pair.run(MILLI);
    assertEquals(2, pair.nicsB[0].qps());
    strange("a", 0xa0, 1);
    pair.run(SECOND);
    assertEquals(3, pair.nicsB[0].qps(), "an older one changes nothing");
    strange("a", 0xa2, 1);
    pair.run(SECOND);
    assertEquals(1, pair.nicsB[0].qps());
  }

  @Test
  void memoryThatADeviceMayStillWriteIsKept() {
    var port = up();
    pair.nicsB[0].refuseCloses(1);
    pair.nicsA[0].refuseCloses(1);
    retire(port);
    pair.run(10 * SECOND);
    for (var nic : List.of(pair.nicsA[0], pair.nicsB[0])) {
      assertEquals(1, nic.qps());
      assertEquals(4L * SLOT, nic.registeredBytes() - Pair.MEMORY);
    }
    pair.a.close();
    pair.b.close();
    for (var nic : pair.fabric.nics()) {
      assertEquals(0, nic.resources(), nic.name());
    }
  }
}
