package dev.shunt.api.contract;

import dev.shunt.api.contract.ContractKit.Faults;
import dev.shunt.api.sim.SimNetwork;
import dev.shunt.api.sim.SimPath;
import java.util.Map;

/** Faults of a virtual network whose hosts {@code a} and another have their rails in order. */
public class SimFaults implements Faults {
  private final SimNetwork network;
  private final int remoteHost;

  /** Faults between the first two hosts of a stage. */
  public SimFaults(VirtualStage stage) {
    this(stage.network(), 1);
  }

  /** Faults between the first host of a network and another. */
  public SimFaults(SimNetwork network, int remoteHost) {
    this.network = network;
    this.remoteHost = remoteHost;
  }

  private SimPath there(int localRail, int remoteRail) {
    return network.path(
        network.hosts().get(0).rail(localRail), network.hosts().get(remoteHost).rail(remoteRail));
  }

  private SimPath back(int localRail, int remoteRail) {
    return network.path(
        network.hosts().get(remoteHost).rail(remoteRail), network.hosts().get(0).rail(localRail));
  }

  @Override
  public boolean cut(int localRail, int remoteRail) {
    there(localRail, remoteRail).cut();
    back(localRail, remoteRail).cut();
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
    there(localRail, remoteRail).healNow();
    back(localRail, remoteRail).healNow();
    return true;
  }

  @Override
  public boolean duplicateConnects(int localRail, int remoteRail) {
    there(localRail, remoteRail).duplicateConnects(10);
    return true;
  }

  @Override
  public boolean nonsense(Map<String, String> rail, byte[] bytes) {
    return false;
  }
}
