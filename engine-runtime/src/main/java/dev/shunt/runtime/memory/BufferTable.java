package dev.shunt.runtime.memory;

import dev.shunt.api.Access;
import dev.shunt.api.Buffer;
import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import dev.shunt.api.spi.Lease;
import dev.shunt.api.spi.RegionKey;
import dev.shunt.api.spi.Regions;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;

/**
 * All registered memory of a node, by address. Readers see a snapshot; the lock is for those that
 * change it, which is rare, and is never held while anything is waited for.
 */
public final class BufferTable implements Regions {
  /** Readers of descriptors take no longer one. */
  private static final int LONGEST_LOCATION = 128;

  private final Object changes = new Object();
  private final Keys registrar;
  private long lastId;
  private volatile RegisteredBuffer[] byAddress = {};

  /** What takes memory to the transports. */
  public interface Keys {
    /** Registers with every transport; the keys are by transport and rail. */
    CompletableFuture<RegionKey[][]> register(RegisteredBuffer buffer);

    /** Ends all registrations of a buffer. */
    CompletableFuture<Void> unregister(RegionKey[][] keys);

    /** What may be reached has changed. */
    void changed();

    /** Memory is not to be reached any more. May come on a lane: nothing is worked out here. */
    void removed();
  }

  /**
   * An empty table.
   *
   * @param firstId where ids begin: chosen so that no earlier process of this name gave the same
   */
  public BufferTable(Keys registrar, long firstId) {
    this.registrar = registrar;
    this.lastId = firstId;
  }

  /** Registers memory; fails with a {@link ShuntException}. */
  public CompletableFuture<RegisteredBuffer> register(MemorySegment memory, Access access) {
    return register(memory, access, Buffer.HOST);
  }

  /** The same for memory of which it is known where it lies. */
  public CompletableFuture<RegisteredBuffer> register(
      MemorySegment memory, Access access, String location) {
    return register(memory, access, location, false);
  }

  /**
   * Registers memory of the node's own: peers reach it by its keys, and hear of it by nothing here.
   */
  public CompletableFuture<RegisteredBuffer> registerOwn(MemorySegment memory, Access access) {
    return register(memory, access, Buffer.HOST, true);
  }

  private CompletableFuture<RegisteredBuffer> register(
      MemorySegment memory, Access access, String location, boolean own) {
    RegisteredBuffer buffer;
    try {
      buffer = add(memory, access, location, own);
    } catch (ShuntException refused) {
      return CompletableFuture.failedFuture(refused);
    }
    return registrar
        .register(buffer)
        .handle(
            (keys, failure) -> {
              if (failure != null) {
                drop(buffer);
                var cause =
                    failure instanceof CompletionException wrapped && wrapped.getCause() != null
                        ? wrapped.getCause()
                        : failure;
                throw cause instanceof ShuntException known
                    ? known
                    : new ShuntException(
                        FailureCode.INTERNAL, buffer + " could not be registered", cause);
              }
              buffer.keys(keys);
              if (!own) {
                tellOrUndo(buffer);
              }
              return buffer;
            });
  }

  /**
   * Memory that cannot be told to others is not registered: the next one would fail by it as well.
   */
  private void tellOrUndo(RegisteredBuffer buffer) {
    try {
      registrar.changed();
    } catch (RuntimeException e) {
      drop(buffer);
      registrar.unregister(buffer.keys());
      throw new ShuntException(
          FailureCode.INTERNAL, buffer + " could not be described to others", e);
    }
  }

  private RegisteredBuffer add(MemorySegment memory, Access access, String location, boolean own) {
    if (location.isBlank() || location.length() > LONGEST_LOCATION) {
      throw rejected(
          memory,
          "is said to lie at '"
              + location.substring(0, Math.min(location.length(), LONGEST_LOCATION))
              + "'; right is such as cpu:0, or *, up to "
              + LONGEST_LOCATION
              + " letters");
    }
    if (!memory.isNative()) {
      throw rejected(memory, "is on the heap, where it moves; allocate it from engine.arena()");
    }
    if (memory.byteSize() == 0) {
      throw rejected(memory, "is empty");
    }
    if (memory.address() < 0 || memory.byteSize() > Long.MAX_VALUE - memory.address()) {
      throw rejected(memory, "is no range of this machine's addresses; name memory that there is");
    }
    if (!memory.isAccessibleBy(Thread.ofPlatform().unstarted(() -> {}))) {
      throw rejected(
          memory,
          "belongs to one thread, and the engine's threads must reach it; allocate it from"
              + " engine.arena() or another shared arena");
    }
    if (memory.isReadOnly() && access.writable()) {
      throw rejected(memory, "is read-only, and " + access + " lets remotes write");
    }
    synchronized (changes) {
      var next = new ArrayList<>(List.of(byAddress));
      for (var known : next) {
        if (known.address() < memory.address() + memory.byteSize()
            && memory.address() < known.address() + known.length()) {
          throw rejected(memory, "overlaps the registered " + known);
        }
      }
      // Odd steps through all 64-bit numbers: no two ids alike, and 0 left out.
      lastId = lastId + 2;
      var buffer = new RegisteredBuffer(lastId | 1, memory, access, location, own, this);
      next.add(buffer);
      next.sort(Comparator.comparingLong(RegisteredBuffer::address));
      byAddress = next.toArray(RegisteredBuffer[]::new);
      return buffer;
    }
  }

  private static ShuntException rejected(MemorySegment memory, String why) {
    return new ShuntException(
        FailureCode.REJECTED,
        "memory [0x" + Long.toHexString(memory.address()) + ", +" + memory.byteSize() + ") " + why);
  }

  private void drop(RegisteredBuffer buffer) {
    synchronized (changes) {
      var next = new ArrayList<>(List.of(byAddress));
      next.remove(buffer);
      byAddress = next.toArray(RegisteredBuffer[]::new);
    }
  }

  /** The last step of a buffer's life; nothing holds it any more. */
  void remove(RegisteredBuffer buffer, CompletableFuture<Void> over) {
    drop(buffer);
    registrar.removed();
    registrar
        .unregister(buffer.keys())
        .whenComplete(
            (done, failure) -> {
              if (failure == null) {
                over.complete(null);
              } else {
                over.completeExceptionally(failure);
              }
            });
  }

  /** The application's buffers, by address. */
  public List<RegisteredBuffer> buffers() {
    return Stream.of(byAddress).filter(buffer -> !buffer.own()).toList();
  }

  /** All buffers, the node's own too, by address. */
  public List<RegisteredBuffer> all() {
    return List.of(byAddress);
  }

  /** The buffer that holds a whole range. */
  public Optional<RegisteredBuffer> covering(long address, long length) {
    return Optional.ofNullable(around(address, length));
  }

  /** The same for the hot path: null where there is none. */
  public RegisteredBuffer around(long address, long length) {
    var buffer = at(address);
    return buffer == null
            || buffer.own()
            || length < 0
            || length > buffer.length() - (address - buffer.address())
        ? null
        : buffer;
  }

  private RegisteredBuffer at(long address) {
    var snapshot = byAddress;
    int low = 0;
    int high = snapshot.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      var buffer = snapshot[middle];
      if (address < buffer.address()) {
        high = middle - 1;
      } else if (address - buffer.address() >= buffer.length()) {
        low = middle + 1;
      } else {
        return buffer;
      }
    }
    return null;
  }

  @Override
  public Refusal acquire(long address, long length, long key, boolean write, Lease lease) {
    var buffer = at(address);
    if (buffer == null
        || !buffer.registered()
        || length < 0
        || length > buffer.length() - (address - buffer.address())) {
      return Refusal.RANGE;
    }
    if (key != 0 && key != buffer.id()) {
      return Refusal.KEY;
    }
    if (write ? !buffer.access().writable() : !buffer.access().readable()) {
      return Refusal.ACCESS;
    }
    if (!buffer.lend()) {
      return Refusal.RANGE;
    }
    lease.grant(buffer.lent(), buffer.memory(), address - buffer.address());
    return Refusal.NONE;
  }
}
