package dev.shunt.runtime.discovery;

import dev.shunt.api.spi.FailoverProvider;
import dev.shunt.api.spi.MetadataProvider;
import dev.shunt.api.spi.Provider;
import dev.shunt.api.spi.TransportProvider;

/** What a provider is for. */
public enum Kind {
  /** Moves bytes. */
  TRANSPORT(TransportProvider.class),
  /** Finds descriptors. */
  METADATA(MetadataProvider.class),
  /** Answers failures; one for an image. */
  FAILOVER(FailoverProvider.class);

  private final Class<? extends Provider> service;

  Kind(Class<? extends Provider> service) {
    this.service = service;
  }

  /** The service that such a provider is found by. */
  public Class<? extends Provider> service() {
    return service;
  }

  /** As it is written for people and machines: in lower case. */
  public String label() {
    return switch (this) {
      case TRANSPORT -> "transport";
      case METADATA -> "metadata";
      case FAILOVER -> "failover";
    };
  }

  /** Where such a provider's configuration stands. */
  public String section(String id) {
    return switch (this) {
      case TRANSPORT -> "shunt.transports." + id;
      case METADATA -> "shunt.metadata." + id;
      case FAILOVER -> "shunt.failover";
    };
  }
}
