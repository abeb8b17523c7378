package dev.shunt.api;

import com.typesafe.config.Config;
import dev.shunt.api.spi.FailoverProvider;
import dev.shunt.api.spi.MetadataProvider;
import dev.shunt.api.spi.TransportProvider;
import java.nio.file.Path;

/** Builds an engine in code: whatever can be configured, and providers that are not services. */
public interface EngineBuilder {
  /**
   * Values over those of configuration, and over what a node's own section says: a path such as
   * {@code transfer.deadline} under {@code shunt}. A duration, path, enum constant, text, number,
   * truth, list or map; of two for one path the later counts.
   */
  EngineBuilder set(String path, Object value);

  /** Configuration, over the modules' defaults and under what {@link #set} gives. */
  EngineBuilder config(Config config);

  /**
   * A HOCON file, in the place of {@link #config}. Unlike the library's own reading, an {@code
   * include} is relative to its file and must be there, unless it is written {@code include
   * "?other.conf"}.
   *
   * @throws ShuntException with CONFIGURATION, file and line, if it cannot be read
   */
  EngineBuilder file(Path file);

  /** A transport beside those that are found. */
  EngineBuilder transport(TransportProvider provider);

  /** A metadata backend beside those that are found. */
  EngineBuilder metadata(MetadataProvider provider);

  /** A failover policy instead of one that is found. */
  EngineBuilder failover(FailoverProvider provider);

  /** Opens it. */
  Engine open();
}
