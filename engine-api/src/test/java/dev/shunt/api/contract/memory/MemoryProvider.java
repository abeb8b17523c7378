package dev.shunt.api.contract.memory;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import dev.shunt.api.spi.Transport;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.api.spi.TransportProvider;

/** Makes transports on a fabric of memory. */
final class MemoryProvider implements TransportProvider {
  private final MemoryFabric fabric;

  MemoryProvider(MemoryFabric fabric) {
    this.fabric = fabric;
  }

  @Override
  public String id() {
    return fabric.has(Flaw.BAD_ID) ? "Mem ory" : "memory";
  }

  @Override
  public int spiVersion() {
    return 1;
  }

  @Override
  public String version() {
    return "1";
  }

  @Override
  public void validate(Config config) {
    if (config.getInt("rails") < 1 && !fabric.has(Flaw.NO_VALIDATION)) {
      throw new ConfigException.BadValue(
          config.getValue("rails").origin(), "rails", "a transport has one rail at least");
    }
  }

  @Override
  public Transport create(TransportContext context) {
    return new MemoryTransport(fabric, context);
  }
}
