package dev.shunt.api.spi;

import com.typesafe.config.Config;
import java.util.List;

/**
 * What a plug-in's module {@code provides}: small, stateless, cheap to create. It names itself,
 * says what it offers, checks its configuration, and makes the worker.
 *
 * <p>A provider has a public no-argument constructor that does nothing. Its {@link #id()} is unique
 * among the providers of its kind in a runtime; a second one is listed as failed and not used.
 *
 * <p>Its configuration is the subtree {@code shunt.transports.ID} or {@code shunt.metadata.ID}; a
 * failover policy's is {@code shunt.failover}. The defaults stand in a {@code reference.conf} in
 * the root of the provider's own module (or jar), each key with a comment, under that same path and
 * nowhere else. They are the schema too: a key that is not there is refused, and so is a value of
 * another type. A default with a unit ({@code 30s}, {@code 64KiB}) makes the unit compulsory; a
 * list of texts may hold anything; a section that is empty there is the user's to fill. A key with
 * a line {@code @secret} in its comment is never shown with its value, nor is one that is called
 * {@code password}, {@code passphrase}, {@code secret}, {@code token} or the like. Each transport
 * has the keys {@code enable}, {@code lanes}, {@code slice-size}, {@code strict-rails}, {@code
 * rail-error-threshold}, {@code rail-error-window}, {@code rail-cooldown}, {@code
 * rail-max-cooldown}, {@code window-bytes}, {@code window-slices} and {@code stall-limit} without
 * asking, and may give them other defaults.
 */
public interface Provider {
  /**
   * A short name in lower case, for configuration, logs and status: letters, digits and hyphens.
   */
  String id();

  /** The version of the interface that it was compiled for: {@link Spi#VERSION}, as a constant. */
  int spiVersion();

  /** What the plug-in's own module is at, for logs and status: such as {@code 0.1.0}. */
  String version();

  /** Behaviours that need the other side's consent; fixed for the life of a process. */
  default List<Capability> capabilities() {
    return List.of();
  }

  /**
   * Checks values that types alone do not: ranges, and keys that contradict one another. Unknown
   * keys and wrong types are found by the runtime, against {@code reference.conf}.
   *
   * @param config the provider's subtree, resolved, with its defaults
   * @throws com.typesafe.config.ConfigException with the origin of the value, and what would be
   *     right
   */
  default void validate(Config config) {}
}
