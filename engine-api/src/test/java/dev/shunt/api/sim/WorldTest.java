package dev.shunt.api.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorldTest {
  @Test
  void eventsComeInTheOrderOfTheirTime() {
    var world = new World(1);
    var dice = new Dice(2);
    var times = new ArrayList<Long>();
    for (int i = 0; i < 2000; i++) {
      world.at(world.now() + dice.below(1000), () -> times.add(world.now()));
    }
    world.run(2000);
    assertEquals(2000, times.size());
    assertEquals(times.stream().sorted().toList(), times);
  }

  @Test
  void movedAndCancelledEventsKeepTheOrder() {
    var world = new World(1);
    var dice = new Dice(3);
    var fired = new ArrayList<Long>();
    var events = new ArrayList<Event>();
    for (int i = 0; i < 500; i++) {
      var event =
          new Event() {
            @Override
            protected void fire(long now) {
              fired.add(now);
            }
          };
      events.add(event);
      world.schedule(event, world.now() + dice.below(1000));
    }
    for (int i = 0; i < 1000; i++) {
      world.schedule(events.get((int) dice.below(500)), world.now() + dice.below(1000));
    }
    for (int i = 0; i < 100; i++) {
      world.cancel(events.get(i));
      assertFalse(events.get(i).scheduled());
    }
    world.run(2000);
    assertEquals(400, fired.size());
    assertEquals(fired.stream().sorted().toList(), fired);
  }

  @Test
  void theSeedDecidesTheOrderOfEventsOfOneTime() {
    assertEquals(order(7), order(7));
    assertNotEquals(order(7), order(8));
  }

  private static List<Integer> order(long seed) {
    var world = new World(seed);
    var order = new ArrayList<Integer>();
    for (int i = 0; i < 20; i++) {
      int number = i;
      world.at(5_000_000_000L, () -> order.add(number));
    }
    world.run(10_000_000_000L);
    return order;
  }

  @Test
  void anActorHasTurnsWhileItWorksAndThenAtItsDeadline() {
    var world = new World(1);
    var turns = new ArrayList<Long>();
    long deadline = world.now() + 1_000_000;
    world
        .process("p")
        .actor(
            "a",
            new Actor() {
              @Override
              public int work(long now) {
                turns.add(now);
                return turns.size() < 3 ? 1 : 0;
              }

              @Override
              public long nextDeadline() {
                return turns.size() < 4 ? deadline : Long.MAX_VALUE;
              }
            });
    world.run(10_000_000);
    assertEquals(4, turns.size());
    assertTrue(turns.get(2) < deadline);
    assertTrue(turns.get(3) >= deadline);
  }

  @Test
  void aFrozenProcessHasNoTurnsAndMissesNoWake() {
    var world = new World(1);
    var process = world.process("p");
    var turns = new ArrayList<Long>();
    var turn =
        process.actor(
            "a",
            now -> {
              turns.add(now);
              return 0;
            });
    world.run(1_000_000);
    process.freeze();
    turn.wake();
    world.run(1_000_000);
    assertEquals(1, turns.size());
    process.thaw();
    world.run(1_000_000);
    assertEquals(2, turns.size());
  }

  @Test
  void aDeadProcessHasNoTurnsAndItsFabricsHearOfIt() {
    var world = new World(1);
    var process = world.process("p");
    var deaths = new ArrayList<SimProcess.Death>();
    process.onDeath(deaths::add);
    var turn = process.actor("a", now -> 1);
    world.run(1_000);
    process.die(SimProcess.Death.KILLED);
    process.die(SimProcess.Death.VANISHED);
    turn.wake();
    long events = world.events();
    world.run(1_000_000);
    assertEquals(events, world.events());
    assertEquals(List.of(SimProcess.Death.KILLED), deaths);
  }

  @Test
  void aWorldThatRunsInCirclesFails() {
    var world = new World(1);
    world.limit(1000);
    world.process("p").actor("a", now -> 1);
    var failure = assertThrows(IllegalStateException.class, () -> world.run(1_000_000_000L));
    assertTrue(failure.getMessage().contains("seed 1"), failure.getMessage());
  }

  @Test
  void checksRunAfterEachEvent() {
    var world = new World(1);
    var seen = new ArrayList<Long>();
    world.check(() -> seen.add(world.events()));
    world.at(world.now() + 1, () -> {});
    world.at(world.now() + 2, () -> {});
    world.run(10);
    assertEquals(List.of(1L, 2L), seen);
  }

  @Test
  void aSplitDoesNotDependOnWhatWasDrawn() {
    var one = new Dice(5);
    var two = new Dice(5);
    two.next();
    assertEquals(one.split("x").next(), two.split("x").next());
    assertNotEquals(one.split("x").next(), one.split("y").next());
    for (int i = 0; i < 1000; i++) {
      long face = one.between(1, 6);
      assertTrue(face >= 1 && face <= 6);
    }
  }
}
