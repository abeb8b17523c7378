package dev.shunt.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Verdict;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A connection that was cut silently while it was idle does not stay for ever, at either end. */
class KeepAliveTest {
  private static final String SETTINGS = "keep-alive-interval = 2s, keep-alive-timeout = 1s";

  @Test
  void aPeerThatIsGoneIsNoticedWithinIntervalAndTimeout() {
    var town = new Town(1, 1, SETTINGS);
    var channel = town.up(town.a, town.b, 0, 0);
    cut(town);
    long since = town.world.now();
    assertTrue(town.until(() -> Town.isDown(town.a, 0, channel.link().id())));
    assertTrue(town.world.now() - since < 3.1 * Node.SECOND, "late");
    var fault = town.a.lanes.get(0).down.get(channel.link().id());
    assertEquals(FailureCode.UNREACHABLE, fault.code());
    assertEquals(Fault.Blame.NEUTRAL, fault.blame());
    assertTrue(fault.text().contains("keep-alive-timeout"), fault.text());
  }

  @Test
  void thePassiveEndLetsGoOfAPeerThatIsGone() {
    var town = new Town(1, 1, SETTINGS);
    var link = town.up(town.a, town.b, 0, 0).link().id();
    assertTrue(served(town, link));
    cut(town);
    long since = town.world.now();
    assertTrue(town.until(() -> !served(town, link)));
    assertTrue(town.world.now() - since < 6.1 * Node.SECOND, "late");
  }

  @Test
  void aFrozenPeerIsNoticedAndAnIdleOneStays() {
    var town = new Town(1, 1, SETTINGS);
    var link = town.up(town.a, town.b, 0, 0).link().id();
    town.world.run(100 * Node.SECOND);
    assertTrue(served(town, link));
    assertFalse(Town.isDown(town.a, 0, link));
    town.b.process.freeze();
    assertTrue(town.until(() -> Town.isDown(town.a, 0, link)));
  }

  @Test
  void oneThatWasFrozenItselfTakesNobodyForGone() {
    var town = new Town(1, 1, SETTINGS);
    var link = town.up(town.a, town.b, 0, 0).link().id();
    for (int i = 0; i < 20; i++) {
      town.world.run(Node.SECOND + i * Node.SECOND / 10);
      town.a.process.freeze();
      town.world.run(3 * Node.SECOND / 2);
      town.a.process.thaw();
      town.world.run(Node.SECOND / 10);
      assertFalse(Town.isDown(town.a, 0, link), "round " + i);
      assertTrue(served(town, link), "round " + i);
    }
  }

  @Test
  void withoutItASilentCutGoesUnnoticed() {
    var town = new Town(1, 1, "keep-alive-interval = 0s");
    var link = town.up(town.a, town.b, 0, 0).link().id();
    cut(town);
    town.world.run(1000 * Node.SECOND);
    assertFalse(Town.isDown(town.a, 0, link), "the tests around this one prove nothing");
    assertTrue(served(town, link));
  }

  @Test
  void aPeerOfVersion1IsNotAsked() {
    var town = new Town(1, 1, SETTINGS);
    town.b.verdict = new Verdict(Map.of("tcp.stream", 1));
    var link = town.up(town.a, town.b, 0, 0).link().id();
    town.world.run(100 * Node.SECOND);
    assertFalse(Town.isDown(town.a, 0, link));
    assertTrue(served(town, link));
  }

  private static void cut(Town town) {
    town.network.path("10.0.0.1", "10.0.0.2").blackhole();
    town.network.path("10.0.0.2", "10.0.0.1").blackhole();
  }

  private static boolean served(Town town, LinkId link) {
    return ((TcpLane) town.b.lanes.get(0).driver()).knows(link, 0);
  }
}
