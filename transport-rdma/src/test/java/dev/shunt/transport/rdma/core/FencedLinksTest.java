package dev.shunt.transport.rdma.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.spi.LinkId;
import org.junit.jupiter.api.Test;

class FencedLinksTest {
  @Test
  void aFencedLinkIsKnown() {
    var fenced = new FencedLinks(4);
    fenced.add(new LinkId(1, 5));
    assertTrue(fenced.contains(new LinkId(1, 5)));
    assertFalse(fenced.contains(new LinkId(1, 4)));
    assertFalse(fenced.contains(new LinkId(2, 5)));
  }

  @Test
  void forgettingNeverLetsAStaleOneIn() {
    var fenced = new FencedLinks(4);
    for (int i = 1; i <= 100; i++) {
      fenced.add(new LinkId(1, i));
    }
    assertEquals(4, fenced.size());
    for (int i = 1; i <= 100; i++) {
      assertTrue(fenced.contains(new LinkId(1, i)), "attempt " + i);
    }
    assertFalse(fenced.contains(new LinkId(1, 101)));
  }

  @Test
  void generationsAreBoundedToo() {
    var fenced = new FencedLinks(4);
    for (int generation = 1; generation <= 1000; generation++) {
      fenced.add(new LinkId(generation, 1));
    }
    assertEquals(4, fenced.size());
    assertTrue(fenced.contains(new LinkId(1000, 1)));
    assertFalse(fenced.contains(new LinkId(1, 1)), "so old that it is forgotten");
  }
}
