package dev.shunt.transport.rdma.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.transport.rdma.verbs.AsyncEvents;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RailLifeTest {
  @Test
  void twoEventsOfOneChangeAreOnePieceOfNews() {
    var life = new RailLife(1);
    assertFalse(life.up());
    assertTrue(life.down());
    assertFalse(life.down());
    assertTrue(life.up());
    assertFalse(life.up());
  }

  @Test
  void aBrokenDeviceDoesNotComeBack() {
    var life = new RailLife(1);
    assertTrue(life.broken());
    assertFalse(life.up());
    assertFalse(life.active());
  }

  @Test
  void moreThanTheQuarantineHoldsIsTooMuch() {
    var life = new RailLife(2);
    assertFalse(life.quarantine());
    assertFalse(life.quarantine());
    assertTrue(life.quarantine());
    life.released();
    assertEquals(2, life.quarantined());
  }

  @ParameterizedTest
  @CsvSource({
    "8, DEVICE_DOWN", "0, DEVICE_DOWN", "19, DEVICE_DOWN", "10, PORT_DOWN", "11, PORT_DOWN",
    "9, PORT_UP", "18, GID_CHANGED", "1, QP_BROKEN", "2, QP_BROKEN", "3, QP_BROKEN",
    "4, COUNTED", "12, COUNTED", "77, COUNTED", "-1, COUNTED"
  })
  void eventsAreClassified(int type, AsyncClass expected) {
    assertEquals(expected, AsyncClass.of(type));
  }

  @Test
  void anEventThatIsNotKnownHasItsNumberForAName() {
    assertEquals("event 77", AsyncEvents.name(77));
    assertEquals("PORT_ERR", AsyncEvents.name(10));
  }
}
