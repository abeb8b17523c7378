package dev.shunt.transport.nof;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shunt.api.contract.ContractKit;
import dev.shunt.api.contract.TransportContract;
import dev.shunt.transport.nof.testing.NofKit;
import dev.shunt.transport.nof.testing.SoftOptions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** The initiator over real sockets on loopback. */
class NofLoopbackContractTest extends TransportContract {
  private final List<NofKit> kits = new ArrayList<>();

  @Override
  protected ContractKit kit(long seed) {
    var kit = NofKit.real(seed, new SoftOptions().size(4096, 512));
    kits.add(kit);
    return kit;
  }

  @AfterEach
  void theHostKeptTheProtocol() {
    for (var kit : kits) {
      assertEquals(List.of(), kit.soft().violations());
    }
  }
}
