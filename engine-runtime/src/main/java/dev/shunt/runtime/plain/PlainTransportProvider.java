package dev.shunt.runtime.plain;

import com.typesafe.config.Config;
import dev.shunt.api.spi.Spi;
import dev.shunt.api.spi.Transport;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.api.spi.TransportProvider;

/** Provides the transport {@code tent}. */
public final class PlainTransportProvider implements TransportProvider {
  /** The transport's id. */
  public static final String ID = "tent";

  /** Does nothing. */
  public PlainTransportProvider() {}

  @Override
  public String id() {
    return ID;
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
  public void validate(Config config) {
    PlainSettings.of(config);
  }

  @Override
  public Transport create(TransportContext context) {
    return new PlainTransport(context, PlainSettings.of(context.config()));
  }
}
