package dev.shunt.api.contract;

import dev.shunt.api.Access;
import dev.shunt.api.spi.Lease;
import dev.shunt.api.spi.Regions;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** A host's registrations. */
final class HostRegions implements Regions {
  private final List<HostRegion> regions = new ArrayList<>();
  private final long firstId;
  private long ids;

  HostRegions(long firstId) {
    this.firstId = firstId;
  }

  HostRegion add(MemorySegment memory, Access access) {
    ids++;
    var region = new HostRegion(firstId + ids, memory, access);
    regions.add(region);
    return region;
  }

  void remove(HostRegion region) {
    region.leave();
    regions.remove(region);
  }

  int leases() {
    int sum = 0;
    for (var region : regions) {
      sum += region.leases();
    }
    return sum;
  }

  @Override
  public Refusal acquire(long address, long length, long key, boolean write, Lease lease) {
    for (int i = 0; i < regions.size(); i++) {
      var region = regions.get(i);
      long offset = address - region.address();
      if (Long.compareUnsigned(offset, region.length()) >= 0) {
        continue;
      }
      if (length < 0 || length > region.length() - offset) {
        return Refusal.RANGE;
      }
      if (key != 0 && key != region.id()) {
        return Refusal.KEY;
      }
      if (write ? !region.access().writable() : !region.access().readable()) {
        return Refusal.ACCESS;
      }
      region.lend(lease, offset);
      return Refusal.NONE;
    }
    return Refusal.RANGE;
  }
}
