package dev.shunt.runtime.wire;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.TransportException;
import dev.shunt.api.spi.WireLoop;
import dev.shunt.api.spi.Wires;
import java.io.IOException;

/** Opens loops, each with a selector of its own. */
public final class NioWires implements Wires {
  @Override
  public WireLoop open(String name) {
    try {
      return new NioWireLoop(name);
    } catch (IOException e) {
      throw new TransportException(
          FailureCode.RESOURCE,
          "no selector for " + name + ": " + e.getMessage() + "; look at the limit on open files",
          e);
    }
  }
}
