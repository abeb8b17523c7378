package dev.shunt.api.spi;

import com.typesafe.config.Config;

/**
 * Makes the policy that answers failures. Configured under {@code shunt.failover}. One for an
 * image.
 */
public interface FailoverProvider extends Provider {
  /**
   * Makes the policy of one engine.
   *
   * @param config {@code shunt.failover}
   * @param rails what a transport sets of rails: {@code rail-error-threshold}, {@code
   *     rail-error-window}, {@code rail-cooldown}, {@code rail-max-cooldown}, by the transport's id
   */
  FailoverPolicy create(Config config, java.util.Map<String, Config> rails);
}
