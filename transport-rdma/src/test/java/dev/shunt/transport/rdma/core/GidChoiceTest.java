package dev.shunt.transport.rdma.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.shunt.transport.rdma.verbs.Gid;
import dev.shunt.transport.rdma.verbs.GidEntry;
import dev.shunt.transport.rdma.verbs.GidEntry.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GidChoiceTest {
  private static final Gid LINK_LOCAL = new Gid(0xfe80_0000_0000_0000L, 5);
  private static final Gid ROUTABLE = new Gid(0x2001_0db8_0000_0000L, 5);

  private static Gid ipv4(int a, int b, int c, int d) {
    return new Gid(0, 0xffff_0000_0000L | (long) a << 24 | b << 16 | c << 8 | d);
  }

  private static GidEntry entry(int index, Gid gid, boolean network) {
    return new GidEntry(index, gid, Type.ROCE_V2, network);
  }

  @Test
  void eachClassComesBeforeTheNext() {
    var worstFirst =
        List.of(
            entry(0, LINK_LOCAL, false),
            entry(1, ipv4(10, 1, 1, 1), false),
            entry(2, LINK_LOCAL, true),
            entry(3, ipv4(100, 64, 1, 1), true),
            entry(4, ROUTABLE, false),
            entry(5, ipv4(192, 168, 1, 1), true));
    for (int i = 0; i < worstFirst.size(); i++) {
      var best = GidChoice.best(worstFirst.subList(0, i + 1)).orElseThrow();
      assertEquals(i, best.index());
    }
  }

  @Test
  void anOverlayNetworksAddressReachesNoFurtherThanALinkLocalOne() {
    var overlay = new GidEntry(0, ROUTABLE, Type.ROCE_V2, true, true);
    assertEquals(
        1, GidChoice.best(List.of(overlay, entry(1, ipv4(10, 1, 1, 1), true))).get().index());
    assertEquals(0, GidChoice.best(List.of(overlay, entry(1, LINK_LOCAL, true))).get().index());
  }

  @Test
  void amongEqualsTheFirstIsTaken() {
    var equals = new ArrayList<GidEntry>();
    for (int i = 3; i < 6; i++) {
      equals.add(entry(i, ipv4(192, 0, 2, i), true));
    }
    assertEquals(3, GidChoice.best(equals).orElseThrow().index());
  }

  @Test
  void theFirstRocesAndEmptyEntriesAreNothing() {
    var old = new GidEntry(0, ROUTABLE, Type.ROCE_V1, true);
    var empty = new GidEntry(1, Gid.ZERO, Type.ROCE_V2, true);
    assertEquals(Optional.empty(), GidChoice.best(List.of(old, empty)));
    assertFalse(GidChoice.usable(old));
  }

  @Test
  void theBordersOfPrivateNetworks() {
    assertEquals(2, GidChoice.rank(entry(0, ipv4(172, 16, 0, 1), true)));
    assertEquals(2, GidChoice.rank(entry(0, ipv4(172, 31, 0, 1), true)));
    assertEquals(0, GidChoice.rank(entry(0, ipv4(172, 32, 0, 1), true)));
    assertEquals(2, GidChoice.rank(entry(0, ipv4(100, 127, 0, 1), true)));
    assertEquals(0, GidChoice.rank(entry(0, ipv4(100, 128, 0, 1), true)));
    assertEquals(3, GidChoice.rank(entry(0, ipv4(169, 254, 0, 1), true)));
  }
}
