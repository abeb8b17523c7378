package dev.shunt.runtime.transport;

import dev.shunt.api.spi.Supervisor;
import dev.shunt.api.spi.Wires;
import dev.shunt.runtime.agent.WireAgent;

/** A transport's slow thread. */
public final class SupervisorAgent extends WireAgent implements Supervisor {
  private static final int TASKS = 65_536;

  /** Without a thread yet. */
  public SupervisorAgent(String transport, Wires wires) {
    super(transport + "-supervisor", TASKS, wires);
  }
}
