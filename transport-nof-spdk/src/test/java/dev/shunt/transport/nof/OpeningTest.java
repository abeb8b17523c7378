package dev.shunt.transport.nof;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.TargetOpening.Opened;
import dev.shunt.api.spi.TargetOpening.Refused;
import dev.shunt.api.spi.TransportException;
import dev.shunt.transport.nof.testing.Action;
import dev.shunt.transport.nof.testing.Rule;
import dev.shunt.transport.nof.testing.SoftOptions;
import dev.shunt.transport.nof.testing.Stage;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Opening a target, and connecting to it: what comes of it, and by when. */
class OpeningTest {
  private static final long SECOND = Node.SECOND;
  private static final long MILLI = Node.MILLI;

  private static Fault refused(Object opening) {
    return assertInstanceOf(Refused.class, opening).fault();
  }

  @Test
  void aTargetIsDescribed() {
    var node = new Node(1, Map.of());
    var target = node.target(new SoftOptions().size(4096, 256).mdts(6));
    var opened = assertInstanceOf(Opened.class, node.open(target.name(), SECOND));
    assertEquals(1 << 20, opened.size());
    assertEquals(4096, opened.blockSize());
    assertEquals(256 << 10, opened.maxSlice());
    assertEquals(1, opened.rails().size());
    assertEquals("10.0.0.2:4421", opened.rails().getFirst().name());
    assertEquals(List.of(), target.violations());
  }

  @Test
  void theLongestSliceIsTheConfiguredOneWhereTheTargetTakesMore() {
    var node = new Node(1, Map.of("max-slice", "256KiB"));
    var target = node.target(new SoftOptions().mdts(0));
    var opened = assertInstanceOf(Opened.class, node.open(target.name(), SECOND));
    assertEquals(256 << 10, opened.maxSlice());
  }

  @Test
  void whatCannotBeOpenedSaysWhy() {
    var node = new Node(1, Map.of());
    var target = node.target(new SoftOptions());
    var name = target.name();
    var cases =
        Map.of(
            name.replace("ns:1", "ns:2"),
            FailureCode.UNKNOWN_SEGMENT,
            name.replace("soft", "other"),
            FailureCode.UNKNOWN_SEGMENT,
            name.replace("4421", "4999"),
            FailureCode.CONNECTION,
            name.replace("TCP", "RDMA"),
            FailureCode.REJECTED,
            "traddr:10.0.0.2",
            FailureCode.REJECTED);
    cases.forEach(
        (wrong, code) -> {
          var fault = refused(node.open(wrong, SECOND));
          assertEquals(code, fault.code(), fault::toString);
          assertEquals(Fault.Effect.NONE, fault.effect());
        });
    assertInstanceOf(Opened.class, node.open(name, SECOND));
  }

  @Test
  void everyPointWhereTheTargetFallsSilentEndsByItsDeadline() {
    for (var stage :
        List.of(
            Stage.ACCEPT,
            Stage.IC,
            Stage.CONNECT,
            Stage.PROPERTY,
            Stage.IDENTIFY,
            Stage.FEATURES)) {
      for (var action : List.of(Action.STALL, Action.DROP, Action.CLOSE, Action.FORGET)) {
        if (stage == Stage.ACCEPT && action == Action.FORGET) {
          continue;
        }
        var node = new Node(2, Map.of("command-timeout", "2s"));
        var target = node.target(new SoftOptions());
        target.rule(Rule.always(stage, action));
        long begin = node.world.now();
        var fault = refused(node.open(target.name(), 10 * SECOND));
        long took = node.world.now() - begin;
        assertTrue(took < 2 * SECOND + 50 * MILLI, stage + " " + action + " took " + took);
        assertEquals(Fault.Blame.REMOTE, fault.blame(), () -> stage + " " + action + fault);
        target.heal();
        assertInstanceOf(Opened.class, node.open(target.name(), SECOND), stage + " " + action);
      }
    }
  }

  @Test
  void theCallersDeadlineHoldsWhateverTheTargetDoes() {
    for (var stage : List.of(Stage.ACCEPT, Stage.CONNECT, Stage.IDENTIFY)) {
      var node = new Node(3, Map.of());
      var target = node.target(new SoftOptions());
      target.rule(Rule.always(stage, Action.STALL));
      long begin = node.world.now();
      assertEquals(FailureCode.UNREACHABLE, refused(node.open(target.name(), SECOND / 2)).code());
      assertTrue(node.world.now() - begin < SECOND / 2 + MILLI);
    }
  }

  @Test
  void anIoQueueThatFallsSilentEndsByItsDeadlineAndTheControllerStays() {
    for (var stage : List.of(Stage.IC, Stage.CONNECT)) {
      for (var action : List.of(Action.STALL, Action.DROP, Action.FORGET)) {
        var node = new Node(4, Map.of());
        var target = node.target(new SoftOptions());
        node.open(target.name(), SECOND);
        target.rule(new Rule(stage, -1, 0, 1, action, 0));
        long begin = node.world.now();
        var answer = node.connect(target.name(), SECOND / 2);
        node.await(answer::answered, SECOND);
        assertNotNull(answer.failed, stage + " " + action);
        assertTrue(answer.at - begin <= SECOND / 2 + MILLI, stage + " " + action);
        node.up(target.name());
        assertEquals(1, target.events().stream().filter(e -> e.startsWith("controller")).count());
      }
    }
  }

  @Test
  void aTargetThatIsNotReadyIsAskedAgainUntilItsOwnTimeIsUp() {
    var node = new Node(5, Map.of());
    var slow = node.target(new SoftOptions().readyPolls(200));
    assertInstanceOf(Opened.class, node.open(slow.name(), 10 * SECOND));
    var never = node.target(new SoftOptions().readyPolls(Integer.MAX_VALUE));
    long begin = node.world.now();
    var fault = refused(node.open(never.name(), 60 * SECOND));
    assertEquals(FailureCode.UNREACHABLE, fault.code());
    long took = node.world.now() - begin;
    assertTrue(took > 14 * SECOND && took < 16 * SECOND, "CAP.TO says 15 s, and it took " + took);
  }

  @Test
  void aRefusedConnectTellsTheStatus() {
    var node = new Node(6, Map.of());
    var target = node.target(new SoftOptions());
    target.rule(Rule.always(Stage.CONNECT, Action.STATUS).value(0x4184));
    var fault = refused(node.open(target.name(), SECOND));
    assertEquals(FailureCode.REMOTE_ACCESS, fault.code());
    assertEquals(0x184, fault.vendorCode());
  }

  @Test
  void anotherNamespaceUnderTheSameNumberIsNotTheOneThatWasOpened() {
    var node = new Node(7, Map.of());
    var target = node.target(new SoftOptions());
    node.open(target.name(), SECOND);
    var channel = node.up(target.name());
    target.become(
        new SoftOptions().uuid(new byte[] {9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9}));
    node.await(() -> node.answers.get(channel.link().id()).down != null, SECOND);
    node.world.run(10 * MILLI);
    var answer = node.connect(target.name(), SECOND);
    node.await(answer::answered, 2 * SECOND);
    assertEquals(FailureCode.STALE_GENERATION, answer.failed.code(), answer.failed::toString);
    // Opened again, it is what it is now.
    assertInstanceOf(Opened.class, node.open(target.name(), SECOND));
    node.up(target.name());
  }

  @Test
  void aTargetWithoutDescriptorsIsToldByItsNguid() {
    var node = new Node(8, Map.of());
    var target = node.target(new SoftOptions().descriptors(false));
    assertInstanceOf(Opened.class, node.open(target.name(), SECOND));
    node.up(target.name());
  }

  @Test
  void thePathsOfTwoRailsHaveTwoControllers() {
    var node = new Node(9, Map.of("rails", List.of("10.0.0.1", "10.0.1.1")));
    var target = node.target(new SoftOptions());
    node.open(target.name(), SECOND);
    node.up(target.name());
    var second = node.connect(target.name(), 1, SECOND);
    node.await(second::answered, 2 * SECOND);
    assertNotNull(second.channel);
    assertEquals(2, target.controllers());
    assertEquals(4, target.connections());
  }

  @Test
  void aRailThatIsNotThereIsLeftOutUnlessAllMustBe() {
    var node = new Node(10, Map.of("rails", List.of("10.9.9.9", "10.0.1.1")));
    assertEquals(1, node.rails.size());
    assertEquals("10.0.1.1", node.rails.getFirst().name());
    var target = node.target(new SoftOptions());
    assertInstanceOf(Opened.class, node.open(target.name(), SECOND));
    assertThrows(
        TransportException.class,
        () -> new Node(10, Map.of("rails", List.of("10.9.9.9", "10.0.1.1"), "strict-rails", true)));
    assertThrows(
        TransportException.class, () -> new Node(10, Map.of("rails", List.of("nonsense"))));
  }

  @Test
  void openingGoesOnWithTheNextRail() {
    var node = new Node(11, Map.of("rails", List.of("10.0.0.1", "10.0.1.1")));
    var target = node.target(new SoftOptions());
    node.network.path("10.0.0.1", "10.0.0.2").blackhole();
    assertInstanceOf(Opened.class, node.open(target.name(), 10 * SECOND));
  }

  @Test
  void aControllerHasOnlySoManyQueuesAndTheyComeBack() {
    var node = new Node(12, Map.of("num-io-queues", 2));
    var target = node.target(new SoftOptions());
    var first = node.up(target.name());
    node.up(target.name());
    var third = node.connect(target.name(), SECOND);
    node.await(third::answered, 2 * SECOND);
    assertEquals(FailureCode.RESOURCE, third.failed.code());
    assertEquals(Fault.Blame.NEUTRAL, third.failed.blame());
    node.onLane(() -> first.retire(dev.shunt.api.spi.RetireReason.EVICTED, node.now()));
    node.await(() -> node.answers.get(first.link().id()).down != null, SECOND);
    node.world.run(10 * MILLI);
    node.up(target.name());
  }

  @Test
  void anIdleControllerMakesRoomForAnother() {
    var node = new Node(13, Map.of("max-controllers", 1));
    var one = node.target(new SoftOptions());
    var two = node.target(new SoftOptions());
    assertInstanceOf(Opened.class, node.open(one.name(), SECOND));
    var channel = node.up(one.name());
    assertEquals(FailureCode.RESOURCE, refused(node.open(two.name(), SECOND)).code());
    node.onLane(() -> channel.retire(dev.shunt.api.spi.RetireReason.CLOSED, node.now()));
    node.world.run(10 * MILLI);
    assertInstanceOf(Opened.class, node.open(two.name(), SECOND));
    node.world.run(10 * MILLI);
    assertEquals(0, one.connections());
    assertTrue(one.events().contains("controller 1 is shut down"), one.events()::toString);
  }

  @Test
  void closingTellsTheTargetAndLeavesNothing() {
    var node = new Node(14, Map.of());
    var target = node.target(new SoftOptions());
    node.up(target.name());
    node.close();
    node.world.run(SECOND);
    assertEquals(0, target.connections());
    assertTrue(target.events().contains("controller 1 is shut down"), target.events()::toString);
    assertEquals(0, node.network.open().size());
  }
}
