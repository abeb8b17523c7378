package dev.shunt.transport.nof;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.TargetOpening.Opened;
import dev.shunt.transport.nof.testing.Action;
import dev.shunt.transport.nof.testing.Rule;
import dev.shunt.transport.nof.testing.SoftOptions;
import dev.shunt.transport.nof.testing.Stage;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Each side learns that the other is gone, and an idle one is kept. */
class KeepAliveTest {
  private static final long SECOND = Node.SECOND;
  private static final long MILLI = Node.MILLI;

  @Test
  void anIdleControllerIsKeptForManyTimeouts() {
    var node = new Node(1, Map.of("keep-alive-timeout", "2s"));
    var target = node.target(new SoftOptions());
    var channel = node.up(target.name());
    node.world.run(20 * SECOND);
    assertNull(node.answers.get(channel.link().id()).down);
    assertEquals(1, target.controllers());
    // One each half of the timeout.
    assertTrue(
        target.keepAlives() >= 18 && target.keepAlives() <= 21, target.keepAlives() + " came");
    var slice = node.post(channel, true, 0, 512);
    node.await(slice::ended, SECOND);
    assertTrue(slice.good());
  }

  @Test
  void aBusyControllerIsKeptToo() {
    var node = new Node(1, Map.of("keep-alive-timeout", "2s"));
    var target = node.target(new SoftOptions());
    var channel = node.up(target.name());
    long end = node.world.now() + 10 * SECOND;
    while (node.world.now() < end) {
      var slice = node.post(channel, true, 0, 512);
      node.await(slice::ended, SECOND);
      node.world.run(20 * MILLI);
    }
    assertEquals(1, target.controllers());
    assertTrue(target.keepAlives() >= 8);
  }

  @Test
  void withoutKeepAliveNoneIsSentAndNothingExpires() {
    var node = new Node(1, Map.of("keep-alive-timeout", "0s"));
    var target = node.target(new SoftOptions());
    node.up(target.name());
    node.world.run(60 * SECOND);
    assertEquals(0, target.keepAlives());
    assertEquals(1, target.controllers());
  }

  @Test
  void aNodeThatFrozeIsDroppedByTheTargetAndConnectsAgainWhenItThaws() {
    var node = new Node(2, Map.of("keep-alive-timeout", "2s"));
    var target = node.target(new SoftOptions());
    assertInstanceOf(Opened.class, node.open(target.name(), SECOND));
    var channel = node.up(target.name());
    node.stage.freeze("a");
    node.world.run(5 * SECOND);
    assertEquals(0, target.controllers());
    assertTrue(target.events().contains("keep-alive of controller 1 expired"));
    node.stage.thaw("a");
    node.await(() -> node.answers.get(channel.link().id()).down != null, SECOND);
    var slice = node.post(node.up(target.name()), true, 0, 512);
    node.await(slice::ended, SECOND);
    assertTrue(slice.good());
  }

  @Test
  void aTargetThatAnswersNoKeepAliveIsLostAndItsQueuesWithIt() {
    for (var action : new Action[] {Action.FORGET, Action.STALL}) {
      var node = new Node(3, Map.of("keep-alive-timeout", "2s"));
      // Its own clock is slow: it must be us who notice.
      var target = node.target(new SoftOptions().leastKeepAlive(60 * SECOND));
      var channel = node.up(target.name());
      long begin = node.world.now();
      target.rule(Rule.once(Stage.KEEP_ALIVE, 0, action));
      target.rule(Rule.always(Stage.APPLY, Action.FORGET));
      node.world.run(SECOND / 2);
      var write = node.post(channel, true, 0, 512);
      var answer = node.answers.get(channel.link().id());
      node.await(() -> answer.down != null, 10 * SECOND);
      assertTrue(node.world.now() - begin < 3 * SECOND + 10 * MILLI, "known within KATO/2 + KATO");
      assertEquals(FailureCode.UNREACHABLE, answer.down.code());
      assertEquals(Fault.Effect.POSSIBLE, write.fault.effect());
      assertEquals(1, write.ends);
    }
  }

  @Test
  void aRefusedKeepAliveEndsTheController() {
    var node = new Node(4, Map.of("keep-alive-timeout", "2s"));
    var target = node.target(new SoftOptions());
    var channel = node.up(target.name());
    target.rule(Rule.once(Stage.KEEP_ALIVE, 0, Action.STATUS).value(6));
    var answer = node.answers.get(channel.link().id());
    node.await(() -> answer.down != null, 3 * SECOND);
    assertEquals(FailureCode.CONNECTION, answer.down.code());
    assertTrue(answer.down.text().contains("Keep Alive"), answer.down::text);
  }

  @Test
  void aTimeoutThatTheTargetRoundsUpIsStillKeptAtOurPace() {
    var node = new Node(5, Map.of("keep-alive-timeout", "1s"));
    var target = node.target(new SoftOptions().leastKeepAlive(10 * SECOND));
    node.up(target.name());
    node.world.run(20 * SECOND);
    assertTrue(target.keepAlives() >= 36, target.keepAlives() + " came");
    assertEquals(1, target.controllers());
  }

  @Test
  void theLossOfTheAdminQueueEndsTheIoQueues() {
    for (var action : new Action[] {Action.DROP, Action.CLOSE, Action.TERM, Action.UNKNOWN_PDU}) {
      var node = new Node(6, Map.of("keep-alive-timeout", "2s"));
      var target = node.target(new SoftOptions());
      var one = node.up(target.name());
      var two = node.up(target.name());
      target.rule(Rule.once(Stage.KEEP_ALIVE, 0, action).value(1));
      for (var channel : new dev.shunt.api.spi.Channel[] {one, two}) {
        var answer = node.answers.get(channel.link().id());
        node.await(() -> answer.down != null, 3 * SECOND);
        assertNotNull(answer.down);
      }
      node.up(target.name());
    }
  }
}
