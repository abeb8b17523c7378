package dev.shunt.transport.rdma;

import static dev.shunt.transport.rdma.Pair.MILLI;
import static dev.shunt.transport.rdma.Pair.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Fault.Effect;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.NotifyPort;
import dev.shunt.api.spi.RetireReason;
import dev.shunt.transport.rdma.testing.TestNode;
import dev.shunt.transport.rdma.wire.BootstrapCodec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Notifications with a plain peer, whose notify QP goes with its connection for data. */
class NotifyPlainTest extends NotifyPair {
  private LinkId connect() {
    return pair.up(pair.a.connect(pair.b, 0, 0, 0, 5 * SECOND));
  }

  private NotifyPort plain() {
    return up(pair.a.openPort(pair.b, 0, 0, 0, SECOND));
  }

  private NotifyPort back() {
    var link = pair.b.openPort(pair.a, 0, 0, 0, SECOND);
    pair.await("an answer", () -> b.ports.containsKey(link) || b.refusals.containsKey(link));
    assertNotNull(b.ports.get(link), () -> "a port, not " + b.refusals.get(link));
    return b.ports.get(link);
  }

  @Test
  void theQpIsToldInTheHandshakeWithFewReceivesAndServesBothSides() throws Exception {
    var asked = new ArrayList<byte[]>();
    pair.b.onAsked = asked::add;
    var link = connect();
    var text = new String(asked.getFirst(), StandardCharsets.UTF_8);
    assertFalse(text.contains("shunt"), text);
    assertFalse(text.contains("notify_proto"), text);
    assertTrue(BootstrapCodec.decode(asked.getFirst()).notifyQpNumber() > 0, text);
    for (var nic : List.of(pair.nicsA[0], pair.nicsB[0])) {
      assertEquals(3, nic.qps());
      assertEquals(4L * SLOT, nic.registeredBytes() - Pair.MEMORY, "receives, and no more");
    }
    var there = plain();
    assertEquals(0, there.protocol());
    for (int i = 0; i < 50; i++) {
      post(there, Integer.toString(i));
    }
    pair.await("all of them", () -> b.arrived.size() == 50);
    var back = back();
    back.post(
        new dev.shunt.transport.rdma.testing.TestFrame("back", pair.world.now() + SECOND),
        pair.world.now());
    pair.await("the other direction", () -> a.arrived.equals(List.of("back")));
    assertEquals("a", b.origin.node());
    assertEquals("b", a.origin.node());
    pair.carry(link);
    assertEquals(3, pair.nicsA[0].qps(), "one connection");
  }

  @Test
  void whoWantsNoNotificationsNamesNoQp() throws Exception {
    var mute = new Pair();
    var asked = new ArrayList<byte[]>();
    mute.b.onAsked = asked::add;
    mute.up(mute.a.connect(mute.b, 0, 0, 0, 5 * SECOND));
    assertEquals(0, BootstrapCodec.decode(asked.getFirst()).notifyQpNumber());
    assertEquals(2, mute.nicsA[0].qps());
    var one = new Pair();
    one.a.notifying(0);
    var link = one.up(one.a.connect(one.b, 0, 0, 0, 5 * SECOND));
    one.carry(link);
    one.run(10 * MILLI);
    assertEquals(2, one.nicsA[0].qps(), "the peer has none");
    var port = one.a.openPort(one.b, 0, 0, 0, SECOND);
    one.await("an answer", () -> one.a.notifications.refusals.containsKey(port));
    assertEquals(FailureCode.BUSY, one.a.notifications.refusals.get(port).code());
  }

  @Test
  void withoutAConnectionThereIsNoPort() {
    var refusal = refused(pair.a.openPort(pair.b, 0, 0, 0, SECOND));
    assertEquals(FailureCode.BUSY, refusal.code());
    assertEquals(Blame.NEUTRAL, refusal.blame());
  }

  @Test
  void aPortThatRetiresLeavesTheConnectionAndAnotherMayCome() {
    var link = connect();
    var first = plain();
    pair.fabric.path(pair.nicsA[0], pair.nicsB[0]).hold();
    var sent = post(first, "sent");
    pair.run(MILLI);
    first.retire(RetireReason.EVICTED, pair.world.now());
    assertTrue(a.downs.containsKey(first));
    assertEquals(Effect.POSSIBLE, a.faults.get(sent).effect());
    pair.fabric.path(pair.nicsA[0], pair.nicsB[0]).release();
    var second = plain();
    post(second, "again");
    pair.await("both", () -> b.arrived.equals(List.of("sent", "again")));
    pair.await("its report", () -> a.delivered.size() == 1);
    pair.run(10 * MILLI);
    assertEquals(2, a.reports(), "each is reported once");
    pair.carry(link);
    var third = refused(pair.a.openPort(pair.b, 0, 0, 0, SECOND));
    assertEquals(FailureCode.BUSY, third.code(), "one at a time");
  }

  @Test
  void itEndsWithItsConnectionAndWhatLandedIsHandedUp() {
    var link = connect();
    var port = plain();
    for (int i = 0; i < 4; i++) {
      post(port, Integer.toString(i));
    }
    pair.await("slots", () -> pair.nicsA[0].registeredBytes() - Pair.MEMORY == 8L * SLOT);
    while (a.reports() < 4) {
      pair.a.turn();
      pair.world.run(10_000);
    }
    assertEquals(List.of(), b.arrived);
    // The peer's supervisor replaces the connection before its lane has looked.
    TestNode other = pair.b;
    var question = BootstrapCodec.encode(replacement());
    other.ask(Connector.BOOTSTRAP, question, answer -> {});
    pair.run(10 * SECOND);
    assertEquals(List.of("0", "1", "2", "3"), b.arrived);
    pair.a.channels.get(link).retire(RetireReason.CLOSED, pair.world.now());
    pair.down(link);
    pair.run(10 * SECOND);
    assertTrue(a.downs.containsKey(port));
    assertEquals(0, pair.nicsA[0].qps());
    assertEquals(Pair.MEMORY, pair.nicsA[0].registeredBytes());
  }

  /** As from a process that took the name of the first. */
  private dev.shunt.transport.rdma.wire.BootstrapDesc replacement() {
    return new dev.shunt.transport.rdma.wire.BootstrapDesc(
        "a@mlx5_0",
        "b@mlx5_2",
        List.of(5, 6),
        0,
        pair.nicsA[0].gid().toString(),
        "",
        0,
        java.util.Optional.empty());
  }

  @Test
  void aQpThatBreaksTakesOurConnectionSoThatBothComeAnew() {
    var link = connect();
    var port = plain();
    var sent = post(port, "sent");
    pair.await("its report", () -> a.delivered.contains(sent));
    // The notify QP is the last that was made.
    pair.nicsA[0].breakQp(pair.nicsA[0].qpNumbers().getLast());
    pair.down(link);
    pair.await("the end of the port", () -> a.downs.containsKey(port));
    pair.run(10 * SECOND);
    var again = connect();
    pair.carry(again);
    post(plain(), "anew");
    pair.await("it arrives", () -> b.arrived.contains("anew"));
  }

  @Test
  void closingLeavesNothing() {
    connect();
    post(plain(), "one");
    pair.run(MILLI);
    pair.a.close();
    pair.b.close();
    for (var nic : pair.fabric.nics()) {
      assertEquals(0, nic.resources(), nic.name());
    }
  }

  @Test
  void aSendersBurstMakesItsReceiverGrow() {
    var it = new NotifyPair(Map.of("notify.receive-slots", 16));
    it.pair.up(it.pair.a.connect(it.pair.b, 0, 0, 0, 5 * SECOND));
    var port = it.up(it.pair.a.openPort(it.pair.b, 0, 0, 0, SECOND));
    for (int round = 0; round < 5; round++) {
      for (int i = 0; i < 40; i++) {
        it.post(port, round + "." + i);
      }
      for (int i = 0; i < 10; i++) {
        it.pair.a.turn();
        it.pair.world.run(10_000);
      }
      int all = 40 * (round + 1);
      it.pair.await("all of them", () -> it.b.arrived.size() == all);
    }
    assertEquals(16L * SLOT, it.pair.nicsB[0].registeredBytes() - Pair.MEMORY);
  }
}
