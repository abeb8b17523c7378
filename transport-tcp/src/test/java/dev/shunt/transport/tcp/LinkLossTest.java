package dev.shunt.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A rail whose link is gone, and what becomes of what it carries. */
class LinkLossTest {
  private static final long LENGTH = 4096;

  @Test
  void aLostLinkEndsWhatTheRailCarriesAndNothingElse() {
    var town = new Town(1, 2, "");
    var first = town.up(town.a, town.b, 0, 0);
    var second = town.up(town.a, town.b, 1, 1);
    town.network.path("10.0.0.1", "10.0.0.2").hold();
    var under = town.post(first, town.b, 1, LENGTH);
    town.world.run(1_000_000);
    town.a.links.up(0, false);
    assertTrue(town.until(() -> Town.isDown(town.a, 0, first.link().id())));
    var fault = town.a.lanes.get(0).down.get(first.link().id());
    assertEquals(Fault.Blame.LOCAL, fault.blame());
    assertEquals(FailureCode.DEVICE, fault.code());
    assertEquals(Fault.Effect.POSSIBLE, under.fault.effect());
    assertEquals(List.of("lost 0"), town.a.told);
    assertFalse(Town.isDown(town.a, 1, second.link().id()));
    assertTrue(town.completes(town.post(second, town.b, 2, LENGTH)));
    assertEquals(List.of(), town.b.told);
  }

  @Test
  void aSecondOfNewsIsNotNeeded() {
    var town = new Town(1, 1, "");
    var channel = town.up(town.a, town.b, 0, 0);
    long since = town.world.now();
    town.a.links.carrier(0, false);
    assertTrue(town.until(() -> Town.isDown(town.a, 0, channel.link().id())));
    assertTrue(town.world.now() - since < Node.SECOND / 1000, "late");
  }

  @Test
  void thePassiveEndOfALostRailLetsGoToo() {
    var town = new Town(1, 1, "");
    var link = town.up(town.a, town.b, 0, 0).link().id();
    var lane = (TcpLane) town.b.lanes.get(0).driver();
    assertTrue(lane.knows(link, 0));
    town.b.links.up(0, false);
    assertTrue(town.until(() -> !lane.knows(link, 0)));
    assertEquals(List.of("lost 0"), town.b.told);
  }

  @Test
  void nothingIsDialedFromARailWithoutALinkAndAgainWhenItIsBack() {
    var town = new Town(1, 1, "");
    town.a.links.remove(0, "10.0.0.1");
    assertTrue(town.until(() -> town.a.told.contains("lost 0")));
    long since = town.world.now();
    var id = town.a.connect(town.b, 0, 0);
    assertTrue(town.until(() -> town.a.lanes.get(0).failed.containsKey(id)));
    assertEquals(Fault.Blame.LOCAL, town.a.lanes.get(0).failed.get(id).blame());
    assertTrue(town.world.now() - since < Node.SECOND / 1000, "late");
    town.a.links.add(0, "10.0.0.1");
    assertTrue(town.until(() -> town.a.told.contains("back 0")));
    assertTrue(town.completes(town.post(town.up(town.a, town.b, 0, 0), town.b, 3, LENGTH)));
    assertEquals(List.of("lost 0", "back 0"), town.a.told);
  }

  @Test
  void flapsAreToldOneByOne() {
    var town = new Town(1, 1, "");
    for (int i = 0; i < 20; i++) {
      town.a.links.up(1, false);
      town.world.run(Node.SECOND / 5);
      town.a.links.up(1, true);
      town.world.run(Node.SECOND / 5);
    }
    assertEquals(40, town.a.told.size());
  }

  @Test
  void aCheckPassesWhereTheRailWorks() {
    var town = new Town(1, 2, "");
    for (int rail = 0; rail < 2; rail++) {
      assertEquals(Optional.empty(), check(town, rail, false));
      assertEquals(Optional.empty(), check(town, rail, true));
    }
    assertEquals(List.of(), town.a.told);
    assertTrue(town.completes(town.post(town.up(town.b, town.a, 0, 0), town.a, 4, LENGTH)));
  }

  @Test
  void aCheckSaysWhatTheLinkLacks() {
    var town = new Town(1, 1, "");
    town.a.links.carrier(0, false);
    assertTrue(town.until(() -> town.a.told.contains("lost 0")));
    var fault = check(town, 0, false).orElseThrow();
    assertEquals(Fault.Blame.LOCAL, fault.blame());
    assertTrue(fault.text().contains("link0 has no carrier"), fault.text());
  }

  @Test
  void aCheckWhoseLinkGoesMeanwhileFails() {
    var town = new Town(1, 1, "");
    town.network.path("10.0.0.1", "10.0.0.1").delay(Node.SECOND / 10, 0);
    var asked = new Asked(town, 0, false);
    town.world.run(Node.SECOND / 100);
    town.a.links.carrier(0, false);
    assertTrue(asked.answer().isPresent());
  }

  @Test
  void aCheckThatIsNotAnsweredFailsInTime() {
    var town = new Town(1, 1, "handshake-timeout = 1s");
    town.network.path("10.0.0.1", "10.0.0.1").blackhole();
    long since = town.world.now();
    assertTrue(check(town, 0, false).isPresent());
    assertTrue(town.world.now() - since <= 2.1 * Node.SECOND, "late");
  }

  @Test
  void aListenerThatIsGoneIsMadeAnewAndAnotherPortIsPublished() {
    var town = new Town(1, 1, "");
    var before = town.a.rails.get(0).attributes();
    var lane = (TcpLane) town.a.lanes.get(0).driver();
    lane.rails().loseForTest(0);
    assertEquals(Optional.empty(), check(town, 0, false));
    assertEquals(before, town.a.rails.get(0).attributes());
    lane.rails().loseForTest(0);
    var squatter = town.hostA.start("squatter");
    var at = Town.addressOf(town.a.rail(0));
    var loop = town.hostA.wires(squatter).open("loop");
    squatter.actor("squatter", loop::poll);
    loop.listen(at, (_, _) -> new Stranger());
    assertEquals(Optional.empty(), check(town, 0, false));
    assertNotEquals(before, town.a.rails.get(0).attributes());
    assertEquals(List.of("changed 0"), town.a.told);
    assertTrue(town.completes(town.post(town.up(town.b, town.a, 0, 0), town.a, 5, LENGTH)));
  }

  @Test
  void anotherProcessAtTheRailsPortIsNotTakenForItsOwn() {
    var town = new Town(1, 1, "");
    var before = town.a.rails.get(0).attributes();
    ((TcpLane) town.a.lanes.get(0).driver()).rails().loseForTest(0);
    var rail = "{ address = \"10.0.0.1\", port = " + before.get("port") + " }";
    new Node(town.world, town.hostA, 0xc1, 1, Town.config("rails = [" + rail + "]"));
    assertEquals(Optional.empty(), check(town, 0, false));
    assertNotEquals(before, town.a.rails.get(0).attributes());
  }

  @Test
  void whoIsClosedWatchesNoMore() {
    var town = new Town(1, 1, "");
    assertEquals(1, town.a.links.watched());
    town.a.transport.close();
    assertEquals(0, town.a.links.watched());
  }

  private static Optional<Fault> check(Town town, int rail, boolean anew) {
    return new Asked(town, rail, anew).answer();
  }

  private static final class Asked {
    private final Town town;
    private Optional<Fault> answer;

    Asked(Town town, int rail, boolean anew) {
      this.town = town;
      var node = town.a;
      node.supervisor()
          .execute(
              () ->
                  node.transport.check(
                      node.rails.get(rail),
                      anew,
                      node.now() + 5 * Node.SECOND,
                      found -> answer = found));
    }

    Optional<Fault> answer() {
      assertTrue(town.until(() -> answer != null), "no answer");
      return answer;
    }
  }
}
