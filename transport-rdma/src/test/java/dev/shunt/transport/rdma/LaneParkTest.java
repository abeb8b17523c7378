package dev.shunt.transport.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.sim.World;
import dev.shunt.api.spi.LaneDriver;
import dev.shunt.transport.rdma.testing.SoftFabric;
import dev.shunt.transport.rdma.testing.TestNode;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A lane's sleep, on the real clock. */
class LaneParkTest {
  private static final long MILLI = 1_000_000;
  private static final long MINUTE = 60_000 * MILLI;

  private static LaneDriver driver() {
    var world = new World(1);
    var fabric = new SoftFabric(world);
    var verbs = fabric.verbs(world.process("a"), fabric.nic("mlx5_0"));
    return new TestNode("a", 1, verbs, System::nanoTime, new HashMap<>(), Map.of()).driver();
  }

  @Test
  void anIdleLaneWantsNoTurn() {
    assertEquals(Long.MAX_VALUE, driver().nextDeadline());
  }

  @Test
  void itComesBackAtItsTime() {
    var driver = driver();
    long begin = System.nanoTime();
    driver.park(begin + 20 * MILLI);
    assertTrue(System.nanoTime() - begin < MINUTE);
  }

  @Test
  void aWakeThatCameBeforeIsNotLost() {
    var driver = driver();
    driver.wake();
    long begin = System.nanoTime();
    driver.park(Long.MAX_VALUE);
    assertTrue(System.nanoTime() - begin < MINUTE);
  }

  @Test
  void aWakeFromAnotherThreadEndsIt() throws InterruptedException {
    var driver = driver();
    for (int i = 0; i < 100; i++) {
      var waker = Thread.ofPlatform().start(driver::wake);
      long begin = System.nanoTime();
      driver.park(Long.MAX_VALUE);
      assertTrue(System.nanoTime() - begin < MINUTE);
      waker.join();
    }
  }
}
