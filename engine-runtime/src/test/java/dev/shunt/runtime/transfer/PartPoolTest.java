package dev.shunt.runtime.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.junit.jupiter.api.Test;

class PartPoolTest {
  private static final int THREADS = 3;
  private static final int ROUNDS = 200_000;

  private final PartPool pool = new PartPool();

  @Test
  void aPartComesBackAndItsBoundIsKept() {
    var first = pool.take(null);
    pool.give(first);
    assertSame(first, pool.take(null));
    var out = new ArrayList<LanePart>();
    for (int i = 0; i < 2 * PartPool.PLACES; i++) {
      out.add(pool.take(null));
    }
    pool.give(first);
    out.forEach(pool::give);
    var kept = Collections.newSetFromMap(new IdentityHashMap<LanePart, Boolean>());
    for (int i = 0; i < 2 * PartPool.PLACES; i++) {
      kept.add(pool.take(null));
    }
    kept.retainAll(out);
    assertEquals(PartPool.PLACES - 1, kept.size(), "of all that came back, as many as have places");
  }

  @Test
  void aPartThatMustNotBeUsedAgainLosesNoPlace() {
    for (int i = 0; i < 2 * PartPool.PLACES; i++) {
      var part = pool.take(null);
      pool.replace(part, null);
      var other = pool.take(null);
      assertNotSame(part, other);
      assertEquals(part.place(), other.place());
      pool.give(other);
    }
  }

  @Test
  void noTwoCallersHaveTheSamePart() throws InterruptedException {
    var owners = new AtomicReferenceArray<Thread>(PartPool.PLACES);
    var wrong = new ArrayList<String>();
    var threads = new ArrayList<Thread>();
    for (int n = 0; n < THREADS; n++) {
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int i = 0; i < ROUNDS; i++) {
                      var part = pool.take(null);
                      var before = owners.getAndSet(part.place(), Thread.currentThread());
                      if (before != null) {
                        synchronized (wrong) {
                          wrong.add(part.place() + " had " + before);
                        }
                      }
                      owners.set(part.place(), null);
                      pool.give(part);
                    }
                  }));
    }
    for (var thread : threads) {
      thread.join();
    }
    assertEquals(0, wrong.size(), wrong::toString);
  }
}
