package dev.shunt.transport.rdma.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class RailLifeTest {
  @Test
  void twoEventsOfOneChangeAreOnePieceOfNews() {
    var life = new RailLife(1);
    assertFalse(life.up());
    assertTrue(life.down());
    assertFalse(life.down());
    assertFalse(life.active());
    assertTrue(life.up());
    assertFalse(life.up());
    assertTrue(life.active());
  }

  @Test
  void aLinkThatIsBackEndsNoError() {
    var life = new RailLife(1);
    assertTrue(life.fail());
    assertFalse(life.fail());
    life.down();
    life.up();
    assertFalse(life.active());
    life.pass();
    assertTrue(life.active());
  }

  @Test
  void aContextThatIsLostIsMadeAnewBeforeItPassesACheck() {
    var life = new RailLife(1);
    assertTrue(life.lose());
    assertFalse(life.lose());
    assertThrows(IllegalStateException.class, life::pass);
    life.renewed();
    assertFalse(life.lost());
    assertFalse(life.active(), "it was not checked yet");
    life.pass();
    assertTrue(life.active());
    assertTrue(life.lose(), "it may be lost again");
  }

  @Test
  void whatIsBrokenIsToldOnceUntilItPassedACheck() {
    var life = new RailLife(1);
    life.lose();
    assertTrue(life.breakDown(), "worse than lost is news");
    assertFalse(life.breakDown());
    life.renewed();
    life.pass();
    assertTrue(life.breakDown());
    assertFalse(life.active());
  }

  @Test
  void moreThanTheQuarantineHoldsIsTooMuch() {
    var life = new RailLife(2);
    assertFalse(life.quarantine());
    assertFalse(life.quarantine());
    assertTrue(life.quarantine());
    assertEquals(3, life.quarantined());
    life.released();
    assertTrue(life.quarantine());
  }
}
