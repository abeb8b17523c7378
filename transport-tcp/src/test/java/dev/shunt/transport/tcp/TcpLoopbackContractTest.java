package dev.shunt.transport.tcp;

import com.typesafe.config.Config;
import dev.shunt.api.contract.ContractKit;
import dev.shunt.api.contract.RealStage;
import dev.shunt.api.contract.Stage;
import dev.shunt.api.contract.TransportContract;
import dev.shunt.api.spi.TransportProvider;
import java.util.List;
import java.util.Map;

/** The contract, on sockets of this machine. */
class TcpLoopbackContractTest extends TransportContract {
  @Override
  protected ContractKit kit(long seed) {
    return new Kit(seed);
  }

  private static final class Kit extends ContractKit {
    private final RealStage stage;

    Kit(long seed) {
      stage = new RealStage(seed);
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
      return ContractKit.config(provider(host), Map.of("rails", List.of("127.0.0.1", "127.0.0.2")));
    }
  }
}
