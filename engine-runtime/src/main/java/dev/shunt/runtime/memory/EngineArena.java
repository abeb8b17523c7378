package dev.shunt.runtime.memory;

import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A shared arena whose closing waits for the physical end of what used its memory. The lock guards
 * the list of allocations only.
 */
public final class EngineArena implements Arena {
  private final Arena arena = Arena.ofShared();
  private final BufferTable table;
  private final Duration patience;
  private final List<MemorySegment> allocated = new ArrayList<>();

  /** An arena without memory. */
  public EngineArena(BufferTable table, Duration patience) {
    this.table = table;
    this.patience = patience;
  }

  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    var memory = allocateOrRefuse(byteSize, byteAlignment);
    synchronized (allocated) {
      allocated.add(memory);
    }
    return memory;
  }

  private MemorySegment allocateOrRefuse(long byteSize, long byteAlignment) {
    try {
      return arena.allocate(byteSize, byteAlignment);
    } catch (OutOfMemoryError e) {
      // Native memory: nothing else of the process is short of anything.
      throw new ShuntException(
          FailureCode.RESOURCE,
          byteSize + " bytes of memory are not to be had on this machine; ask for less",
          e);
    }
  }

  @Override
  public MemorySegment.Scope scope() {
    return arena.scope();
  }

  @Override
  public void close() {
    var until = System.nanoTime() + patience.toNanos();
    for (var buffer : inside()) {
      boolean free;
      try {
        free = buffer.unregister(Duration.ofNanos(Math.max(0, until - System.nanoTime())));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        free = false;
      }
      if (!free) {
        throw new ShuntException(
            FailureCode.BUSY,
            buffer
                + " is still in use by "
                + buffer.holders()
                + " transfers or requests; nothing was freed, close the arena again later");
      }
    }
    arena.close();
  }

  private List<RegisteredBuffer> inside() {
    synchronized (allocated) {
      return table.buffers().stream()
          .filter(
              buffer ->
                  allocated.stream()
                      .anyMatch(
                          memory ->
                              buffer.address() < memory.address() + memory.byteSize()
                                  && memory.address() < buffer.address() + buffer.length()))
          .toList();
    }
  }
}
