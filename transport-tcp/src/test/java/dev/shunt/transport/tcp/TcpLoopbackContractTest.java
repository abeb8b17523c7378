package dev.shunt.transport.tcp;

import com.typesafe.config.Config;
import dev.shunt.api.contract.ContractKit;
import dev.shunt.api.contract.Stage;
import dev.shunt.api.contract.TransportContract;
import dev.shunt.api.spi.TransportProvider;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The contract, on sockets of this machine, with a relay between them that breaks things. */
class TcpLoopbackContractTest extends TransportContract {
  private static final List<String> OF_A = List.of("127.0.0.1", "127.0.0.2");
  private static final List<String> OF_B = List.of("127.0.0.3", "127.0.0.4");

  @Override
  protected ContractKit kit(long seed) {
    return new Kit(seed);
  }

  private static final class Kit extends ContractKit {
    private final RelayStage stage;

    Kit(long seed) {
      stage = new RelayStage(seed);
    }

    @Override
    public Stage stage() {
      return stage;
    }

    @Override
    public TransportProvider provider(String host) {
      return new TcpTransportProvider();
    }

    @Override
    public Config config(String host) {
      return ContractKit.config(
          provider(host),
          Map.of(
              "rails",
              host.equals("a") ? OF_A : OF_B,
              "streams",
              2,
              "inbound-progress-timeout",
              "1s"));
    }

    @Override
    public Map<String, Object> malformed() {
      return Map.of("streams", 65, "merge-limit", "2GiB", "max-peer-streams", 0);
    }

    @Override
    public Optional<Faults> faults() {
      return Optional.of(new RelayFaults(stage, OF_A, OF_B));
    }
  }
}
