package dev.shunt.transport.tcp.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.transport.tcp.core.RailLinks.Change;
import dev.shunt.transport.tcp.core.RailLinks.Place;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RailLinksTest {
  private static final IpAddress FIRST = address(1);
  private static final IpAddress SECOND = address(2);
  private static final IpAddress ELSEWHERE = address(3);

  private final LinkTable table = new LinkTable();
  private final RailLinks rails =
      new RailLinks(List.of(new Place(FIRST, 0, "10.0.0.1"), new Place(SECOND, 0, "10.0.0.2")));

  RailLinksTest() {
    for (int i = 1; i <= 3; i++) {
      table.link(i, Optional.of("eth" + i), true, true);
    }
    table.address(1, FIRST);
    table.address(2, SECOND);
  }

  private static IpAddress address(int last) {
    return IpAddress.of(new byte[] {10, 0, 0, (byte) last}, 0, 4).orElseThrow();
  }

  private List<Change> update() {
    return rails.update(table.interfaces());
  }

  @Test
  void eachLossIsToldOnceAndEachReturnToo() {
    assertEquals(List.of(), update());
    table.link(1, Optional.empty(), true, false);
    assertEquals(List.of(new Change.Lost(0, "interface eth1 has no carrier")), update());
    assertEquals("interface eth1 has no carrier", rails.problem(0).orElseThrow());
    table.link(1, Optional.empty(), false, false);
    assertEquals(List.of(), update());
    assertEquals("interface eth1 is down", rails.problem(0).orElseThrow());
    table.link(1, Optional.empty(), true, true);
    assertEquals(List.of(new Change.Back(0)), update());
    assertEquals(List.of(), update());
  }

  @Test
  void anAddressThatIsGoneIsALossAlsoWhereItsInterfaceIsUp() {
    update();
    table.addressGone(2, SECOND);
    var lost = "no interface has its address 10.0.0.2 any more";
    assertEquals(List.of(new Change.Lost(1, lost)), update());
    table.address(2, SECOND);
    assertEquals(List.of(new Change.Back(1)), update());
    table.linkGone(2);
    assertEquals(List.of(new Change.Lost(1, lost)), update());
  }

  @Test
  void anAddressThatMovesTakesItsRailAlong() {
    update();
    table.address(3, FIRST);
    table.addressGone(1, FIRST);
    assertEquals(List.of(), update());
    table.link(1, Optional.empty(), false, false);
    assertEquals(List.of(), update());
    table.link(3, Optional.empty(), false, false);
    assertEquals(List.of(new Change.Lost(0, "interface eth3 is down")), update());
  }

  @Test
  void anAddressOnTwoInterfacesNeedsOneOfThem() {
    table.address(3, FIRST);
    update();
    table.link(1, Optional.empty(), false, false);
    assertEquals(List.of(), update());
  }

  @Test
  void whatIsDownAtTheStartIsToldAtTheStart() {
    table.link(1, Optional.empty(), false, false);
    assertEquals(List.of(new Change.Lost(0, "interface eth1 is down")), update());
  }

  @Test
  void anAddressThatNoInterfaceEverHadHasNothingToLose() {
    var odd = new RailLinks(List.of(new Place(ELSEWHERE, 0, "10.0.0.3")));
    assertEquals(List.of(), odd.update(table.interfaces()));
    assertFalse(odd.watched(0));
    table.address(3, ELSEWHERE);
    assertEquals(List.of(), odd.update(table.interfaces()));
    assertTrue(odd.watched(0));
    table.addressGone(3, ELSEWHERE);
    assertEquals(1, odd.update(table.interfaces()).size());
  }

  @Test
  void aZoneMeansOneInterfaceOnly() {
    var zoned = new RailLinks(List.of(new Place(FIRST, 3, "fe80::1%eth3")));
    table.address(3, FIRST);
    assertEquals(List.of(), zoned.update(table.interfaces()));
    table.addressGone(3, FIRST);
    assertEquals(1, zoned.update(table.interfaces()).size());
  }
}
