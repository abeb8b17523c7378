package dev.shunt.api.contract.memory;

import com.typesafe.config.Config;
import dev.shunt.api.contract.ContractKit;
import dev.shunt.api.contract.Stage;
import dev.shunt.api.contract.VirtualStage;
import dev.shunt.api.spi.TransportProvider;
import java.util.Map;
import java.util.Optional;

/** The kit of the transport of memory. */
public final class MemoryKit extends ContractKit implements ContractKit.Faults {
  private final VirtualStage stage;
  private final MemoryFabric fabric;

  /** A kit of a transport with a flaw, or without. */
  public MemoryKit(long seed, Flaw flaw) {
    stage = new VirtualStage(seed);
    fabric = new MemoryFabric(stage, flaw);
  }

  @Override
  public Stage stage() {
    return stage;
  }

  @Override
  public TransportProvider provider(String host) {
    return new MemoryProvider(fabric);
  }

  @Override
  public Config config(String host) {
    return config(provider(host), Map.of("rails", 2, "inbound-progress-timeout", "5s"));
  }

  @Override
  public Map<String, Object> malformed() {
    return Map.of("rails", 0);
  }

  @Override
  public long resources() {
    return fabric.resources();
  }

  @Override
  public void died(String host, boolean silently) {
    var node = fabric.node(host);
    if (node != null) {
      fabric.left(node, silently);
    }
  }

  @Override
  public Optional<Faults> faults() {
    return Optional.of(this);
  }

  @Override
  public boolean cut(int localRail, int remoteRail) {
    fabric.cut(fabric.way(localRail, remoteRail));
    return true;
  }

  @Override
  public boolean hold(int localRail, int remoteRail) {
    fabric.way(localRail, remoteRail).held = true;
    return true;
  }

  @Override
  public boolean release(int localRail, int remoteRail) {
    fabric.way(localRail, remoteRail).held = false;
    fabric.moves(fabric.way(localRail, remoteRail));
    return true;
  }

  @Override
  public boolean silence(int localRail, int remoteRail) {
    fabric.way(localRail, remoteRail).silent = true;
    return true;
  }

  @Override
  public boolean heal(int localRail, int remoteRail) {
    fabric.way(localRail, remoteRail).silent = false;
    fabric.moves(fabric.way(localRail, remoteRail));
    return true;
  }

  @Override
  public boolean duplicateConnects(int localRail, int remoteRail) {
    fabric.duplicates = 10;
    return true;
  }
}
