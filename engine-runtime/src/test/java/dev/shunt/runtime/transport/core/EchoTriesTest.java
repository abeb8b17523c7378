package dev.shunt.runtime.transport.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.spi.RemoteRail;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Whom a check reads from, and in which order. */
class EchoTriesTest {
  private static final List<RemoteRail> RAILS =
      List.of(new RemoteRail("r0", 0, Map.of()), new RemoteRail("r1", 1, Map.of()));

  private static EchoRails node(boolean silent, Integer... out) {
    return new EchoRails(RAILS, List.of(out), silent);
  }

  private static List<String> names(List<EchoTry> tries) {
    return tries.stream().map(each -> each.partner() + " " + each.rail().name()).toList();
  }

  @Test
  void theRailsInTheSamePlaceComeFirst() {
    var tries = EchoTries.of(List.of(node(false), node(false)), 1, 0);
    assertEquals(List.of("0 r1", "1 r1", "0 r0", "1 r0"), names(tries));
    assertTrue(tries.get(0).paired());
    assertFalse(tries.get(2).paired());
  }

  @Test
  void nodesThatAreKnownToBeSilentComeLastAndThoseWhoseRailIsOutBeforeThem() {
    var tries = EchoTries.of(List.of(node(true), node(false, 0), node(false)), 0, 0);
    assertEquals(List.of("2 r0", "1 r0", "0 r0", "2 r1", "1 r1", "0 r1"), names(tries));
  }

  @Test
  void aNodeWhoseRailInThatPlaceIsOutSaysNothingAgainstOurs() {
    var tries = EchoTries.of(List.of(node(false, 1)), 1, 0);
    assertEquals(List.of("0 r1", "0 r0"), names(tries));
    assertTrue(tries.stream().allMatch(EchoTry::mute));
    assertFalse(tries.getFirst().paired());
  }

  @Test
  void everyNodeHasItsTurnInAFewChecksHoweverManyThereAre() {
    var nodes = new ArrayList<EchoRails>();
    for (int i = 0; i < 200; i++) {
      nodes.add(node(false));
    }
    var seen = new HashSet<Integer>();
    for (int check = 0; check < 4; check++) {
      var tries = EchoTries.of(nodes, 0, check * EchoTries.MOST);
      assertEquals(EchoTries.MOST, tries.size());
      tries.forEach(each -> seen.add(each.partner()));
    }
    assertEquals(200, seen.size());
  }

  @Test
  void whereNobodyLendsMemoryThereIsNothingToTry() {
    assertEquals(List.of(), EchoTries.of(List.of(), 3, 7));
  }
}
