package dev.shunt.transport.rdma;

import dev.shunt.api.spi.RegionKey;
import dev.shunt.transport.rdma.verbs.VerbsRegion;

/** A memory region on one device. */
final class RdmaKey implements RegionKey {
  private final VerbsRegion region;
  private final int lkey;
  private final long rkey;

  RdmaKey(VerbsRegion region) {
    this.region = region;
    lkey = region.lkey();
    rkey = Integer.toUnsignedLong(region.rkey());
  }

  @Override
  public long remoteKey() {
    return rkey;
  }

  int lkey() {
    return lkey;
  }

  VerbsRegion region() {
    return region;
  }
}
