package dev.shunt.api.sim;

import dev.shunt.api.spi.Wires;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/** A machine with addresses, its rails, and processes one after another or beside each other. */
public final class SimHost {
  private final SimNetwork network;
  private final String name;
  private final List<SimRail> rails = new ArrayList<>();
  private boolean off;

  SimHost(SimNetwork network, String name) {
    this.network = network;
    this.name = name;
  }

  /** Its name. */
  public String name() {
    return name;
  }

  /** Its addresses, in order. */
  public List<SimRail> rails() {
    return rails;
  }

  /** The rail of a number, from 0. */
  public SimRail rail(int index) {
    return rails.get(index);
  }

  /** Starts a process. */
  public SimProcess start(String processName) {
    off = false;
    return network.world().process(processName);
  }

  /** Streams for a process of this host; what it opened is closed when it dies. */
  public Wires wires(SimProcess process) {
    return loopName -> {
      var loop = new SimWireLoop(network, this, process, loopName);
      process.onDeath(loop::died);
      return loop;
    };
  }

  /** Loses its power: its processes vanish, and it answers nothing until one is started again. */
  public void powerOff(SimProcess... processes) {
    off = true;
    for (var process : processes) {
      process.die(SimProcess.Death.VANISHED);
    }
  }

  /** Where a connection goes out that nobody bound to an address. */
  SimRail way() {
    for (var rail : rails) {
      if (!rail.isLinkDown()) {
        return rail;
      }
    }
    return rails.getFirst();
  }

  boolean off() {
    return off;
  }

  SimRail rail(InetAddress address) {
    if (address.isLoopbackAddress()) {
      return rails.getFirst();
    }
    for (var rail : rails) {
      if (rail.address().equals(address)) {
        return rail;
      }
    }
    return null;
  }
}
