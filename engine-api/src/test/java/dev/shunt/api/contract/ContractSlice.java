package dev.shunt.api.contract;

import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.RegionKey;
import dev.shunt.api.spi.Slice;
import java.lang.foreign.MemorySegment;

/** A slice of a contract test, and what became of it. */
public final class ContractSlice implements Slice {
  private final int number;
  private boolean write;
  private HostRegion region;
  private long offset;
  private long length;
  private RegionKey localKey;
  private long remoteAddress;
  private long remoteKey;
  private long deadline;
  private State state = State.FREE;
  private ContractChannel channel;
  private Fault fault;
  private Runnable reported;

  ContractSlice(int number) {
    this.number = number;
  }

  ContractSlice set(
      boolean isWrite, HostRegion local, long at, long bytes, long address, long key, long until) {
    write = isWrite;
    region = local;
    offset = at;
    length = bytes;
    remoteAddress = address;
    remoteKey = key;
    deadline = until;
    state = State.FREE;
    fault = null;
    reported = null;
    return this;
  }

  /** Calls back from within the report. */
  public ContractSlice onReport(Runnable callback) {
    reported = callback;
    return this;
  }

  void posted(ContractChannel on, RegionKey key) {
    if (state == State.POSTED) {
      throw new IllegalStateException(this + " is posted already");
    }
    channel = on;
    localKey = key;
    state = State.POSTED;
    fault = null;
  }

  /** Whether it was still to be reported. */
  boolean report(State end, Fault with) {
    if (state != State.POSTED) {
      return false;
    }
    state = end;
    fault = with;
    channel.reported(this);
    channel = null;
    if (reported != null) {
      reported.run();
    }
    return true;
  }

  /** Where it stands. */
  public State state() {
    return state;
  }

  /** Whether it was reported. */
  public boolean ended() {
    return state == State.COMPLETED || state == State.FAILED;
  }

  /** Why it failed, if it did; else null. */
  public Fault fault() {
    return fault;
  }

  ContractChannel channel() {
    return channel;
  }

  @Override
  public boolean write() {
    return write;
  }

  @Override
  public MemorySegment memory() {
    return region.memory();
  }

  HostRegion region() {
    return region;
  }

  @Override
  public long offset() {
    return offset;
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public RegionKey localKey() {
    return localKey;
  }

  @Override
  public long remoteAddress() {
    return remoteAddress;
  }

  @Override
  public long remoteKey() {
    return remoteKey;
  }

  @Override
  public long deadline() {
    return deadline;
  }

  @Override
  public String toString() {
    return "slice "
        + number
        + (write ? " (write of " : " (read of ")
        + length
        + " bytes, "
        + state
        + (fault == null ? ")" : ", " + fault + ")");
  }

  /** A slice's life. */
  public enum State {
    /** Not posted. */
    FREE,
    /** The transport has it. */
    POSTED,
    /** Reported as completed. */
    COMPLETED,
    /** Reported as failed. */
    FAILED
  }
}
