package dev.shunt.transport.tcp.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.spi.LinkId;
import org.junit.jupiter.api.Test;

class FencedLinksTest {
  private final FencedLinks fenced = new FencedLinks();

  @Test
  void whatWasFencedIsKnownAndNothingElse() {
    fenced.add(new LinkId(5, 3));
    assertTrue(fenced.contains(new LinkId(5, 3)));
    assertFalse(fenced.contains(new LinkId(5, 2)));
    assertFalse(fenced.contains(new LinkId(5, 4)));
    assertFalse(fenced.contains(new LinkId(6, 3)));
  }

  @Test
  void noneOfManyIsForgotten() {
    for (int i = 0; i < 10_000; i++) {
      fenced.add(new LinkId(5, attempt(i)));
    }
    for (int i = 0; i < 10_000; i++) {
      assertTrue(fenced.contains(new LinkId(5, attempt(i))), "attempt " + attempt(i));
    }
    assertFalse(fenced.contains(new LinkId(5, 1_000_000)));
  }

  @Test
  void generationsAreBoundedAndTheOneFencedLastStays() {
    for (int i = 1; i <= 100_000; i++) {
      fenced.add(new LinkId(i, 1));
      fenced.add(new LinkId(7, i));
    }
    assertEquals(1024, fenced.size());
    assertTrue(fenced.contains(new LinkId(100_000, 1)));
    assertTrue(fenced.contains(new LinkId(7, 1)));
  }

  private static long attempt(int i) {
    return 1 + (i * 7919L) % 10_007;
  }
}
