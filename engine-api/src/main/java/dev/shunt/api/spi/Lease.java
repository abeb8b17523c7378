package dev.shunt.api.spi;

import java.lang.foreign.MemorySegment;

/**
 * Holds a registration while a remote's request is applied. Made once and used again; owned by one
 * thread at a time.
 */
public final class Lease {
  private MemorySegment memory;
  private long offset;
  private Holder holder;

  /** An empty lease. */
  public Lease() {}

  /** The registration's memory. */
  public MemorySegment memory() {
    return memory;
  }

  /** Where the range begins in {@link #memory()}. */
  public long offset() {
    return offset;
  }

  /** Whether it holds something. */
  public boolean held() {
    return holder != null;
  }

  /** Called by the runtime when it grants a range. */
  public void grant(Holder holder, MemorySegment memory, long offset) {
    if (this.holder != null) {
      throw new IllegalStateException("this lease still holds a range; release it first");
    }
    this.holder = holder;
    this.memory = memory;
    this.offset = offset;
  }

  /** Gives the range back; does nothing if the lease is empty. */
  public void release() {
    var held = holder;
    if (held != null) {
      holder = null;
      memory = null;
      held.released();
    }
  }

  /** What counts the leases of a registration. */
  public interface Holder {
    /** One lease fewer. */
    void released();
  }
}
