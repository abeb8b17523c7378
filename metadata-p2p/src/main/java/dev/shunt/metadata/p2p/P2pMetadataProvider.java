package dev.shunt.metadata.p2p;

import dev.shunt.api.spi.MetadataBackend;
import dev.shunt.api.spi.MetadataContext;
import dev.shunt.api.spi.MetadataProvider;
import dev.shunt.api.spi.Spi;

/** Provides this module's backend. It has nothing to configure. */
public final class P2pMetadataProvider implements MetadataProvider {
  /** Does nothing. */
  public P2pMetadataProvider() {}

  @Override
  public String id() {
    return "p2p";
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
  public MetadataBackend create(MetadataContext context) {
    return new P2pMetadata(context);
  }
}
