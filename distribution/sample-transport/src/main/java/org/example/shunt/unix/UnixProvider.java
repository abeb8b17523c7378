package org.example.shunt.unix;

import com.typesafe.config.Config;
import dev.shunt.api.spi.Capability;
import dev.shunt.api.spi.Spi;
import dev.shunt.api.spi.Transport;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.api.spi.TransportProvider;
import java.util.List;

/** Makes the transport. */
public final class UnixProvider implements TransportProvider {
  static final String STREAM = "unix.stream";

  /** Does nothing. */
  public UnixProvider() {}

  @Override
  public String id() {
    return "unix";
  }

  @Override
  public int spiVersion() {
    return Spi.VERSION;
  }

  @Override
  public String version() {
    return "1.0.0";
  }

  @Override
  public List<Capability> capabilities() {
    return List.of(Capability.of(STREAM, 1, Frames.VERSION));
  }

  @Override
  public void validate(Config config) {
    UnixSettings.of(config);
  }

  @Override
  public Transport create(TransportContext context) {
    return new UnixTransport(context, UnixSettings.of(context.config()));
  }
}
