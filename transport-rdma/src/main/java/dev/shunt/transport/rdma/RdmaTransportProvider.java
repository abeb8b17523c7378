package dev.shunt.transport.rdma;

import com.typesafe.config.Config;
import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Capability;
import dev.shunt.api.spi.Spi;
import dev.shunt.api.spi.Transport;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.api.spi.TransportException;
import dev.shunt.api.spi.TransportProvider;
import dev.shunt.transport.rdma.verbs.Verbs;
import dev.shunt.transport.rdma.verbs.VerbsUnavailableException;
import java.util.List;
import java.util.Optional;

/** Makes the RDMA transport, on the verbs of this machine. */
public final class RdmaTransportProvider implements TransportProvider {
  /** For the service loader. */
  public RdmaTransportProvider() {}

  @Override
  public String id() {
    return "rdma";
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
    return List.of(Capability.of(Connector.READY_ACK, 1, 1), Capability.of(Connector.TRIES, 1, 1));
  }

  @Override
  public void validate(Config config) {
    RdmaSettings.of(config);
  }

  @Override
  public Optional<String> missing() {
    return Verbs.missing().or(() -> RailFinder.missing(Verbs.system()));
  }

  @Override
  public Transport create(TransportContext context) {
    try {
      return new RdmaTransport(context, Verbs.system());
    } catch (VerbsUnavailableException e) {
      throw new TransportException(FailureCode.UNSUPPORTED, e.getMessage(), e);
    }
  }
}
