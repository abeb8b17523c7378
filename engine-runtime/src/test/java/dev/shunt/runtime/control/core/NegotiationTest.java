package dev.shunt.runtime.control.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import dev.shunt.api.sim.Dice;
import dev.shunt.api.spi.Capability;
import dev.shunt.api.spi.Capability.Scope;
import dev.shunt.runtime.control.core.OfferRules.Mode;
import dev.shunt.runtime.control.core.OfferRules.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class NegotiationTest {
  private static Capability needing(String id, int low, int high, String... requires) {
    return new Capability(id, low, high, Scope.PEER, List.of(requires));
  }

  private static Offer offer(Capability... capabilities) {
    return new Offer(List.of(capabilities));
  }

  private static Map<String, Integer> agreed(Offer a, Offer b) {
    return Negotiation.verdict(a, b).versions();
  }

  @Test
  void theHighestCommonVersionIsTaken() {
    var newer = offer(Capability.of("tcp.stream", 2, 4));
    assertEquals(Map.of("tcp.stream", 3), agreed(newer, offer(Capability.of("tcp.stream", 1, 3))));
    assertEquals(Map.of("tcp.stream", 2), agreed(newer, offer(Capability.of("tcp.stream", 1, 2))));
    assertEquals(Map.of(), agreed(newer, offer(Capability.of("tcp.stream", 1, 1))));
    assertEquals(Map.of(), agreed(newer, Offer.NONE));
  }

  @Test
  void whatLacksWhatItRequiresIsDroppedToTheLast() {
    var whole = offer(needing("a", 1, 1), needing("b", 1, 1, "a"), needing("c", 1, 1, "b"));
    var without = offer(needing("b", 1, 1), needing("c", 1, 1));
    assertEquals(Map.of("a", 1, "b", 1, "c", 1), agreed(whole, whole));
    assertEquals(Map.of(), agreed(whole, without));
    assertEquals(Map.of(), agreed(without, whole));
  }

  @Test
  void oneSidesWordIsEnoughForARequirement() {
    var strict = offer(needing("b", 1, 1, "a"));
    var lax = offer(needing("b", 1, 1), needing("a", 1, 1));
    assertEquals(Map.of(), agreed(strict, lax));
    assertEquals(Map.of(), agreed(lax, strict));
  }

  @Test
  void whatIsSettledElsewhereIsNotSettledHere() {
    var endpoint = new Capability("rdma.write_imm", 1, 1, Scope.ENDPOINT, List.of());
    var mine = offer(endpoint);
    assertEquals(Map.of(), agreed(mine, mine));
    assertEquals(Map.of(), agreed(mine, offer(Capability.of("rdma.write_imm", 1, 1))));
  }

  @Test
  void bothSidesFindTheSameWhateverTheyOffer() {
    var dice = new Dice(20_261);
    for (int i = 0; i < 20_000; i++) {
      var a = random(dice);
      var b = random(dice);
      var verdict = agreed(a, b);
      assertEquals(verdict, agreed(b, a), () -> a + " and " + b);
      for (var entry : verdict.entrySet()) {
        for (var side : List.of(a, b)) {
          var capability = side.find(entry.getKey()).orElseThrow();
          assertTrue(capability.lowest() <= entry.getValue());
          assertTrue(capability.highest() >= entry.getValue());
          assertTrue(verdict.keySet().containsAll(capability.requires()), () -> a + " and " + b);
        }
      }
    }
  }

  private static Offer random(Dice dice) {
    var all = new ArrayList<Capability>();
    for (int id = 0; id < 6; id++) {
      if (dice.permille(700)) {
        int low = (int) dice.between(1, 3);
        var requires = new ArrayList<String>();
        while (dice.permille(300)) {
          requires.add("c" + dice.below(6));
        }
        all.add(
            new Capability(
                "c" + id,
                low,
                (int) dice.between(low, 4),
                dice.permille(100) ? Scope.ENDPOINT : Scope.PEER,
                requires));
      }
    }
    return new Offer(all);
  }

  @Test
  void whatIsRequiredAndMissingNamesBothRanges() {
    var mine = offer(Capability.of("tcp.stream", 2, 3));
    var theirs = offer(Capability.of("tcp.stream", 1, 1));
    var text =
        Negotiation.missing(List.of("tcp.stream"), mine, theirs, Negotiation.verdict(mine, theirs))
            .orElseThrow();
    assertEquals("tcp.stream is required here: offered here 2 to 3, offered there 1 to 1", text);
    var none =
        Negotiation.missing(
                List.of("tcp.stream"), mine, Offer.NONE, Negotiation.verdict(mine, Offer.NONE))
            .orElseThrow();
    assertTrue(none.endsWith("offered there none"), none);
  }

  private static OfferRules.Result apply(Map<String, Rule> rules, Capability... capabilities) {
    return OfferRules.apply(List.of(capabilities), new TreeMap<>(rules));
  }

  @Test
  void configurationTurnsOffAndLimits() {
    var result =
        apply(
            Map.of(
                "a", new Rule(Mode.OFF, Integer.MAX_VALUE),
                "b", new Rule(Mode.REQUIRED, 2)),
            Capability.of("a", 1, 1),
            Capability.of("b", 1, 3),
            Capability.of("c", 1, 1),
            needing("d", 1, 1, "a"),
            needing("e", 1, 1, "d"));
    assertEquals(
        List.of(Capability.of("b", 1, 2), Capability.of("c", 1, 1)), result.offer().capabilities());
    assertEquals(List.of("b"), result.required());
    assertEquals(
        List.of("d is not offered: it needs a", "e is not offered: it needs d"), result.dropped());
  }

  @Test
  void configurationThatContradictsWhatThereIsIsRefused() {
    var limited =
        assertThrows(
            ShuntException.class,
            () -> apply(Map.of("a", new Rule(Mode.ON, 1)), Capability.of("a", 2, 3)));
    assertEquals(FailureCode.CONFIGURATION, limited.code());
    assertTrue(limited.getMessage().contains("versions 2 to 3"), limited.getMessage());
    var absent =
        assertThrows(
            ShuntException.class,
            () -> apply(Map.of("x", new Rule(Mode.REQUIRED, 9)), Capability.of("a", 2, 3)));
    assertTrue(absent.getMessage().contains("no module of this image"), absent.getMessage());
  }

  @Test
  void anIdOfferedTwiceIsRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> offer(Capability.of("a", 1, 1), Capability.of("a", 2, 2)));
  }
}
