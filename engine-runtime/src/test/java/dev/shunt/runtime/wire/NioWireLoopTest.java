package dev.shunt.runtime.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.contract.Allocated;
import dev.shunt.api.spi.TransportException;
import dev.shunt.api.spi.Wire;
import dev.shunt.api.spi.WireException;
import dev.shunt.api.spi.WireHandler;
import dev.shunt.api.spi.WireLoop;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NioWireLoopTest {
  private static final InetSocketAddress ANY = new InetSocketAddress("127.0.0.1", 0);

  private final WireLoop loop = new NioWires().open("test");
  private final MemorySegment memory = Arena.ofAuto().allocate(1 << 20);
  private final MemorySegment sink = Arena.ofAuto().allocate(1 << 20);

  @AfterEach
  void close() {
    loop.close();
  }

  private static class Ear implements WireHandler {
    Wire accepted;
    boolean connected;
    boolean readable;
    boolean writable;
    WireException failed;

    @Override
    public void connected(Wire wire, long now) {
      connected = true;
    }

    @Override
    public void readable(Wire wire, long now) {
      readable = true;
    }

    @Override
    public void writable(Wire wire, long now) {
      writable = true;
    }

    @Override
    public void failed(Wire wire, WireException cause, long now) {
      failed = cause;
    }
  }

  private void until(BooleanSupplier condition) {
    var deadline = System.nanoTime() + 10_000_000_000L;
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < deadline, "not within 10 s");
      loop.poll(System.nanoTime());
      if (!condition.getAsBoolean()) {
        loop.park(Math.min(deadline, System.nanoTime() + 10_000_000L));
      }
    }
  }

  private Wire pair(Ear client, Ear server) {
    var listening =
        loop.listen(
            ANY,
            (wire, now) -> {
              server.accepted = wire;
              return server;
            });
    var wire = loop.connect(ANY, listening.address(), client);
    until(() -> client.connected && server.accepted != null);
    return wire;
  }

  @Test
  void bytesGoBothWaysStraightFromAndIntoMemory() {
    var client = new Ear();
    var server = new Ear();
    var wire = pair(client, server);
    memory.fill((byte) 5);
    assertEquals(100_000, drain(wire, server.accepted, 100_000));
    assertEquals(-1, memory.asSlice(0, 100_000).mismatch(sink.asSlice(0, 100_000)));
  }

  private long drain(Wire from, Wire to, long total) {
    long[] moved = new long[2];
    until(
        () -> {
          if (moved[0] < total) {
            moved[0] += from.write(memory, moved[0], total - moved[0]);
          }
          moved[1] += to.read(sink, moved[1], total - moved[1]);
          return moved[1] == total;
        });
    return moved[1];
  }

  @Test
  void readingAndWritingAllocatesNothingOnceTheViewsAreThere() {
    var client = new Ear();
    var server = new Ear();
    var wire = pair(client, server);
    move(wire, server.accepted, 20_000);
    var before = Allocated.bytes();
    move(wire, server.accepted, 20_000);
    var each = (Allocated.bytes() - before) / 20_000;
    assertEquals(0, each, "bytes for each write and read");
  }

  private void move(Wire from, Wire to, int times) {
    for (int i = 0; i < times; i++) {
      long at = (i % 100) * 512L;
      from.write(memory, at, 64);
      to.read(sink, at, 512);
    }
  }

  @Test
  void aRefusalIsReportedFromPollAndNotFromConnect() {
    var listening = loop.listen(ANY, (wire, now) -> new Ear());
    var nobody = listening.address();
    listening.close();
    var client = new Ear();
    loop.connect(ANY, nobody, client);
    assertEquals(null, client.failed);
    until(() -> client.failed != null);
    assertTrue(client.failed.getMessage().contains(nobody.toString()), client.failed::getMessage);
  }

  @Test
  void anAddressThatIsNotOursIsALocalFault() {
    var thrown =
        assertThrows(
            TransportException.class,
            () -> loop.connect(new InetSocketAddress("192.0.2.1", 0), ANY, new Ear()));
    assertEquals(FailureCode.DEVICE, thrown.code());
    assertThrows(
        TransportException.class,
        () -> loop.listen(new InetSocketAddress("192.0.2.1", 0), (wire, now) -> new Ear()));
  }

  @Test
  void aTakenPortIsRefusedWithItsName() {
    var listening = loop.listen(ANY, (wire, now) -> new Ear());
    var thrown =
        assertThrows(
            TransportException.class,
            () -> loop.listen(listening.address(), (wire, now) -> new Ear()));
    assertEquals(FailureCode.RESOURCE, thrown.code());
    assertTrue(
        thrown.getMessage().contains(Integer.toString(listening.address().getPort())),
        thrown::getMessage);
  }

  @Test
  void theEndOfAStreamIsReadAsMinusOneAndAnAbortAsAnException() {
    var client = new Ear();
    var server = new Ear();
    var wire = pair(client, server);
    wire.close();
    until(() -> server.readable);
    assertEquals(-1, server.accepted.read(sink, 0, 10));

    var second = new Ear();
    var other = new Ear();
    var aborted = pair(second, other);
    aborted.abort();
    until(() -> other.readable);
    assertThrows(WireException.class, () -> other.accepted.read(sink, 0, 10));
  }

  @Test
  void aHandlerThatThrowsLosesItsOwnStreamOnly() {
    var client = new Ear();
    var thrower =
        new Ear() {
          @Override
          public void readable(Wire wire, long now) {
            throw new IllegalStateException("planted");
          }
        };
    var wire = pair(client, thrower);
    var client2 = new Ear();
    var server2 = new Ear();
    var wire2 = pair(client2, server2);
    wire.write(memory, 0, 10);
    until(() -> thrower.failed != null);
    wire2.write(memory, 0, 10);
    until(() -> server2.readable);
    assertEquals(10, server2.accepted.read(sink, 0, 10));
  }

  @Test
  void wakeEndsAPark() throws InterruptedException {
    var parked = Thread.ofPlatform().start(() -> loop.park(Long.MAX_VALUE));
    loop.wake();
    parked.join(10_000);
    assertTrue(!parked.isAlive());
  }
}
