package dev.shunt.runtime.memory;

import dev.shunt.api.Access;
import dev.shunt.api.Buffer;
import dev.shunt.api.spi.Lease;
import dev.shunt.api.spi.Region;
import dev.shunt.api.spi.RegionKey;
import dev.shunt.runtime.agent.Nanos;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/** A registration, and the count of what holds it: transfers of ours, and requests of peers. */
public final class RegisteredBuffer implements Buffer, Region, Lease.Holder {
  private static final long CLOSING = 1L << 63;

  /** One that holds it; in the lower half. */
  private static final long HOLD = 1;

  /** One that holds it for a peer: counted in both halves, by one step. */
  private static final long LEASE = (1L << 32) + HOLD;

  private static final RegionKey[][] NONE_YET = {};

  private final long id;
  private final MemorySegment memory;
  private final Access access;
  private final boolean own;
  private final String location;
  private final BufferTable table;
  private final AtomicLong holds = new AtomicLong();
  private final Lease.Holder lent = () -> release(LEASE);
  private final CompletableFuture<Void> drained = new CompletableFuture<>();
  private final CompletableFuture<Void> unregistered = new CompletableFuture<>();
  private volatile RegionKey[][] keys = NONE_YET;

  RegisteredBuffer(
      long id,
      MemorySegment memory,
      Access access,
      String location,
      boolean own,
      BufferTable table) {
    this.own = own;
    this.id = id;
    this.memory = memory;
    this.access = access;
    this.location = location;
    this.table = table;
  }

  @Override
  public long id() {
    return id;
  }

  @Override
  public MemorySegment memory() {
    return memory;
  }

  @Override
  public long address() {
    return memory.address();
  }

  @Override
  public long length() {
    return memory.byteSize();
  }

  @Override
  public Access access() {
    return access;
  }

  @Override
  public String location() {
    return location;
  }

  /** Whether it is memory of the node's own, and none of the application's. */
  public boolean own() {
    return own;
  }

  /** The keys of a transport by rail; empty if that transport does not have this memory. */
  public RegionKey[] keys(int transport) {
    var all = keys;
    return transport < all.length ? all[transport] : new RegionKey[0];
  }

  void keys(RegionKey[][] all) {
    keys = all;
  }

  /** Whether its registration came to a good end: before that it is nobody's to reach. */
  public boolean registered() {
    return keys != NONE_YET;
  }

  /** All keys, by transport and rail. */
  public RegionKey[][] keys() {
    return keys;
  }

  /** Holds it for a transfer of this node, unless it is being unregistered. */
  public boolean hold() {
    return hold(HOLD);
  }

  /** Holds it for a peer's request, unless it is being unregistered. */
  boolean lend() {
    return hold(LEASE);
  }

  private boolean hold(long step) {
    long now = holds.get();
    while ((now & CLOSING) == 0) {
      if (holds.compareAndSet(now, now + step)) {
        return true;
      }
      now = holds.get();
    }
    return false;
  }

  /** One transfer of this node fewer holds it. */
  @Override
  public void released() {
    release(HOLD);
  }

  /** Hears of the end of what {@link #lend} allowed. */
  Lease.Holder lent() {
    return lent;
  }

  private void release(long step) {
    if (holds.addAndGet(-step) == CLOSING) {
      drained.complete(null);
    }
  }

  /** How many hold it: transfers of this node, and requests of peers. */
  public int holders() {
    return (int) holds.get();
  }

  /** How many requests of peers hold it. */
  public int leases() {
    return (int) ((holds.get() & ~CLOSING) >>> 32);
  }

  @Override
  public State state() {
    if (unregistered.isDone()) {
      return State.UNREGISTERED;
    }
    return (holds.get() & CLOSING) == 0 ? State.REGISTERED : State.DRAINING;
  }

  /** Takes nothing new from here on; when nothing holds it any more it is unregistered. */
  public CompletableFuture<Void> close() {
    long now = holds.get();
    while ((now & CLOSING) == 0) {
      if (holds.compareAndSet(now, now | CLOSING)) {
        if (now == 0) {
          drained.complete(null);
        }
        drained.thenRun(() -> table.remove(this, unregistered));
        break;
      }
      now = holds.get();
    }
    return unregistered;
  }

  @Override
  public boolean unregister(Duration timeout) throws InterruptedException {
    try {
      close().get(Nanos.of(timeout), TimeUnit.NANOSECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException("unregistering " + this + " failed", e.getCause());
    }
  }

  @Override
  public String toString() {
    return "buffer [0x" + Long.toHexString(address()) + ", +" + length() + ") " + access;
  }
}
