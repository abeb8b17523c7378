package dev.shunt.transport.nof;

import com.typesafe.config.Config;
import dev.shunt.api.spi.Capability;
import dev.shunt.api.spi.Spi;
import dev.shunt.api.spi.Transport;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.api.spi.TransportProvider;
import java.util.List;

/** Offers transfers to NVMe over Fabrics targets. */
public final class NofTransportProvider implements TransportProvider {
  /** As the service loader needs it. */
  public NofTransportProvider() {}

  @Override
  public String id() {
    return "nof";
  }

  @Override
  public int spiVersion() {
    return Spi.VERSION;
  }

  @Override
  public String version() {
    return "0.1.0";
  }

  @Override
  public List<Capability> capabilities() {
    return List.of(new Capability("nof.kato", 1, 1, Capability.Scope.TARGET, List.of()));
  }

  @Override
  public void validate(Config config) {
    NofSettings.of(config, "node");
  }

  @Override
  public Transport create(TransportContext context) {
    return new NofTransport(context, NofSettings.of(context.config(), context.node()));
  }
}
