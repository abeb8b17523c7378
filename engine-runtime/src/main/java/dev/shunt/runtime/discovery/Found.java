package dev.shunt.runtime.discovery;

import com.typesafe.config.Config;
import dev.shunt.api.spi.Capability;
import dev.shunt.api.spi.Provider;
import java.util.List;

/**
 * A provider that answered all that is asked of one. Its answers are kept, and it is not asked
 * again.
 *
 * @param kind what it is for
 * @param provider itself
 * @param id its id
 * @param version its version
 * @param capabilities what it offers
 * @param origin where it comes from
 * @param defaults its own section of its own {@code reference.conf}, at its full path; empty if it
 *     has none
 */
public record Found<P extends Provider>(
    Kind kind,
    P provider,
    String id,
    String version,
    List<Capability> capabilities,
    Origin origin,
    Config defaults) {
  /** Copies the list. */
  public Found {
    capabilities = List.copyOf(capabilities);
  }

  /** Where its configuration stands. */
  public String section() {
    return kind.section(id);
  }

  Plugin plugin(Plugin.State state, String cause) {
    return new Plugin(java.util.Optional.of(kind), id, version, origin, state, cause);
  }
}
