package dev.shunt.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.spi.RetireReason;
import dev.shunt.transport.tcp.core.FrameBuffer;
import dev.shunt.transport.tcp.core.Preamble;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/** Whoever connects and does not say who it is costs nobody else anything. */
class HandshakeTest {
  private static final long LENGTH = 20_000;

  @Test
  void aStreamThatSaysNothingIsDropped() {
    var town = new Town(1, 1, "handshake-timeout = 1s");
    var silent = new Stranger(town, 0);
    assertTrue(town.until(() -> silent.connected));
    long since = town.world.now();
    assertTrue(town.until(() -> silent.ended));
    assertTrue(town.world.now() - since < 2 * Node.SECOND);
  }

  @Test
  void aPeerThatSendsTenBytesAndStopsIsDroppedAtItsDeadline() {
    var town = new Town(1, 1, "handshake-timeout = 1s");
    var preamble = new FrameBuffer(Arena.ofAuto().allocate(256));
    new Preamble(2, 0, 8, 0xa1, 0xb1, 77, 0, 4096).encode(preamble, 0);
    var bytes = preamble.memory().asSlice(0, 10).toArray(ValueLayout.JAVA_BYTE);
    var process = town.hostA.start("ten");
    var loop = town.hostA.wires(process).open("loop");
    process.actor("ten", loop::poll);
    var ten = new Stranger();
    ten.says = MemorySegment.ofArray(bytes);
    loop.connect(new InetSocketAddress("10.0.0.1", 0), Town.addressOf(town.b.rail(0)), ten);
    loop.wake();
    assertTrue(town.until(() -> ten.connected));
    long since = town.world.now();
    town.world.run(Node.SECOND / 2);
    assertFalse(ten.ended);
    assertTrue(town.until(() -> ten.ended));
    assertTrue(town.world.now() - since < 1.1 * Node.SECOND, "late");
    assertTrue(town.completes(town.post(town.up(town.a, town.b, 0, 0), town.b, 1, LENGTH)));
  }

  @Test
  void silentStreamsAreBoundedAndAPeerComesInAfterwards() {
    var town = new Town(1, 1, "max-handshakes = 4, handshake-timeout = 1s");
    var strangers = new ArrayList<Stranger>();
    for (int i = 0; i < 20; i++) {
      strangers.add(new Stranger(town, 0));
    }
    town.world.run(Node.SECOND / 2);
    assertEquals(16, strangers.stream().filter(it -> it.ended).count());
    town.world.run(2 * Node.SECOND);
    assertEquals(20, strangers.stream().filter(it -> it.ended).count());
    assertTrue(town.completes(town.post(town.up(town.a, town.b, 0, 0), town.b, 1, LENGTH)));
  }

  @Test
  void idleConnectionsDoNotShutARealPeerOut() {
    var town = new Town(1, 1, "max-handshakes = 4, handshake-timeout = 1h");
    for (int i = 0; i < 20; i++) {
      new Stranger(town, 0);
    }
    town.world.run(Node.SECOND);
    assertTrue(town.completes(town.post(town.up(town.a, town.b, 0, 0), town.b, 1, LENGTH)));
  }

  @Test
  void aPeerThatHasSpokenIsNotTakenForAnIdleConnection() {
    var town = new Town(1, 1, "max-handshakes = 4, handshake-timeout = 1h");
    town.b.process.freeze();
    var id = town.a.connect(town.b, 0, 0);
    town.world.run(Node.SECOND);
    for (int i = 0; i < 20; i++) {
      new Stranger(town, 0);
    }
    town.world.run(Node.SECOND);
    town.b.process.thaw();
    town.a.lanes.get(0).await(id);
  }

  @Test
  void anAddressThatFloodsMakesRoomAmongItsOwn() {
    var town = new Town(1, 1, "max-handshakes = 4, handshake-timeout = 1h");
    var elsewhere = town.network.host("c", "10.0.0.3");
    var first = new Stranger(town, elsewhere, "10.0.0.3", 0);
    assertTrue(town.until(() -> first.connected));
    var flood = new ArrayList<Stranger>();
    for (int i = 0; i < 20; i++) {
      flood.add(new Stranger(town, 0));
    }
    town.world.run(Node.SECOND);
    assertFalse(first.ended);
    assertEquals(17, flood.stream().filter(it -> it.ended).count());
  }

  @Test
  void aConnectionThatSaysNothingHoldsNoStagingMemory() {
    var town = new Town(1, 1, "max-handshakes = 4, handshake-timeout = 1s");
    for (int round = 0; round < 5; round++) {
      for (int i = 0; i < 20; i++) {
        new Stranger(town, 0);
      }
      town.world.run(2 * Node.SECOND);
    }
    var lane = (TcpLane) town.b.lanes.get(0).driver();
    assertEquals(0, lane.staging().made());
    assertEquals(4, lane.greetings().made());
    var channel = town.up(town.a, town.b, 0, 0);
    assertEquals(2, lane.staging().made());
    channel.retire(RetireReason.EVICTED, town.world.now());
    town.world.run(Node.SECOND);
    town.up(town.a, town.b, 0, 0);
    assertEquals(2, lane.staging().made());
  }
}
