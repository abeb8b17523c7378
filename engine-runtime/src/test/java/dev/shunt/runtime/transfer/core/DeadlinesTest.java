package dev.shunt.runtime.transfer.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class DeadlinesTest {
  private static Part part(long deadline, long order) {
    return new Part(new FlowFixture.Ear(), new RequestState[0], deadline, order);
  }

  @Test
  void nothingIsDueBeforeItsTime() {
    var deadlines = new Deadlines<Part>();
    var part = part(100, 1);
    deadlines.add(part);
    assertNull(deadlines.due(99));
    assertSame(part, deadlines.due(100));
    assertNull(deadlines.due(1_000));
    assertEquals(Long.MAX_VALUE, deadlines.first());
  }

  @Test
  void aPartLeavesOnceAndLeavingAgainDoesNothing() {
    var deadlines = new Deadlines<Part>();
    var part = part(100, 1);
    deadlines.add(part);
    deadlines.remove(part);
    deadlines.remove(part);
    assertEquals(0, deadlines.size());
  }

  @Test
  void aTimeIsOnlyEverBroughtForward() {
    var deadlines = new Deadlines<Part>();
    var part = part(100, 1);
    deadlines.advance(part, 80);
    deadlines.advance(part, 90);
    assertEquals(80, deadlines.first());
    deadlines.advance(part, 70);
    assertEquals(1, deadlines.size());
    assertSame(part, deadlines.due(70));
    deadlines.advance(part, 200);
    assertEquals(200, deadlines.first());
  }

  @Test
  void itAgreesWithASortedSet() {
    var random = new SplittableRandom(5);
    var deadlines = new Deadlines<Part>();
    var model =
        new TreeSet<Part>(Comparator.comparingLong(Part::deadline).thenComparingLong(p -> p.order));
    var inside = new ArrayList<Part>();
    for (int i = 0; i < 20_000; i++) {
      switch (random.nextInt(3)) {
        case 0, 1 -> {
          var part = part(random.nextLong(1_000), i);
          deadlines.add(part);
          model.add(part);
          inside.add(part);
        }
        default -> {
          if (!inside.isEmpty() && random.nextBoolean()) {
            var part = inside.remove(random.nextInt(inside.size()));
            deadlines.remove(part);
            model.remove(part);
          } else if (!model.isEmpty()) {
            var first = model.pollFirst();
            inside.remove(first);
            assertSame(first, deadlines.due(first.deadline));
          }
        }
      }
      assertEquals(model.size(), deadlines.size());
      assertEquals(model.isEmpty() ? Long.MAX_VALUE : model.first().deadline, deadlines.first());
    }
  }
}
