package dev.shunt.transport.tcp;

import com.typesafe.config.Config;
import dev.shunt.api.contract.ContractKit;
import dev.shunt.api.contract.SimFaults;
import dev.shunt.api.contract.Stage;
import dev.shunt.api.contract.TransportContract;
import dev.shunt.api.contract.VirtualStage;
import dev.shunt.api.spi.TransportProvider;
import dev.shunt.transport.tcp.links.LinkSource;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The contract, on a virtual network. */
class TcpTransportContractTest extends TransportContract {
  @Override
  protected ContractKit kit(long seed) {
    return new Kit(seed);
  }

  private static final class Kit extends ContractKit {
    private final VirtualStage stage;

    Kit(long seed) {
      stage = new VirtualStage(seed);
    }

    @Override
    public Stage stage() {
      return stage;
    }

    @Override
    public TransportProvider provider(String host) {
      return new TcpTransportProvider(LinkSource.none());
    }

    @Override
    public Config config(String host) {
      var rails =
          host.equals("a") ? List.of("10.0.0.1", "10.0.1.1") : List.of("10.0.0.2", "10.0.1.2");
      return ContractKit.config(
          provider(host), Map.of("rails", rails, "buffer-size", "8KiB", "copy-limit", "2KiB"));
    }

    @Override
    public Map<String, Object> malformed() {
      return Map.of("depth", 0, "rails", List.of("nowhere"), "copy-limit", "1MiB");
    }

    @Override
    public Optional<Faults> faults() {
      return Optional.of(
          new SimFaults(stage) {
            @Override
            public boolean nonsense(Map<String, String> rail, byte[] bytes) {
              var at =
                  new InetSocketAddress(rail.get("address"), Integer.parseInt(rail.get("port")));
              Babbler.begin(stage, at, bytes);
              return true;
            }
          });
    }
  }
}
