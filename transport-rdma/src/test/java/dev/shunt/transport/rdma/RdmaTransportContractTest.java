package dev.shunt.transport.rdma;

import com.typesafe.config.Config;
import dev.shunt.api.contract.ContractKit;
import dev.shunt.api.contract.NotifyContract;
import dev.shunt.api.contract.Stage;
import dev.shunt.api.contract.TransportContract;
import dev.shunt.api.contract.VirtualStage;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.api.spi.TransportProvider;
import dev.shunt.transport.rdma.testing.SoftFabric;
import dev.shunt.transport.rdma.testing.SoftNic;
import dev.shunt.transport.rdma.testing.SoftPath;
import dev.shunt.transport.rdma.testing.SoftRdmaProvider;
import dev.shunt.transport.rdma.testing.TamperedContext;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The transport keeps the contract, on the software fabric. */
class RdmaTransportContractTest extends TransportContract implements NotifyContract {
  @Override
  protected ContractKit kit(long seed) {
    return new Kit(seed);
  }

  private static final class Kit extends ContractKit implements ContractKit.Faults {
    private final VirtualStage stage;
    private final SoftFabric fabric;
    private final List<SoftNic> a;
    private final List<SoftNic> b;
    private TamperedContext remote;

    Kit(long seed) {
      stage = new VirtualStage(seed);
      fabric = new SoftFabric(stage.world());
      a = List.of(fabric.nic("mlx5_0"), fabric.nic("mlx5_1"));
      b = List.of(fabric.nic("mlx5_0"), fabric.nic("mlx5_1"));
    }

    private List<SoftNic> nics(String host) {
      return host.equals("a") ? a : b;
    }

    @Override
    public Stage stage() {
      return stage;
    }

    @Override
    public TransportProvider provider(String host) {
      return new SoftRdmaProvider(
          () -> fabric.verbs(stage.process(host), nics(host).toArray(SoftNic[]::new)),
          context -> host.equals("b") ? tampered(context) : context);
    }

    private TransportContext tampered(TransportContext context) {
      remote = new TamperedContext(context);
      return remote;
    }

    @Override
    public Config config(String host) {
      return config(provider(host), Map.of());
    }

    @Override
    public boolean refusalEndsChannel() {
      return true;
    }

    @Override
    public long resources() {
      return fabric.nics().stream().mapToLong(SoftNic::resources).sum();
    }

    @Override
    public Map<String, Object> malformed() {
      return Map.of(
          "slice-size", 0,
          "max-slice", "2GiB",
          "device.gid-index", 256,
          "device.max-cqe", 0,
          "device.idle-park", "0s",
          "endpoint.num-qps", 0,
          "endpoint.path-mtu", 1500,
          "endpoint.send-retry-count", 8,
          "endpoint.send-timeout", 32,
          "endpoint.drain-timeout", "-1s");
    }

    @Override
    public Optional<Faults> faults() {
      return Optional.of(this);
    }

    private SoftPath there(int localRail, int remoteRail) {
      return fabric.path(a.get(localRail), b.get(remoteRail));
    }

    private SoftPath back(int localRail, int remoteRail) {
      return fabric.path(b.get(remoteRail), a.get(localRail));
    }

    @Override
    public boolean cut(int localRail, int remoteRail) {
      fabric.cut(a.get(localRail), b.get(remoteRail));
      return true;
    }

    @Override
    public boolean duplicateConnects(int localRail, int remoteRail) {
      remote.duplicate(10);
      return true;
    }

    /** A handshake is all that a stranger can send. */
    @Override
    public boolean nonsense(Map<String, String> rail, byte[] bytes) {
      remote.ask(bytes);
      return true;
    }

    @Override
    public boolean hold(int localRail, int remoteRail) {
      there(localRail, remoteRail).hold();
      return true;
    }

    @Override
    public boolean release(int localRail, int remoteRail) {
      there(localRail, remoteRail).release();
      return true;
    }

    @Override
    public boolean silence(int localRail, int remoteRail) {
      there(localRail, remoteRail).blackhole();
      back(localRail, remoteRail).blackhole();
      return true;
    }

    @Override
    public boolean heal(int localRail, int remoteRail) {
      there(localRail, remoteRail).heal();
      back(localRail, remoteRail).heal();
      return true;
    }
  }
}
