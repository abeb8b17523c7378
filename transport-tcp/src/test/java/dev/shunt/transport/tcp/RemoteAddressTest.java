package dev.shunt.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.RemoteRail;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RemoteAddressTest {
  private static final InetAddress V4 = InetAddress.ofLiteral("10.0.0.1");
  private static final InetAddress V6 = InetAddress.ofLiteral("fd00::1");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "10.0.0.2",
        "::1",
        "[::1]",
        "fe80::2",
        "node-7",
        "node-7.example.org",
        "a.b.c.",
        "x_1"
      })
  void whatCanBeConnectedToIsTaken(String host) {
    assertEquals(host, published(host, "4000").orElseThrow().host());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a b", "-a", "a-", "a..b", "300.1.1.1", "a/b", ".a"})
  void whatCannotIsNot(String host) {
    assertTrue(published(host, "4000").isEmpty());
  }

  @Test
  void aNameHasItsBounds() {
    assertTrue(RemoteAddress.isName("a".repeat(253)));
    assertFalse(RemoteAddress.isName("a".repeat(254)));
  }

  @Test
  void theFirstAddressOfTheSameFamilyIsTaken() {
    var address = new RemoteAddress("node", 4000);
    assertEquals(V6, address.from(V6, V4, V6).orElseThrow().getAddress());
    assertEquals(V4, address.from(V4, V6, V4).orElseThrow().getAddress());
    assertTrue(address.from(V4, V6).isEmpty());
    assertTrue(address.from(V6, V4).isEmpty());
    var any = InetAddress.ofLiteral("::");
    assertEquals(V4, address.from(any, V4).orElseThrow().getAddress());
  }

  @Test
  void aLinkLocalAddressIsMeantOnTheLinkOfTheRail() throws UnknownHostException {
    var bytes = InetAddress.ofLiteral("fe80::1").getAddress();
    var local = Inet6Address.getByAddress(null, bytes, 3);
    assertEquals("fe80:0:0:0:0:0:0:1", RemoteAddress.withoutZone(local));
    var remote = new RemoteAddress("fe80::2", 1);
    var found = remote.from(local, InetAddress.ofLiteral("fe80::2")).orElseThrow().getAddress();
    assertEquals(3, ((Inet6Address) found).getScopeId());
  }

  @Test
  void aNameIsLookedUpAndAnUnknownOneIsTold() {
    var town = new Town(1, 1, "");
    var port = town.b.rails.getFirst().attributes().get("port");
    var lane = town.a.lanes.getFirst();
    var here = new RemoteRail("r", 0, Map.of("address", "localhost", "port", port));
    var found = town.a.connect(town.b.remote(), 0, 0, here, Node.SECOND);
    assertTrue(town.until(() -> lane.failed.containsKey(found)));
    assertFalse(lane.failed.get(found).text().contains("no address"), "it was looked up");

    var lost = new RemoteRail("r", 0, Map.of("address", "node.invalid", "port", port));
    var unknown = town.a.connect(town.b.remote(), 0, 0, lost, Node.SECOND);
    assertTrue(town.until(() -> lane.failed.containsKey(unknown)));
    var fault = lane.failed.get(unknown);
    assertEquals(FailureCode.UNREACHABLE, fault.code());
    assertEquals(Fault.Blame.REMOTE, fault.blame());
    assertTrue(fault.text().contains("no address of node.invalid"), fault.text());
  }

  private static java.util.Optional<RemoteAddress> published(String host, String port) {
    return RemoteAddress.of(new RemoteRail("r", 0, Map.of("address", host, "port", port)));
  }
}
