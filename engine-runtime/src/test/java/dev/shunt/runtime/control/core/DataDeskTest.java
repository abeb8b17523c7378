package dev.shunt.runtime.control.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Access;
import dev.shunt.api.spi.Lease;
import dev.shunt.api.spi.RegionKey;
import dev.shunt.api.spi.Regions;
import dev.shunt.runtime.control.golden.ServedMemory;
import dev.shunt.runtime.memory.BufferTable;
import dev.shunt.runtime.memory.RegisteredBuffer;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class DataDeskTest {
  private final ServedMemory memory = new ServedMemory();
  private final RegisteredBuffer buffer = memory.register(8192, Access.REMOTE_READ_WRITE);
  private final RegisteredBuffer written = memory.register(8192, Access.REMOTE_WRITE);
  private final RegisteredBuffer readOnly = memory.register(8192, Access.REMOTE_READ);
  private final RegisteredBuffer local = memory.register(8192, Access.LOCAL);
  private final DataDesk desk = new DataDesk(memory.table(), 6000, 7000);
  private final Lease lease = new Lease();

  private String read(long address, long length) {
    return desk.read(DataCodec.head(address, length), lease);
  }

  private String write(long address, long length, long sent) {
    return desk.write(DataCodec.head(address, length), 16 + sent, lease);
  }

  @Test
  void aRefusalNeverHasTheLengthThatWasAskedFor() {
    var none = new DataDesk(memory.table(), 0, 0);
    int refused = 0;
    for (int length = 0; length <= 4096; length++) {
      var head = DataCodec.head(1, length);
      for (var refusal :
          List.of(
              read(1, length),
              read(buffer.address() - 1, length),
              read(buffer.address() + 8192 - length + 1, length),
              read(written.address(), length),
              read(local.address(), length),
              none.read(DataCodec.head(buffer.address(), length), lease),
              desk.read(head, lease),
              new String(Refusals.unserved("RecvData", head), UTF_8))) {
        refused += refusal.isEmpty() ? 0 : 1;
        assertNotEquals(length, refusal.isEmpty() ? -1 : refusal.getBytes(UTF_8).length, refusal);
        assertFalse(lease.held(), refusal);
      }
    }
    assertTrue(refused > 8 * 4090, "" + refused);
  }

  @Test
  void aRangeIsHeldOnlyWhereItMayBeReached() {
    assertEquals("", read(buffer.address(), 6000));
    assertEquals(1, buffer.holders());
    lease.release();
    assertEquals("", write(written.address() + 1192, 7000, 7000));
    assertEquals(1192, lease.offset());
    lease.release();
    for (var refusal :
        List.of(
            read(written.address(), 1),
            read(local.address(), 1),
            write(readOnly.address(), 1, 1),
            write(local.address(), 1, 1))) {
      assertTrue(refusal.endsWith("does not allow it"), refusal);
    }
    for (var refusal :
        List.of(
            read(buffer.address() - 1, 1),
            read(buffer.address() + 8192, 1),
            read(buffer.address() + 4096, 4097),
            read(-1, 1),
            read(Long.MIN_VALUE, 1),
            write(0, 1, 1),
            write(-8, 16, 16))) {
      assertTrue(refusal.endsWith("not in registered buffer"), refusal);
    }
    assertFalse(lease.held());
  }

  @Test
  void noByteAtTheEdgeOfABufferIsNoFault() {
    assertEquals("", read(buffer.address(), 0));
    assertEquals("", read(buffer.address() + 8192, 0));
    assertEquals("", write(buffer.address() + 8192, 0, 0));
    assertFalse(write(1, 0, 0).isEmpty());
    assertFalse(read(0, 0).isEmpty());
    assertFalse(lease.held());
    assertEquals(0, buffer.holders());
  }

  @Test
  void lengthsAreUnsignedAndJudgedBeforeTheRange() {
    for (long length : new long[] {-1, Long.MIN_VALUE, 8L << 30, 6001, 1L << 32}) {
      assertTrue(read(buffer.address(), length).contains("exceeds maximum"), "" + length);
    }
    for (long length : new long[] {-1, -8, Long.MIN_VALUE, 8L << 30, 9}) {
      assertTrue(write(buffer.address(), length, 8).contains("invalid request size"), "" + length);
    }
    assertTrue(write(buffer.address(), 7001, 7001).contains("exceeds maximum"));
    assertEquals("", write(buffer.address(), 4, 7001), "what is more is not applied");
    lease.release();
  }

  @Test
  void aHeadThatIsCutIsRefused() {
    for (int length = 0; length < 16; length++) {
      var head = Arrays.copyOf(DataCodec.head(buffer.address(), 1), length);
      assertTrue(desk.read(head, lease).contains("too short"));
      assertTrue(desk.write(head, length, lease).contains("too short"));
    }
  }

  @Test
  void memoryThatIsDrainingIsReachedByNobody() {
    assertEquals("", read(buffer.address(), 8));
    var gone = buffer.close();
    assertTrue(desk.read(DataCodec.head(buffer.address(), 8), new Lease()).contains("not in"));
    assertFalse(gone.isDone());
    lease.release();
    assertTrue(gone.isDone());
  }

  @Test
  void aLengthIsNeverAskedOfARegionTwice() {
    Regions never =
        (address, length, key, write, into) -> {
          assertTrue(length == 0 || length == 1);
          return Regions.Refusal.RANGE;
        };
    assertFalse(new DataDesk(never, 10, 10).read(DataCodec.head(5, 0), lease).isEmpty());
  }

  @Test
  void memoryIsReachedByNobodyBeforeItIsRegistered() {
    var registering = new CompletableFuture<RegionKey[][]>();
    var keys =
        new ServedMemory.NoTransports() {
          @Override
          public CompletableFuture<RegionKey[][]> register(RegisteredBuffer buffer) {
            return registering;
          }
        };
    var table = new BufferTable(keys, 1);
    var segment = Arena.ofAuto().allocate(64);
    table.register(segment, Access.REMOTE_READ_WRITE);
    var early = new DataDesk(table, 64, 64);
    var head = DataCodec.head(segment.address(), 64);
    assertTrue(early.write(head, 80, lease).contains("not in registered"));
    registering.complete(new RegionKey[0][]);
    assertEquals("", early.write(head, 80, lease));
  }
}
