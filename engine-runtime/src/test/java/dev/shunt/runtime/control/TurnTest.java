package dev.shunt.runtime.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Access;
import dev.shunt.api.sim.SimNetwork;
import dev.shunt.api.sim.World;
import dev.shunt.api.spi.Wire;
import dev.shunt.api.spi.WireHandler;
import dev.shunt.api.spi.WireLoop;
import dev.shunt.api.spi.WireServer;
import dev.shunt.api.spi.Wires;
import dev.shunt.runtime.control.core.DataCodec;
import dev.shunt.runtime.control.core.DataDesk;
import dev.shunt.runtime.control.golden.ServedMemory;
import dev.shunt.runtime.memory.RegisteredBuffer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What one connection may do before the others have their turn. */
class TurnTest {
  private static final long LENGTH = 8 << 20;
  private static final long MOST = 17 << 16;

  private final ServedMemory memory = new ServedMemory();
  private final RegisteredBuffer buffer = memory.register(LENGTH, Access.REMOTE_READ_WRITE);
  private WireServer.Handler accepting;

  /** A stream from which there is always more to read, and that takes whatever it is given. */
  private static final class Endless implements Wire {
    private final byte[] head;
    private long moved;
    private long turn;

    Endless(byte[] head) {
      this.head = head;
    }

    @Override
    public long read(MemorySegment into, long offset, long length) {
      for (long i = 0; i < Math.min(length, head.length - moved); i++) {
        into.set(ValueLayout.JAVA_BYTE, offset + i, head[(int) (moved + i)]);
      }
      return move(moved < head.length ? Math.min(length, head.length - moved) : length);
    }

    @Override
    public long write(MemorySegment from, long offset, long length) {
      return move(length);
    }

    private long move(long count) {
      moved += count;
      turn += count;
      return count;
    }

    @Override
    public void interest(boolean read, boolean write) {}

    @Override
    public InetSocketAddress local() {
      return new InetSocketAddress(1);
    }

    @Override
    public InetSocketAddress remote() {
      return new InetSocketAddress(2);
    }

    @Override
    public void close() {}

    @Override
    public void abort() {}
  }

  private final class Loop implements WireLoop {
    @Override
    public Wire connect(InetSocketAddress local, InetSocketAddress remote, WireHandler handler) {
      throw new UnsupportedOperationException();
    }

    @Override
    public WireServer listen(InetSocketAddress address, WireServer.Handler handler) {
      accepting = handler;
      return new WireServer() {
        @Override
        public InetSocketAddress address() {
          return address;
        }

        @Override
        public void close() {}
      };
    }

    @Override
    public int poll(long now) {
      return 0;
    }

    @Override
    public void park(long deadline) {}

    @Override
    public void wake() {}

    @Override
    public void close() {}
  }

  private WireHandler accepted(Wire wire) {
    var world = new World(1);
    var virtual = new VirtualPlatform(world, new SimNetwork(world).host("h", "10.0.0.1"), "p");
    var service =
        new ControlService(
            "control",
            ControlOptions.defaults(),
            new DelegatingPlatform(virtual) {
              @Override
              public Wires wires() {
                return name -> new Loop();
              }
            });
    service.serveData(new DataDesk(memory.table(), LENGTH, LENGTH));
    service.listen(List.of(new InetSocketAddress(1)));
    return accepting.accepted(wire, 0);
  }

  private byte[] head(int function, long attachment) {
    return java.util.HexFormat.of()
        .parseHex(
            "15000000000000000d6674ff08000000%08x0840a555%02x000000%s"
                .formatted(
                    Integer.reverseBytes((int) attachment),
                    function,
                    java.util.HexFormat.of().formatHex(DataCodec.head(buffer.address(), LENGTH))));
  }

  @Test
  void aWriteThatNeverStopsLeavesTheOthersTheirTurn() {
    var wire = new Endless(head(3, LENGTH + 16));
    var handler = accepted(wire);
    int turns = 0;
    while (wire.moved < LENGTH) {
      wire.turn = 0;
      handler.readable(wire, 0);
      assertTrue(wire.turn > 0 && wire.turn <= MOST, "turn " + turns + ": " + wire.turn);
      turns++;
    }
    assertTrue(turns >= LENGTH / MOST);
  }

  @Test
  void aReaderThatTakesEverythingLeavesTheOthersTheirTurn() {
    var wire = new Endless(head(4, 16));
    var handler = accepted(wire);
    handler.readable(wire, 0);
    assertTrue(wire.turn <= MOST + 100_000, "" + wire.turn);
    assertEquals(1, buffer.holders());
    for (int turns = 1; buffer.holders() > 0; turns++) {
      wire.turn = 0;
      handler.writable(wire, 0);
      assertTrue(wire.turn > 0 && wire.turn <= MOST + 100_000, turns + ": " + wire.turn);
    }
    assertEquals(44 + 20 + LENGTH, wire.moved);
  }
}
