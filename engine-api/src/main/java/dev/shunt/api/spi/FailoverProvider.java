package dev.shunt.api.spi;

/**
 * Makes the policy that answers failures. Configured under {@code shunt.failover}, and by what the
 * engine and the transports have of it ({@link FailoverSettings}). One for an image.
 */
public interface FailoverProvider extends Provider {
  /** Makes the policy of one engine. */
  FailoverPolicy create(FailoverSettings settings);
}
