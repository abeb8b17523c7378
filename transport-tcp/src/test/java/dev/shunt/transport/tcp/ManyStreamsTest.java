package dev.shunt.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.spi.Channel;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.RetireReason;
import dev.shunt.api.spi.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A link of several streams is one link still. */
class ManyStreamsTest {
  private static final int SEEDS = 100;
  private static final long LENGTH = 20_000;

  @Test
  void aLinkHasAsManyStreamsAsConfiguredAndUsesThemAll() {
    var town = town(1, "");
    var channel = town.up(town.a, town.b, 0, 0);
    assertEquals(3, streams(town));
    assertEquals(3 * 85, channel.room());
    var writes = posted(town, channel, 1, 9);
    town.world.run(10_000);
    long busy = town.network.path("10.0.0.1", "10.0.0.2").streams();
    assertEquals(3, busy);
    for (var write : writes) {
      assertTrue(town.completes(write));
    }
  }

  @Test
  void lateBytesOfNoStreamOfAFencedLinkLand() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      var town = town(seed, "");
      var stale = stalled(town);
      var survivor = town.up(town.a, town.b, 1, 1);
      assertTrue(survivor.fence(stale, town.world.now()));
      for (var redo : posted(town, survivor, 1, 6)) {
        assertTrue(town.completes(redo), "the redo");
      }
      assertTrue(town.completes(town.post(survivor, town.b, 2, LENGTH)), "newer data");
      town.network.path("10.0.0.1", "10.0.0.2").heal();
      town.world.run(10 * Node.SECOND);
      assertTrue(Town.holds(town.b, 2, LENGTH), "seed " + seed);
      assertEquals(0, town.b.memory.leases);
    }
  }

  @Test
  void aFenceByWordEndsEachStreamOfTheLink() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      var town = town(seed, "");
      var stale = stalled(town);
      var answers = new ArrayList<Boolean>();
      town.b.transport.fence(stale, answers::add);
      assertTrue(town.until(() -> !answers.isEmpty()));
      var survivor = town.up(town.a, town.b, 1, 1);
      assertTrue(town.completes(town.post(survivor, town.b, 2, LENGTH)));
      town.network.path("10.0.0.1", "10.0.0.2").heal();
      town.world.run(10 * Node.SECOND);
      assertTrue(Town.holds(town.b, 2, LENGTH), "seed " + seed);
    }
  }

  @Test
  void whicheverStreamCarriesTheRedoTheFenceIsDoneBeforeIt() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      var town = town(seed, "");
      var stale = stalled(town);
      var survivor = town.up(town.a, town.b, 1, 1);
      var busy = new Write(town.b, 3, 200_000);
      survivor.post(busy, town.world.now());
      survivor.flush(town.world.now());
      assertTrue(survivor.fence(stale, town.world.now()));
      var redone = posted(town, survivor, 1, 4);
      assertTrue(town.until(() -> redone.stream().anyMatch(Write::ended)));
      assertFalse(busy.ended(), "one stream is to be far behind the others");
      for (var lane : town.b.lanes) {
        assertTrue(((TcpLane) lane.driver()).isFenced(stale), "seed " + seed);
      }
    }
  }

  @Test
  void aFenceOfItsOwnLinkIsNone() {
    var town = town(1, "");
    var channel = town.up(town.a, town.b, 0, 0);
    assertTrue(channel.fence(channel.link().id(), town.world.now()));
    assertTrue(town.completes(town.post(channel, town.b, 1, LENGTH)));
  }

  @Test
  void streamsThatCannotBeHadAreDoneWithout() {
    var town = town(1, "max-inbound-streams = 2");
    var channel = town.up(town.a, town.b, 0, 0);
    assertEquals(2, streams(town));
    for (var write : posted(town, channel, 1, 6)) {
      assertTrue(town.completes(write));
    }
  }

  @Test
  void theOtherStreamsThatTakeTooLongAreDoneWithout() {
    var town = town(1, "");
    var id = town.a.connect(town.b, 0, 0);
    var path = town.network.path("10.0.0.1", "10.0.0.2");
    var dialing = town.until(() -> town.network.open().size() == 2);
    assertTrue(dialing);
    assertTrue(town.until(() -> ((TcpLane) town.b.lanes.get(0).driver()).knows(id, 0)));
    town.world.run(60_000);
    path.hold();
    var channel = town.a.lanes.get(0).await(id);
    path.release();
    assertTrue(town.completes(town.post(channel, town.b, 1, LENGTH)));
  }

  @Test
  void whenOneStreamBreaksTheLinkEndsWithAllItsSlices() {
    for (long seed = 1; seed <= 20; seed++) {
      var town = town(seed, "");
      var channel = town.up(town.a, town.b, 0, 0);
      var writes = posted(town, channel, 1, 9);
      town.world.run(seed * 3000);
      town.network.open().get((int) (seed % 6)).cut();
      assertTrue(town.until(() -> Town.isDown(town.a, 0, channel.link().id())));
      writes.forEach(it -> assertTrue(it.ended()));
      assertEquals(0, channel.room());
      town.world.run(Node.SECOND);
      assertEquals(0, streams(town));
      assertEquals(0, town.b.memory.leases);
    }
  }

  @Test
  void aPeerOfVersion1HasOneStream() {
    var town = town(1, "");
    town.b.verdict = new Verdict(Map.of("tcp.stream", 1));
    var channel = town.up(town.a, town.b, 0, 0);
    assertEquals(1, streams(town));
    assertTrue(town.completes(town.post(channel, town.b, 1, LENGTH)));
  }

  @Test
  void aFencedLinkGetsNoFurtherStream() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      var town = town(seed, "");
      var id = town.a.connect(town.b, 0, 0);
      town.world.run(40_000 + seed * 2_000);
      var answers = new ArrayList<Boolean>();
      town.b.transport.fence(id, answers::add);
      assertTrue(town.until(() -> !answers.isEmpty()));
      town.world.run(Node.SECOND);
      for (int stream = 0; stream < 3; stream++) {
        assertFalse(((TcpLane) town.b.lanes.get(0).driver()).knows(id, stream), "seed " + seed);
      }
      assertEquals(0, streams(town), "seed " + seed);
    }
  }

  private static Town town(long seed, String more) {
    return new Town(seed, 2, "streams = 3, merge-limit = 0, slice-size = 4KiB, " + more);
  }

  /** Those of node a, each of which has two ends. */
  private static int streams(Town town) {
    return town.network.open().size() / 2;
  }

  private static List<Write> posted(Town town, Channel channel, int content, int count) {
    var writes = new ArrayList<Write>();
    for (int i = 0; i < count; i++) {
      writes.add(new Write(town.b, content, LENGTH));
      channel.post(writes.getLast(), town.world.now());
    }
    channel.flush(town.world.now());
    return writes;
  }

  /** A link on rail 0 with old data under way on each stream, which its owner gave up. */
  private static LinkId stalled(Town town) {
    var path = town.network.path("10.0.0.1", "10.0.0.2");
    var channel = town.up(town.a, town.b, 0, 0);
    path.hold();
    var old = posted(town, channel, 1, 6);
    town.world.run(Node.SECOND);
    channel.retire(RetireReason.STALLED, town.world.now());
    assertTrue(town.until(() -> Town.isDown(town.a, 0, channel.link().id())));
    assertEquals(Fault.Effect.POSSIBLE, old.getFirst().fault.effect());
    return channel.link().id();
  }
}
