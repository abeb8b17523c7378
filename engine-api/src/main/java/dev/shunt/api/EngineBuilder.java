package dev.shunt.api;

import com.typesafe.config.Config;
import dev.shunt.api.spi.FailoverProvider;
import dev.shunt.api.spi.MetadataProvider;
import dev.shunt.api.spi.TransportProvider;

/** Builds an engine in code: whatever can be configured, and providers that are not services. */
public interface EngineBuilder {
  /**
   * Values over those of configuration: a path such as {@code transfer.deadline} under {@code
   * shunt}.
   */
  EngineBuilder set(String path, Object value);

  /** Configuration, over the modules' defaults and under what {@link #set} gives. */
  EngineBuilder config(Config config);

  /** A transport beside those that are found. */
  EngineBuilder transport(TransportProvider provider);

  /** A metadata backend beside those that are found. */
  EngineBuilder metadata(MetadataProvider provider);

  /** A failover policy instead of one that is found. */
  EngineBuilder failover(FailoverProvider provider);

  /** Opens it. */
  Engine open();
}
