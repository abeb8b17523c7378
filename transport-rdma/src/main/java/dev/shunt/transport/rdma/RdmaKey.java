package dev.shunt.transport.rdma;

import dev.shunt.api.spi.RegionKey;
import dev.shunt.transport.rdma.verbs.VerbsRegion;
import java.lang.foreign.MemorySegment;

/** Memory as one rail knows it. */
final class RdmaKey implements RegionKey {
  private final RdmaRail rail;
  private final MemorySegment memory;
  private final int access;
  private VerbsRegion region;
  private int lkey;
  private volatile long remoteKey;

  /** Memory that is not registered yet. */
  RdmaKey(RdmaRail rail, MemorySegment memory, int access) {
    this.rail = rail;
    this.memory = memory;
    this.access = access;
  }

  @Override
  public long remoteKey() {
    return remoteKey;
  }

  /** What our own work requests show. */
  int lkey() {
    return lkey;
  }

  RdmaRail rail() {
    return rail;
  }

  MemorySegment memory() {
    return memory;
  }

  int access() {
    return access;
  }

  VerbsRegion region() {
    return region;
  }

  /** It is registered. */
  void register(VerbsRegion made) {
    region = made;
    lkey = made.lkey();
    remoteKey = Integer.toUnsignedLong(made.rkey());
  }
}
