package dev.shunt.transport.rdma.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.transport.rdma.verbs.Gid;
import dev.shunt.transport.rdma.verbs.GidEntry;
import dev.shunt.transport.rdma.verbs.GidEntry.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GidTrialsTest {
  private static GidEntry entry(int index, long low) {
    return new GidEntry(index, new Gid(0x2001_0db8_0000_0000L, low), Type.ROCE_V2, true);
  }

  @Test
  void theBestThatIsLeftComesNext() {
    var first = entry(3, 3);
    var linkLocal = new GidEntry(0, new Gid(0xfe80_0000_0000_0000L, 1), Type.ROCE_V2, true);
    var table = List.of(linkLocal, entry(1, 1), first);
    var trials = new GidTrials(first);
    assertEquals(Optional.of(entry(1, 1)), trials.next(first, table));
    assertEquals(Optional.of(linkLocal), trials.next(first, table));
    assertEquals(Optional.empty(), trials.next(first, table));
  }

  @Test
  void nothingIsTriedThatCannotBeUsed() {
    var first = entry(1, 1);
    var table =
        List.of(
            new GidEntry(0, Gid.ZERO, Type.ROCE_V2, true),
            first,
            new GidEntry(2, new Gid(0x2001_0db8_0000_0000L, 7), Type.ROCE_V1, true));
    assertEquals(Optional.empty(), new GidTrials(first).next(first, table));
  }

  @Test
  void whatAnotherHandshakeFoundComesFirst() {
    var first = entry(1, 1);
    var found = entry(5, 5);
    var trials = new GidTrials(first);
    assertEquals(
        Optional.of(found), trials.next(found, List.of(first, entry(2, 2), found)), "not entry 2");
    assertTrue(trials.tried(found));
    assertFalse(trials.tried(entry(2, 2)));
  }

  @Test
  void anIndexWithAnotherAddressIsAnotherEntry() {
    var trials = new GidTrials(entry(1, 1));
    assertEquals(Optional.of(entry(1, 9)), trials.next(entry(1, 1), List.of(entry(1, 9))));
  }

  @Test
  void neverTheSameTwiceAndTwoFurtherAtMost() {
    long seed = System.nanoTime();
    var random = new Random(seed);
    for (int round = 0; round < 2000; round++) {
      var first = entry(random.nextInt(3), random.nextInt(3));
      var trials = new GidTrials(first);
      var seen = new HashSet<List<Object>>();
      seen.add(List.of(first.index(), first.gid()));
      int further = 0;
      for (int i = 0; i < 6; i++) {
        var table = new ArrayList<GidEntry>();
        for (int k = random.nextInt(4); k > 0; k--) {
          table.add(entry(random.nextInt(3), random.nextInt(3)));
        }
        var next = trials.next(entry(random.nextInt(3), random.nextInt(3)), table);
        if (next.isPresent()) {
          further++;
          assertTrue(
              seen.add(List.of(next.get().index(), next.get().gid())), "seed " + seed + " " + next);
        }
      }
      assertTrue(further <= GidTrials.MOST, "seed " + seed);
    }
  }
}
