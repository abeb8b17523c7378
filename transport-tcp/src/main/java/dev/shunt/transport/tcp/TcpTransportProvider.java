package dev.shunt.transport.tcp;

import com.typesafe.config.Config;
import dev.shunt.api.spi.Capability;
import dev.shunt.api.spi.Spi;
import dev.shunt.api.spi.Transport;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.api.spi.TransportProvider;
import dev.shunt.transport.tcp.core.Preamble;
import dev.shunt.transport.tcp.links.LinkSource;
import java.util.List;
import java.util.Optional;

/** Provides the transport {@code tcp}. */
public final class TcpTransportProvider implements TransportProvider {
  /** The capability without which nothing is sent to a peer. */
  static final String STREAM = "tcp.stream";

  /** The capability to check payloads; with version 1 of it, every payload is checked. */
  static final String CHECKSUM = "tcp.crc32c";

  private final Optional<LinkSource> links;

  /** Over this machine's links. */
  public TcpTransportProvider() {
    this.links = Optional.empty();
  }

  /** Over links of another source, for tests. */
  public TcpTransportProvider(LinkSource links) {
    this.links = Optional.of(links);
  }

  @Override
  public String id() {
    return "tcp";
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
    return List.of(
        Capability.of(STREAM, Preamble.LOWEST, Preamble.VERSION),
        new Capability(CHECKSUM, 1, 1, Capability.Scope.PEER, List.of(STREAM), false));
  }

  @Override
  public void validate(Config config) {
    TcpSettings.of(config);
  }

  @Override
  public Transport create(TransportContext context) {
    var settings = TcpSettings.of(context.config());
    return new TcpTransport(context, settings, links.orElseGet(settings::links));
  }
}
