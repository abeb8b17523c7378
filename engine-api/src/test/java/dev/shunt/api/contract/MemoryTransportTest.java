package dev.shunt.api.contract;

import dev.shunt.api.contract.memory.Flaw;
import dev.shunt.api.contract.memory.MemoryKit;

class MemoryTransportTest extends TransportContract implements NotifyContract {
  @Override
  protected ContractKit kit(long seed) {
    return new MemoryKit(seed, Flaw.NONE);
  }
}
