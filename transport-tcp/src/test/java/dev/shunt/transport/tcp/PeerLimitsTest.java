package dev.shunt.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Channel;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.RetireReason;
import dev.shunt.api.spi.Verdict;
import java.util.ArrayList;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** One peer cannot take all of a rail; others notice nothing of one that tries. */
class PeerLimitsTest {
  @Test
  void streamsOfAPeerAreBoundedAndComeBack() {
    var town = new Town(1, 1, "max-peer-streams = 2");
    var first = town.up(town.a, town.b, 0, 0);
    town.up(town.a, town.b, 0, 0);
    var fault = refused(town);
    assertTrue(fault.text().contains("max-peer-streams"), fault.text());
    assertEquals(FailureCode.CONNECTION, fault.code());
    others(town);
    first.retire(RetireReason.EVICTED, town.world.now());
    town.world.run(Node.SECOND);
    town.up(town.a, town.b, 0, 0);
  }

  @Test
  void requestsOfAPeerAreBounded() {
    var town = new Town(1, 1, "depth = 100, max-peer-requests = 150");
    assertEquals(100, town.up(town.a, town.b, 0, 0).room());
    assertEquals(150 - 108 - 8, town.up(town.a, town.b, 0, 0).room());
    assertTrue(refused(town).text().contains("max-peer-requests"));
    others(town);
  }

  @Test
  void bytesOfAPeerAreBounded() {
    var town = new Town(1, 1, "max-slice = 1MiB, slice-size = 64KiB, max-peer-bytes = 2MiB");
    town.up(town.a, town.b, 0, 0);
    town.up(town.a, town.b, 0, 0);
    assertTrue(refused(town).text().contains("max-peer-bytes"));
    others(town);
  }

  @Test
  void aPeerOfVersion1IsToldThatTheRailIsBusy() {
    var town = new Town(1, 1, "max-peer-streams = 1");
    town.b.verdict = new Verdict(Map.of("tcp.stream", 1));
    town.up(town.a, town.b, 0, 0);
    assertTrue(refused(town).text().contains("max-inbound-streams"));
  }

  private static Fault refused(Town town) {
    var lane = town.a.lanes.get(0);
    var id = town.a.connect(town.b, 0, 0);
    assertTrue(town.until(() -> lane.failed.containsKey(id) || lane.up.containsKey(id)));
    assertTrue(lane.failed.containsKey(id), "it is up");
    return lane.failed.get(id);
  }

  /** Another peer has its place, and its transfers. */
  private static void others(Town town) {
    var host = town.network.host("c", "10.0.0.3");
    var node = new Node(town.world, host, 0xc1, 1, Town.config("", "10.0.0.3"));
    node.verdict = town.b.verdict;
    var channels = new ArrayList<Channel>();
    channels.add(town.up(node, town.b, 0, 0));
    for (var channel : channels) {
      assertTrue(town.completes(town.post(channel, town.b, 3, 20_000)));
    }
  }
}
