package dev.shunt.transport.rdma;

import dev.shunt.api.spi.RegionKey;
import dev.shunt.transport.rdma.verbs.VerbsRegion;
import java.lang.foreign.MemorySegment;

/**
 * Memory as one rail knows it. It outlives the rail's context: with another one it is registered
 * again, and then has other numbers.
 *
 * <p>What peers show has the number of the context in its upper half, and the device's own key in
 * the lower. So a key of a context that is gone is known for one, and no work request goes out with
 * it: a peer's device would answer that by breaking the connection.
 */
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

  /** What our own work requests show; for channels of the rail's present context. */
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

  /** Whether its rail's context has it. */
  boolean registered() {
    return region != null;
  }

  VerbsRegion region() {
    return region;
  }

  /** It is registered with a context of that number. */
  void register(VerbsRegion made, int context) {
    region = made;
    lkey = made.lkey();
    remoteKey = (long) context << Integer.SIZE | Integer.toUnsignedLong(made.rkey());
  }

  /** Its registration is gone, or goes. */
  void forget() {
    region = null;
  }
}
