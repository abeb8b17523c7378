package dev.shunt.transport.rdma.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ReceiveCreditsTest {
  private static ReceiveCredits of(int slots, int bound) {
    var credits = new ReceiveCredits(bound);
    credits.added(slots);
    for (int i = 0; i < slots; i++) {
      credits.post();
    }
    return credits;
  }

  private static void use(ReceiveCredits credits, int messages) {
    for (int i = 0; i < messages; i++) {
      credits.back(true);
      credits.post();
    }
  }

  @Test
  void itDoublesOnceWhenHalfOfThemWereUsedAtATime() {
    var credits = of(4, 12);
    use(credits, 1);
    assertEquals(0, credits.growth());
    use(credits, 1);
    assertEquals(0, credits.growth(), "one at a time");
    use(credits, 2);
    assertEquals(4, credits.growth());
    use(credits, 4);
    assertEquals(0, credits.growth(), "it was asked for already");
    credits.added(4);
    use(credits, 4);
    assertEquals(4, credits.growth(), "up to the bound");
    credits.added(4);
    use(credits, 12);
    assertEquals(0, credits.growth(), "and no further");
  }

  @Test
  void flushesAreNoUseAndWhatCannotGrowIsNotAskedAgain() {
    var credits = of(4, 12);
    for (int i = 0; i < 4; i++) {
      credits.back(false);
    }
    assertEquals(0, credits.posted());
    assertEquals(0, credits.growth());
    var full = of(2, 12);
    use(full, 2);
    assertEquals(2, full.growth());
    full.full();
    use(full, 2);
    assertEquals(0, full.growth());
  }
}
