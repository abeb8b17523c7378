package dev.shunt.runtime.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Access;
import dev.shunt.api.Buffer;
import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import dev.shunt.api.spi.Lease;
import dev.shunt.api.spi.RegionKey;
import dev.shunt.api.spi.Regions.Refusal;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

@SuppressWarnings("restricted")
class BufferTableTest {
  private final List<RegionKey[][]> unregistered = new ArrayList<>();
  private RuntimeException refusal;
  private boolean undescribable;
  private int removals;
  private final BufferTable table =
      new BufferTable(
          new BufferTable.Keys() {
            @Override
            public CompletableFuture<RegionKey[][]> register(RegisteredBuffer buffer) {
              return refusal != null
                  ? CompletableFuture.failedFuture(refusal)
                  : CompletableFuture.completedFuture(new RegionKey[][] {{buffer::id}});
            }

            @Override
            public CompletableFuture<Void> unregister(RegionKey[][] keys) {
              unregistered.add(keys);
              return CompletableFuture.completedFuture(null);
            }

            @Override
            public void removed() {
              removals++;
            }

            @Override
            public void changed() {
              if (undescribable) {
                throw new IllegalArgumentException("planted");
              }
            }
          },
          -3);

  private RegisteredBuffer register(MemorySegment memory, Access access) {
    return table.register(memory, access).join();
  }

  private ShuntException refused(MemorySegment memory, Access access) {
    var thrown = assertThrows(ExecutionException.class, () -> table.register(memory, access).get());
    return assertInstanceOf(ShuntException.class, thrown.getCause());
  }

  private Refusal ask(long address, long length, long key, boolean write) {
    var lease = new Lease();
    var answer = table.acquire(address, length, key, write, lease);
    assertEquals(answer == Refusal.NONE, lease.held());
    lease.release();
    return answer;
  }

  @Test
  void aRangeMustLieWithinOneRegistration() {
    var memory = Arena.ofAuto().allocate(200);
    var first = register(memory.asSlice(0, 100), Access.REMOTE_READ_WRITE);
    register(memory.asSlice(100, 100), Access.REMOTE_READ_WRITE);
    var at = first.address();
    assertEquals(Refusal.NONE, ask(at, 100, 0, true));
    assertEquals(Refusal.NONE, ask(at + 99, 1, 0, true));
    assertEquals(Refusal.RANGE, ask(at + 99, 2, 0, true));
    assertEquals(Refusal.RANGE, ask(at, 200, 0, true));
    assertEquals(Refusal.RANGE, ask(at - 1, 2, 0, true));
    assertEquals(Refusal.RANGE, ask(at, -1, 0, true));
    assertEquals(Refusal.RANGE, ask(at, Long.MIN_VALUE, 0, true));
    assertEquals(Refusal.RANGE, ask(at + 200, 0, 0, true));
  }

  @Test
  void theKeyOfAnotherRegistrationIsRefused() {
    var memory = Arena.ofAuto().allocate(100);
    var old = register(memory, Access.REMOTE_READ_WRITE);
    var key = old.id();
    assertEquals(Refusal.NONE, ask(old.address(), 1, key, true));
    old.close().join();
    var renewed = register(memory, Access.REMOTE_READ_WRITE);
    assertNotEquals(key, renewed.id());
    assertEquals(Refusal.KEY, ask(renewed.address(), 1, key, true));
  }

  @Test
  void idsAreNeverZeroAndNeverTheSame() {
    var ids = new java.util.HashSet<Long>();
    var memory = Arena.ofAuto().allocate(100);
    for (int i = 0; i < 20; i++) {
      var buffer = register(memory, Access.LOCAL);
      assertNotEquals(0, buffer.id());
      assertTrue(ids.add(buffer.id()));
      buffer.close().join();
    }
  }

  @Test
  void accessIsWhatWasAllowed() {
    var readable = register(Arena.ofAuto().allocate(8), Access.REMOTE_READ);
    var writable = register(Arena.ofAuto().allocate(8), Access.REMOTE_WRITE);
    var local = register(Arena.ofAuto().allocate(8), Access.LOCAL);
    assertEquals(Refusal.ACCESS, ask(readable.address(), 8, 0, true));
    assertEquals(Refusal.NONE, ask(readable.address(), 8, 0, false));
    assertEquals(Refusal.ACCESS, ask(writable.address(), 8, 0, false));
    assertEquals(Refusal.ACCESS, ask(local.address(), 8, 0, false));
    assertEquals(Refusal.ACCESS, ask(local.address(), 8, 0, true));
  }

  @Test
  void unregisteringWaitsForWhatHoldsIt() throws InterruptedException {
    var buffer = register(Arena.ofAuto().allocate(8), Access.REMOTE_READ_WRITE);
    var lease = new Lease();
    assertEquals(Refusal.NONE, table.acquire(buffer.address(), 8, 0, true, lease));
    assertFalse(buffer.unregister(Duration.ofMillis(1)));
    assertEquals(Buffer.State.DRAINING, buffer.state());
    assertEquals(List.of(), unregistered);
    assertEquals(Refusal.RANGE, ask(buffer.address(), 8, 0, false), "it takes nothing new");
    assertFalse(buffer.hold());
    lease.release();
    assertTrue(buffer.unregister(Duration.ofSeconds(10)));
    assertEquals(Buffer.State.UNREGISTERED, buffer.state());
    assertEquals(1, unregistered.size());
    assertEquals(List.of(), table.buffers());
  }

  @Test
  void memoryThatTheEngineCannotUseIsRefusedWithTheReason() {
    assertTrue(
        refused(MemorySegment.ofArray(new byte[8]), Access.LOCAL).getMessage().contains("heap"));
    try (var confined = Arena.ofConfined()) {
      assertTrue(refused(confined.allocate(8), Access.LOCAL).getMessage().contains("one thread"));
    }
    assertTrue(
        refused(Arena.ofAuto().allocate(8).asReadOnly(), Access.REMOTE_WRITE)
            .getMessage()
            .contains("read-only"));
    assertEquals(
        FailureCode.REJECTED,
        refused(Arena.ofAuto().allocate(8).asSlice(0, 0), Access.LOCAL).code());
  }

  @Test
  void whatPeersHoldIsToldFromWhatTransfersHold() {
    var memory = Arena.ofAuto().allocate(8);
    var buffer = register(memory, Access.REMOTE_READ_WRITE);
    assertTrue(buffer.hold());
    var lease = new Lease();
    table.acquire(memory.address(), 8, 0, true, lease);
    assertEquals(2, buffer.holders());
    assertEquals(1, buffer.leases());
    buffer.close();
    assertEquals(1, buffer.leases());
    buffer.released();
    assertEquals(1, buffer.leases());
    assertEquals(Buffer.State.DRAINING, buffer.state());
    lease.release();
    assertEquals(0, buffer.leases());
    assertEquals(0, buffer.holders());
    assertEquals(Buffer.State.UNREGISTERED, buffer.state());
  }

  @Test
  void whoLetsGoLastDescribesNothing() {
    var buffer = register(Arena.ofAuto().allocate(8), Access.REMOTE_READ);
    assertTrue(buffer.hold());
    buffer.close();
    undescribable = true;
    buffer.released();
    assertEquals(1, removals);
    assertEquals(Buffer.State.UNREGISTERED, buffer.state());
  }

  @Test
  void overlappingMemoryIsRefused() {
    var memory = Arena.ofAuto().allocate(100);
    register(memory.asSlice(10, 10), Access.LOCAL);
    assertTrue(refused(memory, Access.LOCAL).getMessage().contains("overlaps"));
    assertTrue(refused(memory.asSlice(19, 1), Access.LOCAL).getMessage().contains("overlaps"));
    register(memory.asSlice(20, 1), Access.LOCAL);
  }

  @Test
  void aRegistrationThatATransportRefusesLeavesNothingBehind() {
    refusal = new ShuntException(FailureCode.RESOURCE, "the limit on locked memory is 64 KiB");
    var memory = Arena.ofAuto().allocate(8);
    assertEquals(FailureCode.RESOURCE, refused(memory, Access.LOCAL).code());
    assertEquals(List.of(), table.buffers());
    refusal = null;
    register(memory, Access.LOCAL);
  }

  @Test
  void memoryBeyondTheEndOfAllAddressesIsRefused() {
    var endless = MemorySegment.ofAddress(4096).reinterpret(Long.MAX_VALUE);
    assertEquals(FailureCode.REJECTED, refused(endless, Access.REMOTE_READ).code());
    register(Arena.ofAuto().allocate(8), Access.REMOTE_READ);
  }

  @Test
  void memoryThatCannotBeDescribedIsUndoneAndTheNextIsFine() {
    undescribable = true;
    assertEquals(
        FailureCode.INTERNAL, refused(Arena.ofAuto().allocate(8), Access.REMOTE_READ).code());
    assertEquals(List.of(), table.buffers());
    assertEquals(1, unregistered.size());
    undescribable = false;
    register(Arena.ofAuto().allocate(8), Access.REMOTE_READ);
  }

  @Test
  void anArenaSaysHowMuchIsNotToBeHad() {
    try (var arena = new EngineArena(table, Duration.ofMillis(1))) {
      var thrown = assertThrows(ShuntException.class, () -> arena.allocate(1L << 50, 8));
      assertEquals(FailureCode.RESOURCE, thrown.code());
    }
  }

  @Test
  void anArenaClosesOnlyWhenNothingHoldsItsMemory() {
    var arena = new EngineArena(table, Duration.ofMillis(1));
    var memory = arena.allocate(8);
    var buffer = register(memory, Access.LOCAL);
    assertTrue(buffer.hold());
    assertEquals(FailureCode.BUSY, assertThrows(ShuntException.class, arena::close).code());
    memory.set(java.lang.foreign.ValueLayout.JAVA_BYTE, 0, (byte) 1);
    buffer.released();
    arena.close();
    assertFalse(memory.scope().isAlive());
  }
}
