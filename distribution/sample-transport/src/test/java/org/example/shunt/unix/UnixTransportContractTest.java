package org.example.shunt.unix;

import dev.shunt.api.contract.ContractKit;
import dev.shunt.api.contract.TransportContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The contract that every transport passes. */
class UnixTransportContractTest extends TransportContract {
  @TempDir Path one;
  @TempDir Path two;

  @Override
  protected ContractKit kit(long seed) {
    return new UnixKit(seed, one, two);
  }
}
