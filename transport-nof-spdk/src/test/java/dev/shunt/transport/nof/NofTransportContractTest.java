package dev.shunt.transport.nof;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shunt.api.contract.ContractKit;
import dev.shunt.api.contract.TransportContract;
import dev.shunt.transport.nof.testing.NofKit;
import dev.shunt.transport.nof.testing.SoftOptions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** The initiator in a virtual network, against targets of several kinds. */
class NofTransportContractTest extends TransportContract {
  private final List<NofKit> kits = new ArrayList<>();

  @Override
  protected ContractKit kit(long seed) {
    var options = new SoftOptions().size(512, 4096);
    boolean digests = seed % 3 == 0;
    if (seed % 2 == 0) {
      options.writes(4096, 0).reads(4096, false).alignment(128).service(1000, 30_000);
    }
    var kit =
        NofKit.virtual(seed, options).with("header-digest", digests).with("data-digest", digests);
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
