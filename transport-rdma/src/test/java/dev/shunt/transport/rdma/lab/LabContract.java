package dev.shunt.transport.rdma.lab;

import com.typesafe.config.Config;
import dev.shunt.api.contract.ContractKit;
import dev.shunt.api.contract.NotifyContract;
import dev.shunt.api.contract.RealStage;
import dev.shunt.api.contract.Stage;
import dev.shunt.api.contract.TransportContract;
import dev.shunt.api.spi.TransportProvider;
import dev.shunt.transport.rdma.RdmaTransportProvider;

/** The contract between two devices of this machine; run by {@link LabMain} and by nobody else. */
final class LabContract extends TransportContract implements NotifyContract {
  private final String deviceA;
  private final String deviceB;

  LabContract(String deviceA, String deviceB) {
    this.deviceA = deviceA;
    this.deviceB = deviceB;
  }

  @Override
  protected ContractKit kit(long seed) {
    return new ContractKit() {
      private final RealStage stage = new RealStage(seed);

      @Override
      public Stage stage() {
        return stage;
      }

      @Override
      public TransportProvider provider(String host) {
        return new RdmaTransportProvider();
      }

      @Override
      public Config config(String host) {
        return config(provider(host), LabMain.settings(host.equals("a") ? deviceA : deviceB));
      }

      @Override
      public boolean refusalEndsChannel() {
        return true;
      }
    };
  }
}
