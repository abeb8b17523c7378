package dev.shunt.transport.tcp.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class PeerSharesTest {
  private final PeerShares shares = new PeerShares(3, 100, 1000);

  @Test
  void whatOnePeerHasIsNotWhatAnotherHas() {
    shares.add(1, 60, 100);
    assertEquals(40, shares.left(1, 100));
    assertEquals(100, shares.left(2, 100));
    shares.add(1, 40, 100);
    assertEquals(0, shares.left(1, 100));
  }

  @Test
  void eachOfTheThreeBoundsCounts() {
    shares.add(1, 1, 500);
    assertEquals(0, shares.left(1, 501));
    assertEquals(99, shares.left(1, 500));
    shares.add(1, 1, 1);
    shares.add(1, 1, 1);
    assertEquals(0, shares.left(1, 1));
  }

  @Test
  void aPeerThatHasNothingLeavesNothing() {
    for (int peer = 1; peer < 1000; peer++) {
      shares.add(peer, 10, 10);
      shares.remove(peer, 10, 10);
    }
    assertEquals(0, shares.size());
    assertEquals(100, shares.left(7, 1000));
  }
}
