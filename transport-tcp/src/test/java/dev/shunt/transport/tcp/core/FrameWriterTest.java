package dev.shunt.transport.tcp.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.spi.Wire;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FrameWriterTest {
  private final Arena arena = Arena.ofAuto();
  private final List<Long> writes = new ArrayList<>();
  private final FrameWriter writer =
      new FrameWriter(new FrameBuffer(arena.allocate(1024)), 1 << 20);

  @Test
  void theHeadOfALargePayloadGoesOutWithItsHeader() {
    writer.header(Frame.WRITE, 0, 1, 0, 5000, 0);
    writer.attach(arena.allocate(5000), 0, 5000, 512);
    assertTrue(writer.drain(wire()));
    assertEquals(List.of(Frame.HEADER + 512L, 5000L - 512), writes);
    assertEquals(writer.staged(), writer.written());
  }

  @Test
  void theHeadIsNoLongerThanTheRoomForIt() {
    writer.header(Frame.WRITE, 0, 1, 0, 5000, 0);
    writer.attach(arena.allocate(5000), 0, 5000, 2000);
    assertTrue(writer.drain(wire()));
    assertEquals(List.of(1024L, 5000L - (1024 - Frame.HEADER)), writes);
  }

  /** Takes all that it is given. */
  private Wire wire() {
    return new Wire() {
      @Override
      public long read(MemorySegment into, long offset, long length) {
        return 0;
      }

      @Override
      public long write(MemorySegment from, long offset, long length) {
        writes.add(length);
        return length;
      }

      @Override
      public void interest(boolean read, boolean write) {}

      @Override
      public InetSocketAddress local() {
        throw new UnsupportedOperationException();
      }

      @Override
      public InetSocketAddress remote() {
        throw new UnsupportedOperationException();
      }

      @Override
      public void close() {}

      @Override
      public void abort() {}
    };
  }
}
