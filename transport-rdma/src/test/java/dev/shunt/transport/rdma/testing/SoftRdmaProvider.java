package dev.shunt.transport.rdma.testing;

import com.typesafe.config.Config;
import dev.shunt.api.spi.Capability;
import dev.shunt.api.spi.Transport;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.api.spi.TransportProvider;
import dev.shunt.transport.rdma.RdmaTransport;
import dev.shunt.transport.rdma.RdmaTransportProvider;
import dev.shunt.transport.rdma.verbs.Verbs;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** The production transport, over other verbs than the machine's. */
public final class SoftRdmaProvider implements TransportProvider {
  private final RdmaTransportProvider production = new RdmaTransportProvider();
  private final Supplier<Verbs> verbs;
  private final UnaryOperator<TransportContext> contexts;

  /**
   * A provider whose transports use these verbs.
   *
   * @param verbs asked when a transport is made: such as {@link SoftFabric#verbs} for the process
   *     that makes it
   */
  public SoftRdmaProvider(Supplier<Verbs> verbs) {
    this(verbs, UnaryOperator.identity());
  }

  /** The same, where transports get another context than they are given. */
  public SoftRdmaProvider(Supplier<Verbs> verbs, UnaryOperator<TransportContext> contexts) {
    this.verbs = verbs;
    this.contexts = contexts;
  }

  @Override
  public String id() {
    return production.id();
  }

  @Override
  public int spiVersion() {
    return production.spiVersion();
  }

  @Override
  public String version() {
    return production.version();
  }

  @Override
  public List<Capability> capabilities() {
    return production.capabilities();
  }

  @Override
  public void validate(Config config) {
    production.validate(config);
  }

  @Override
  public Transport create(TransportContext context) {
    return new RdmaTransport(contexts.apply(context), verbs.get());
  }
}
