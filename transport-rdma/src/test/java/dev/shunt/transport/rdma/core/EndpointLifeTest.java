package dev.shunt.transport.rdma.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.transport.rdma.core.EndpointLife.State;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class EndpointLifeTest {
  @Test
  void aConnectedOneEndsThroughDraining() {
    var life = new EndpointLife();
    assertTrue(life.connecting());
    assertTrue(life.connected());
    assertTrue(life.drain());
    assertFalse(life.drain());
    assertTrue(life.drained());
    assertEquals(State.DESTROYED, life.state());
  }

  @Test
  void aHandshakeThatFailsDestroysItAtOnce() {
    var fresh = new EndpointLife();
    assertTrue(fresh.failed());
    var life = new EndpointLife();
    life.connecting();
    assertTrue(life.failed());
    assertEquals(State.DESTROYED, life.state());
    assertFalse(life.connected(), "a late answer changes nothing");
  }

  @Test
  void aConnectedOneIsNeverDestroyedUndrained() {
    var life = new EndpointLife();
    life.connecting();
    life.connected();
    assertFalse(life.failed());
    assertFalse(life.drained());
    assertEquals(State.CONNECTED, life.state());
  }

  @Test
  void whatDoesNotDrainIsQuarantinedAndMayStillDrain() {
    var life = new EndpointLife();
    life.connecting();
    life.connected();
    life.drain();
    assertTrue(life.overdue());
    assertEquals(State.QUARANTINED, life.state());
    assertFalse(life.overdue());
    assertTrue(life.drained());
  }

  @Test
  void theEndIsTheEnd() {
    var life = new EndpointLife();
    life.failed();
    List<Predicate<EndpointLife>> steps =
        List.of(
            EndpointLife::connecting,
            EndpointLife::connected,
            EndpointLife::failed,
            EndpointLife::drain,
            EndpointLife::drained,
            EndpointLife::overdue);
    for (var step : steps) {
      assertFalse(step.test(life));
    }
    assertEquals(State.DESTROYED, life.state());
  }
}
