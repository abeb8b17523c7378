package dev.shunt.transport.rdma.testing;

import dev.shunt.api.Access;
import dev.shunt.api.spi.Region;
import dev.shunt.api.spi.RegionKey;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Memory that is registered on all rails of a node. */
public record TestMemory(MemorySegment memory, Access access, List<RegionKey> keys)
    implements Region {
  @Override
  public long id() {
    return 1;
  }
}
