package dev.shunt.runtime.control.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.sim.Dice;
import java.util.HashSet;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SubscribersTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long AGE = 100 * SECOND;

  private final Subscribers subscribers = new Subscribers(4, 3, AGE);

  @Test
  void nobodyIsToldBeforeAnythingChanged() {
    subscribers.subscribe("a", 0);
    assertEquals(List.of(), subscribers.next(0));
    assertEquals(Long.MAX_VALUE, subscribers.deadline());
  }

  @Test
  void eachIsToldOnceOfAChange() {
    subscribers.subscribe("a", 0);
    subscribers.subscribe("b", 0);
    subscribers.subscribe("a", 1);
    subscribers.changed(2);
    subscribers.changed(2);
    assertEquals(List.of("b", "a"), subscribers.next(2));
    assertEquals(List.of(), subscribers.next(2));
    subscribers.told("a", true, 3);
    subscribers.told("b", true, 3);
    assertEquals(List.of(), subscribers.next(3));
  }

  @Test
  void whoIsBeingToldIsToldAgainOfALaterChange() {
    subscribers.subscribe("a", 0);
    subscribers.changed(0);
    assertEquals(List.of("a"), subscribers.next(0));
    subscribers.changed(1);
    assertEquals(List.of(), subscribers.next(1), "one at a time");
    subscribers.told("a", true, 2);
    assertEquals(List.of("a"), subscribers.next(2));
  }

  @Test
  void tooManyCostTheOneThatAskedLongestAgo() {
    for (var name : List.of("a", "b", "c", "d")) {
      subscribers.subscribe(name, 0);
    }
    subscribers.subscribe("a", 1);
    subscribers.subscribe("e", 2);
    assertEquals(List.of("c", "d", "a", "e"), subscribers.all());
  }

  @Test
  void noMoreAreToldAtATimeThanMay() {
    for (var name : List.of("a", "b", "c", "d")) {
      subscribers.subscribe(name, 0);
    }
    subscribers.changed(0);
    assertEquals(List.of("a", "b", "c"), subscribers.next(0));
    assertEquals(Long.MAX_VALUE, subscribers.deadline(), "an end lets the next begin");
    subscribers.told("b", true, 1);
    assertEquals(List.of("d"), subscribers.next(1));
  }

  @Test
  void whoIsNotReachedIsTriedThriceAfterTheOthersAndForgotten() {
    subscribers.subscribe("dead", 0);
    subscribers.changed(0);
    long now = 0;
    for (int i = 0; i < 3; i++) {
      assertEquals(List.of("dead"), subscribers.next(now), "try " + i);
      subscribers.told("dead", false, now);
      assertEquals(i == 2 ? List.of() : List.of("dead"), subscribers.all());
      assertEquals(List.of(), subscribers.next(now), "not at once");
      now = subscribers.deadline();
    }
    assertEquals(Long.MAX_VALUE, now);
    subscribers.subscribe("dead", 0);
    subscribers.subscribe("b", 0);
    subscribers.changed(0);
    subscribers.next(0);
    subscribers.told("dead", false, 0);
    subscribers.told("b", true, 0);
    subscribers.subscribe("c", 1);
    subscribers.changed(1);
    assertTrue(subscribers.next(1).containsAll(List.of("b", "c")));
  }

  @Test
  void whoDoesNotAskAgainIsForgotten() {
    subscribers.subscribe("old", 0);
    subscribers.subscribe("new", AGE);
    subscribers.changed(AGE + 1);
    assertEquals(List.of("new"), subscribers.next(AGE + 1));
    assertEquals(List.of("new"), subscribers.all());
  }

  @Test
  void whateverHappensTheLastChangeIsToldToThoseThatAnswer() {
    for (long seed = 0; seed < 300; seed++) {
      var dice = new Dice(seed);
      var many = new Subscribers(20, 5, Long.MAX_VALUE / 2);
      var telling = new TreeSet<String>();
      var told = new TreeMap<String, Integer>();
      int changes = 0;
      var dead = new HashSet<String>();
      for (int i = 0; i < 20; i++) {
        many.subscribe("s" + i, 0);
        if (dice.permille(300)) {
          dead.add("s" + i);
        }
      }
      long now = 0;
      for (int step = 0; step < 300 || !telling.isEmpty() || many.deadline() <= now; step++) {
        if (step < 200 && dice.permille(100)) {
          many.changed(now);
          changes++;
        }
        telling.addAll(many.next(now));
        assertTrue(telling.size() <= 5);
        if (!telling.isEmpty() && dice.permille(700)) {
          var end = telling.pollFirst();
          told.put(end, dead.contains(end) ? told.getOrDefault(end, 0) : changes);
          many.told(end, !dead.contains(end), now);
        }
        now += dice.below(SECOND);
      }
      for (int i = 0; i < 20; i++) {
        boolean alive = !dead.contains("s" + i);
        assertTrue(!alive || many.all().contains("s" + i), "seed " + seed);
        assertTrue(!alive || told.get("s" + i) == changes, "seed " + seed);
      }
    }
  }
}
