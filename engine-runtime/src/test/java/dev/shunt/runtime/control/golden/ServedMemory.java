package dev.shunt.runtime.control.golden;

import dev.shunt.api.Access;
import dev.shunt.api.spi.RegionKey;
import dev.shunt.runtime.memory.BufferTable;
import dev.shunt.runtime.memory.RegisteredBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CompletableFuture;

/** Registered memory without transports. */
public final class ServedMemory {
  private final BufferTable table = new BufferTable(new NoTransports(), 1);

  /** Registers with nobody. */
  public static class NoTransports implements BufferTable.Keys {
    @Override
    public CompletableFuture<RegionKey[][]> register(RegisteredBuffer buffer) {
      return CompletableFuture.completedFuture(new RegionKey[0][]);
    }

    @Override
    public CompletableFuture<Void> unregister(RegionKey[][] keys) {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void changed() {}

    @Override
    public void removed() {}
  }

  /** The table. */
  public BufferTable table() {
    return table;
  }

  /** Registers memory whose byte i is i modulo 256. */
  public RegisteredBuffer register(long length, Access access) {
    var memory = Arena.ofAuto().allocate(length, 4096);
    fill(memory);
    return register(memory, access);
  }

  /** Registers memory. */
  public RegisteredBuffer register(MemorySegment memory, Access access) {
    return table.register(memory, access).join();
  }

  /** Makes byte i of memory i modulo 256. */
  public static void fill(MemorySegment memory) {
    for (long i = 0; i < memory.byteSize(); i++) {
      memory.set(ValueLayout.JAVA_BYTE, i, (byte) i);
    }
  }
}
