package dev.shunt.transport.rdma.testing;

import dev.shunt.api.sim.SimProcess;
import dev.shunt.transport.rdma.verbs.Verbs;
import dev.shunt.transport.rdma.verbs.VerbsDevice;
import dev.shunt.transport.rdma.verbs.VerbsException;
import java.util.List;

/** The NICs of a machine, as one process uses them. */
final class SoftVerbs implements Verbs {
  private final SoftFabric fabric;
  private final SimProcess process;
  private final List<SoftNic> nics;

  SoftVerbs(SoftFabric fabric, SimProcess process, List<SoftNic> nics) {
    this.fabric = fabric;
    this.process = process;
    this.nics = nics;
  }

  @Override
  public List<String> devices() {
    return nics.stream().map(SoftNic::name).toList();
  }

  @Override
  public VerbsDevice open(String name, Runnable ready) {
    for (var nic : nics) {
      if (nic.name().equals(name)) {
        if (nic.faults().openError != 0) {
          throw new VerbsException("opening " + name, nic.faults().openError);
        }
        var device = new SoftDevice(fabric, process, nic, ready);
        process.onDeath(death -> device.died());
        return device;
      }
    }
    throw new VerbsException("opening " + name, VerbsException.ENODEV);
  }
}
