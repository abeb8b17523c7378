package dev.shunt.transport.rdma.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.transport.rdma.core.AcceptedLife.State;
import org.junit.jupiter.api.Test;

class AcceptedLifeTest {
  @Test
  void itIsAwaitedWhereThePeerWillSayThatItIsReady() {
    var life = new AcceptedLife();
    assertFalse(life.usable());
    assertFalse(life.ready(), "not before its own QPs are connected");
    assertTrue(life.connected(true));
    assertEquals(State.AWAITED, life.state());
    assertTrue(life.usable());
    assertTrue(life.ready());
    assertEquals(State.CONNECTED, life.state());
    assertTrue(life.ready(), "it may be said again");
    assertFalse(life.connected(false));
  }

  @Test
  void otherwiseItIsConnectedAtOnce() {
    var life = new AcceptedLife();
    assertTrue(life.connected(false));
    assertEquals(State.CONNECTED, life.state());
  }

  @Test
  void whatIsToGoIsOfNoUseAnyMore() {
    var early = new AcceptedLife();
    early.doom();
    assertFalse(early.connected(false));
    var late = new AcceptedLife();
    late.connected(true);
    late.doom();
    assertFalse(late.usable());
    assertFalse(late.ready());
  }

  @Test
  void itGoesOnce() {
    var life = new AcceptedLife();
    assertTrue(life.gone());
    assertFalse(life.gone());
    assertFalse(life.connected(false));
    assertFalse(life.usable());
  }
}
