package dev.shunt.api.contract;

import dev.shunt.api.Access;
import dev.shunt.api.spi.Lease;
import dev.shunt.api.spi.Region;
import dev.shunt.api.spi.RegionKey;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** A registration of a contract host. */
public final class HostRegion implements Region, Lease.Holder, RemoteMemory {
  private final long id;
  private final MemorySegment memory;
  private final Access access;
  private final List<RegionKey> keys = new ArrayList<>();
  private int leases;
  private boolean gone;

  HostRegion(long id, MemorySegment memory, Access access) {
    this.id = id;
    this.memory = memory;
    this.access = access;
  }

  List<RegionKey> keys() {
    return keys;
  }

  /** How many leases are held. */
  public int leases() {
    return leases;
  }

  boolean gone() {
    return gone;
  }

  void leave() {
    gone = true;
  }

  void lend(Lease lease, long offset) {
    leases++;
    lease.grant(this, memory, offset);
  }

  @Override
  public void released() {
    leases--;
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
  public int block() {
    return 1;
  }

  @Override
  public long key(int rail) {
    return keys.get(rail).remoteKey();
  }

  @Override
  public void copyOut(long offset, MemorySegment into) {
    MemorySegment.copy(memory, offset, into, 0, into.byteSize());
  }

  @Override
  public void copyIn(long offset, MemorySegment from) {
    MemorySegment.copy(from, 0, memory, offset, from.byteSize());
  }
}
